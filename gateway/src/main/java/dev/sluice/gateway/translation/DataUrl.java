package dev.sluice.gateway.translation;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes within a URL.
 *
 * @param mediaType in lower case
 * @param data in base64
 */
record DataUrl(String mediaType, String data) {
    private static final int HEAD_LENGTH_MAX = 200;
    private static final Pattern HEAD = Pattern.compile("(?i)data:([a-z0-9.+/-]+);base64,");

    /** Empty for another kind of URL. */
    static Optional<DataUrl> of(String url) {
        Matcher head = HEAD.matcher(url.substring(0, Math.min(url.length(), HEAD_LENGTH_MAX)));
        return head.lookingAt()
                ? Optional.of(new DataUrl(head.group(1).toLowerCase(Locale.ROOT), url.substring(head.end())))
                : Optional.empty();
    }

    String text() {
        return "data:" + mediaType + ";base64," + data;
    }
}
