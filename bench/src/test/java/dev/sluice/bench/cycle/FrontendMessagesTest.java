package dev.sluice.bench.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Counting statements on the wire")
class FrontendMessagesTest {
    private static byte[] conversation() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(4 + 300);
        out.write(new byte[300]);
        for (char type : "QPBDESBESX".toCharArray()) {
            out.write(type);
            // A body full of letters that would count if they were taken for types.
            out.writeInt(4 + 5);
            out.writeBytes("EQSEQ");
        }
        return bytes.toByteArray();
    }

    @Test
    void onlyExecuteAndQueryCountHoweverTheStreamIsCut() throws IOException {
        byte[] bytes = conversation();
        for (int step = 1; step <= bytes.length; step++) {
            LongAdder statements = new LongAdder();
            FrontendMessages messages = new FrontendMessages(statements);
            for (int from = 0; from < bytes.length; from += step) {
                int count = Math.min(step, bytes.length - from);
                byte[] piece = new byte[count];
                System.arraycopy(bytes, from, piece, 0, count);
                messages.accept(piece, count);
            }
            assertThat(statements.sum()).as("in steps of %d", step).isEqualTo(3);
        }
    }
}
