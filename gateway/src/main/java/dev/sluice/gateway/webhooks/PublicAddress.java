package dev.sluice.gateway.webhooks;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which addresses are on the public internet, by the registries of special-purpose addresses (RFC 6890 and its
 * updates). Of IPv6 only global unicast is, and of that nothing that carries an IPv4 address.
 */
final class PublicAddress {
    private static final List<Block> NOT_PUBLIC_4 = Stream.of(
                    "0.0.0.0/8",
                    "10.0.0.0/8",
                    "100.64.0.0/10",
                    "127.0.0.0/8",
                    "169.254.0.0/16",
                    "172.16.0.0/12",
                    "192.0.0.0/24",
                    "192.0.2.0/24",
                    "192.88.99.0/24",
                    "192.168.0.0/16",
                    "198.18.0.0/15",
                    "198.51.100.0/24",
                    "203.0.113.0/24",
                    "224.0.0.0/4",
                    "240.0.0.0/4")
            .map(Block::of)
            .toList();
    private static final Block GLOBAL_6 = Block.of("2000::/3");
    private static final List<Block> NOT_PUBLIC_6 = Stream.of("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
            .map(Block::of)
            .toList();

    private record Block(byte[] start, int bits) {
        static Block of(String text) {
            int slash = text.indexOf('/');
            InetAddress start = InetAddress.ofLiteral(text.substring(0, slash));
            return new Block(start.getAddress(), Integer.parseInt(text.substring(slash + 1)));
        }

        boolean holds(byte[] address) {
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> (bit & 7);
                if (((start[bit >> 3] ^ address[bit >> 3]) & mask) != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    private PublicAddress() {}

    /** An IPv4 address mapped into IPv6 is an IPv4 address to Java already. */
    static boolean is(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 4
                ? NOT_PUBLIC_4.stream().noneMatch(block -> block.holds(bytes))
                : GLOBAL_6.holds(bytes) && NOT_PUBLIC_6.stream().noneMatch(block -> block.holds(bytes));
    }
}
