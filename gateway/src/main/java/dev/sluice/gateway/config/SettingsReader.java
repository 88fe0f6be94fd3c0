package dev.sluice.gateway.config;

import java.util.Optional;

/** Reads what is said once for the whole gateway: addresses, workers, dispatch, queueing, http. */
final class SettingsReader {
    private SettingsReader() {}

    static ListenAddress listen(Section section, ListenAddress byDefault) {
        Fields fields = new Fields(section);
        return section.value("listen", byDefault.toString())
                .flatMap(value -> {
                    Optional<ListenAddress> address = ListenAddress.parse(value.text());
                    if (address.isEmpty()) {
                        fields.complain(
                                value,
                                "must be host:port or [ipv6]:port with a port from 0 to 65535, but is `" + value.shown()
                                        + "`");
                    }
                    return address;
                })
                .orElse(byDefault);
    }

    static Admin admin(Section file) {
        Optional<Section> given = file.section("admin", "reading only");
        if (given.isEmpty()) {
            return new Admin(Admin.LISTEN, Optional.empty());
        }
        try (Section section = given.get()) {
            return new Admin(listen(section, Admin.LISTEN), new Fields(section).secret("token"));
        }
    }

    static Workers workers(Section file) {
        return file.settings("workers", Workers.DEFAULT, section -> {
            Fields fields = new Fields(section);
            Workers byDefault = Workers.DEFAULT;
            return new Workers(
                    fields.whole("slots", Workers.SLOTS, byDefault.slots()),
                    fields.whole("attempts", Workers.ATTEMPTS, byDefault.attempts()),
                    fields.duration("retention", Workers.RETENTION, byDefault.retention()),
                    fields.size("max-response", Workers.MAX_RESPONSE, byDefault.maxResponseBytes()),
                    fields.whole("priority-offset", Group.PRIORITY, byDefault.priorityOffset()));
        });
    }

    static Dispatch dispatch(Section file) {
        return file.section("dispatch", "all defaults")
                .map(SettingsReader::dispatchSection)
                .orElse(Dispatch.DEFAULT);
    }

    static Optional<Dispatch> dispatchOfModel(Section model) {
        return model.section("dispatch", "the general one").map(SettingsReader::dispatchSection);
    }

    private static Dispatch dispatchSection(Section section) {
        try (section) {
            Fields fields = new Fields(section);
            return new Dispatch(
                    fields.whole("max-queue", Dispatch.MAX_QUEUE, Dispatch.DEFAULT.maxQueue()),
                    fields.duration("queue-timeout", Dispatch.QUEUE_TIMEOUT, Dispatch.DEFAULT.queueTimeout()));
        }
    }

    static Queueing queueing(Section file) {
        return file.settings("queueing", Queueing.DEFAULT, section -> {
            Fields fields = new Fields(section);
            Queueing byDefault = Queueing.DEFAULT;
            return new Queueing(
                    fields.choice("ordering", Queueing.Ordering.class, byDefault.ordering()),
                    fields.whole("max-overtakes", Queueing.MAX_OVERTAKES, byDefault.maxOvertakes()),
                    fields.duration("async-max-wait", Queueing.ASYNC_MAX_WAIT, byDefault.asyncMaxWait()),
                    fields.duration("first-byte-grace", Queueing.FIRST_BYTE_GRACE, byDefault.firstByteGrace()));
        });
    }

    static Http http(Section file) {
        return file.settings("http", Http.DEFAULT, section -> {
            Fields fields = new Fields(section);
            Http byDefault = Http.DEFAULT;
            long maxBody = fields.size("max-body", Http.MAX_BODY, byDefault.maxBodyBytes());
            long maxBuffered = fields.size("max-buffered", Http.MAX_BUFFERED, byDefault.maxBufferedBytes());
            if (maxBuffered < maxBody) {
                if (section.has("max-buffered")) {
                    section.fault("max-buffered", "is less than `max-body`, which is " + Sizes.text(maxBody));
                } else {
                    section.fault("max-body", "is more than `max-buffered`, which is " + Sizes.text(maxBuffered));
                }
                maxBuffered = maxBody;
            }
            return new Http(
                    maxBody,
                    maxBuffered,
                    (int) fields.size("max-header-size", Http.MAX_HEADER, byDefault.maxHeaderBytes()),
                    fields.duration("connect-timeout", Http.CONNECT_TIMEOUT, byDefault.connectTimeout()),
                    fields.duration("idle-timeout", Http.IDLE_TIMEOUT, byDefault.idleTimeout()),
                    fields.duration("drain", Http.DRAIN, byDefault.drain()));
        });
    }
}
