package dev.sluice.postgres;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What one class logs while a test runs, instead of on the console. */
final class LoggedLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger;

    private LoggedLines(Logger logger) {
        this.logger = logger;
    }

    static LoggedLines of(Class<?> type) {
        LoggedLines lines = new LoggedLines((Logger) LoggerFactory.getLogger(type));
        lines.setContext(lines.logger.getLoggerContext());
        lines.start();
        lines.logger.setAdditive(false);
        lines.logger.setLevel(Level.INFO);
        lines.logger.addAppender(lines);
        return lines;
    }

    @Override
    protected void append(ILoggingEvent event) {
        lines.add(event.getLevel() + " " + event.getFormattedMessage());
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setAdditive(true);
        logger.setLevel(null);
        stop();
    }
}
