package dev.sluice.gateway.config;

import static dev.sluice.gateway.config.Edit.broken;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One edit of a good file, and exactly what is then said of it. */
@DisplayName("A broken configuration is refused with file, line and reason")
class BrokenConfigurationTest {
    static Stream<Edit> keys() {
        return Stream.of(
                broken(
                        "unknown key",
                        "queue: 50,",
                        "quue: 50,",
                        "49: `max-wait` has no effect without `queue`",
                        "49: unknown key `quue`; did you mean `queue`?"),
                broken(
                        "key in camel case",
                        "max-overtakes: 64",
                        "maxOvertakes: 64",
                        "60: unknown key `maxOvertakes`; did you mean `max-overtakes`?"),
                broken(
                        "unknown key like no other",
                        "listen: 127.0.0.1:8080",
                        "colour: blue",
                        "1: unknown key `colour`; known here: listen, admin, database, platforms, models, groups,"
                                + " workers, dispatch, queueing, http, files, batches, webhooks"),
                broken(
                        "duplicate key",
                        "  drain: 30s",
                        "  drain: 30s\n  drain: 40s",
                        "70: duplicate key `drain`, first in line 69"),
                broken(
                        "merge key",
                        "{platform: play, model: sim-small}",
                        "{<<: {platform: play}, model: sim-small}",
                        "46: `platform` is missing in `models[1].served-by[0]`",
                        "46: merge keys (`<<`) are not supported; use an alias for a whole section"),
                broken("list as key", "queueing:", "? [a]\n: b\nqueueing:", "58: a key must be a single word"),
                broken(
                        "key without value",
                        "ordering: work-conserving",
                        "ordering:",
                        "59: `ordering` has no value; leave the key out for its default"),
                broken(
                        "required key absent",
                        "node: node-b, base-url: \"http://10.0.0.6:8000/v1\", capacity: 8}",
                        "}",
                        "19: `base-url` is missing in `platforms[0].providers[1]`",
                        "19: `capacity` is missing in `platforms[0].providers[1]`"),
                broken(
                        "section missing",
                        "groups:",
                        "grups:",
                        "1: `groups` is missing",
                        "47: unknown key `grups`; did you mean `groups`?"),
                broken(
                        "list where a value belongs",
                        "mode: memory",
                        "mode: [memory]",
                        "6: `mode` must be a single value, but is a list"),
                broken(
                        "value where a list belongs",
                        "models: [chat-large]",
                        "models: chat-large",
                        "52: `models` must be a list, but is a single value"),
                broken(
                        "value where a section belongs",
                        "queueing:\n  ordering: work-conserving\n  max-overtakes: 64\n"
                                + "  async-max-wait: 24h\n  first-byte-grace: 10s\n",
                        "queueing: strict\n",
                        "58: `queueing` must be a mapping of keys and values, but is a single value"),
                broken("empty list", "models: [chat-large]", "models: []", "52: `models` is an empty list"),
                broken(
                        "tag of another tool",
                        "name: ci",
                        "name: !vault ci",
                        "54: tags such as `!name` are not supported"));
    }

    static Stream<Edit> values() {
        return Stream.of(
                broken("no number", "limit: 10,", "limit: ten,", "49: `limit` must be a whole number, but is `ten`"),
                broken("fraction", "limit: 10,", "limit: 1.5,", "49: `limit` must be a whole number, but is `1.5`"),
                broken("octal", "limit: 10,", "limit: 010,", "49: `limit` must be a whole number, but is `010`"),
                broken(
                        "more digits than a long",
                        "limit: 10,",
                        "limit: 99999999999999999999,",
                        "49: `limit` must be a whole number, but is `99999999999999999999`"),
                broken(
                        "capacity 0",
                        "type: simulated\n        capacity: 4",
                        "type: simulated\n        capacity: 0",
                        "24: `capacity` must be between 1 and 1000000, but is `0`"),
                broken(
                        "negative queue",
                        "queue: 50",
                        "queue: -1",
                        "49: `queue` must be between 0 and 10000000, but is `-1`"),
                broken(
                        "duration without unit",
                        "max-wait: 30s",
                        "max-wait: 30",
                        "49: `max-wait` needs a unit, as in `60s`: ms, s, m or h; it is `30`"),
                broken(
                        "duration with wrong unit",
                        "max-wait: 30s",
                        "max-wait: 30sec",
                        "49: `max-wait` has an unknown unit in `30sec`; use ms, s, m or h"),
                broken(
                        "size as duration",
                        "max-wait: 30s",
                        "max-wait: 16MiB",
                        "49: `max-wait` has an unknown unit in `16MiB`; use ms, s, m or h"),
                broken(
                        "no duration",
                        "max-wait: 30s",
                        "max-wait: soon",
                        "49: `max-wait` must be a duration such as `60s`, but is `soon`"),
                broken(
                        "duration out of range",
                        "lease-ttl: 2m",
                        "lease-ttl: 2s",
                        "41: `lease-ttl` must be between 3s and 1h, but is `2s`"),
                broken(
                        "lease longer than an hour",
                        "lease-ttl: 2m",
                        "lease-ttl: 61m",
                        "41: `lease-ttl` must be between 3s and 1h, but is `61m`"),
                broken(
                        "decimal unit",
                        "max-body: 16MiB",
                        "max-body: 16MB",
                        "64: `max-body` has an unknown unit in `16MB`; use KiB, MiB or GiB"),
                broken(
                        "size without unit",
                        "max-body: 16MiB",
                        "max-body: 16777216",
                        "64: `max-body` needs a unit, as in `16MiB`: KiB, MiB or GiB; it is `16777216`"),
                broken(
                        "body larger than the buffer",
                        "max-buffered: 512MiB",
                        "max-buffered: 8MiB",
                        "65: `max-buffered` is less than `max-body`, which is 16MiB"),
                broken(
                        "too many decimals",
                        "amount: 1.5",
                        "amount: 1.0005",
                        "36: `amount` has more than three decimals in `1.0005`"),
                broken(
                        "amount 0",
                        "amount: 1.5",
                        "amount: 0",
                        "36: `amount` must be between 0.001 and 1000000, but is `0`"),
                broken(
                        "amount above the limit",
                        "amount: 1.5",
                        "amount: 17",
                        "41: `concurrency` has a `limit` below the model's `amount`: no request could ever run"),
                broken(
                        "failure rate above 1",
                        "failure-rate: 0",
                        "failure-rate: 5",
                        "29: `failure-rate` must be between 0 and 1, but is `5`"),
                broken("exponent", "jitter: 0.1", "jitter: 1e-1", "28: `jitter` must be a number, but is `1e-1`"),
                broken(
                        "yes for true",
                        "enabled: true",
                        "enabled: yes",
                        "18: `enabled` must be true or false, but is `yes`"),
                broken(
                        "misspelt choice",
                        "ordering: work-conserving",
                        "ordering: work_conserving",
                        "59: `ordering` must be work-conserving or strict, but is `work_conserving`;"
                                + " did you mean `work-conserving`?"),
                broken(
                        "better than best",
                        "best-priority: 50",
                        "best-priority: 150",
                        "51: `best-priority` must not be greater than the priority 100 (a lower number runs sooner),"
                                + " but is `150`"));
    }

    static Stream<Edit> places() {
        return Stream.of(
                broken(
                        "listen without port",
                        "listen: 127.0.0.1:8080",
                        "listen: 127.0.0.1",
                        "1: `listen` must be host:port or [ipv6]:port with a port from 0 to 65535, but is `127.0.0.1`"),
                broken(
                        "port too large",
                        "listen: 127.0.0.1:8080",
                        "listen: 127.0.0.1:70000",
                        "1: `listen` must be host:port or [ipv6]:port with a port from 0 to 65535, but is `127.0.0.1:70000`"),
                broken(
                        "IPv6 without brackets",
                        "listen: 127.0.0.1:8080",
                        "listen: \"::1:8080\"",
                        "1: `listen` must be host:port or [ipv6]:port with a port from 0 to 65535, but is `::1:8080`"),
                broken(
                        "both planes at one address",
                        "listen: 127.0.0.1:9090",
                        "listen: 127.0.0.1:8080",
                        "2: `admin` must not listen at the same address as the data plane"),
                broken(
                        "base-url without scheme",
                        "base-url: http://10.0.0.5:8000/v1",
                        "base-url: 10.0.0.5:8000/v1",
                        "13: `base-url` must be a URL such as `https://host:8000/v1`"),
                broken(
                        "base-url with a password",
                        "base-url: http://10.0.0.5:8000/v1",
                        "base-url: http://u:hush@10.0.0.5/v1",
                        "13: `base-url` must not hold a user, `?` or `#`; a key belongs into `api-key`"),
                broken(
                        "base-url with a query",
                        "base-url: http://10.0.0.5:8000/v1",
                        "base-url: http://10.0.0.5/v1?key=hush",
                        "13: `base-url` must not hold a user, `?` or `#`; a key belongs into `api-key`"),
                broken(
                        "simulated keys at a real provider",
                        "        api-key: ${ENV:KEY:-none}",
                        "        simulated: {seed: 1}",
                        "14: `simulated` belongs to type simulated"),
                broken(
                        "base-url at a simulated provider",
                        "type: simulated\n",
                        "type: simulated\n        base-url: http://a\n",
                        "24: `base-url` belongs to the types openai and anthropic"),
                broken(
                        "a type that there is not, which says nothing about the keys beside it",
                        "type: simulated\n",
                        "type: simulatd\n",
                        "23: `type` must be openai or anthropic or simulated, but is `simulatd`;"
                                + " did you mean `simulated`?"),
                broken(
                        "database keys of another mode",
                        "mode: memory",
                        "mode: memory\n  dir: ./data\n  url: jdbc:postgresql://db/x",
                        "7: `dir` belongs to mode embedded",
                        "8: `url` belongs to mode external"),
                broken(
                        "lease of a group",
                        "max-wait: 30s",
                        "max-wait: 30s, lease-ttl: 1m",
                        "49: `lease-ttl` belongs to `served-by`: all leases of a request live as long as that one"),
                broken(
                        "max-wait without queue",
                        "limit: 10, queue: 50",
                        "limit: 10",
                        "49: `max-wait` has no effect without `queue`"),
                broken(
                        "spill from the last entry",
                        "concurrency: {limit: 64}}",
                        "concurrency: {limit: 64}, spill-after: 1s}",
                        "43: `spill-after` has no effect: no entry follows that could be spilled to"));
    }

    static Stream<Edit> references() {
        return Stream.of(
                broken(
                        "dangling platform",
                        "{platform: play, model: sim-small}",
                        "{platform: plya, model: sim-small}",
                        "46: `platform` names the platform `plya`, which does not exist; did you mean `play`?"),
                broken(
                        "dangling model",
                        "models: [chat-large]",
                        "models: [chat-large, chatty]",
                        "52: `models` names the model `chatty`, which does not exist"),
                broken(
                        "provider given twice, on two platforms",
                        "id: sim\n",
                        "id: gpu-b\n",
                        "22: provider `gpu-b` is given twice, first in line 19"),
                broken(
                        "platform given twice",
                        "- id: play",
                        "- id: on-prem",
                        "20: platform `on-prem` is given twice, first in line 8",
                        "43: `platform` names the platform `play`, which does not exist",
                        "46: `platform` names the platform `play`, which does not exist"),
                broken(
                        "model given twice",
                        "- id: chat-small",
                        "- id: chat-large",
                        "44: model `chat-large` is given twice, first in line 34"),
                broken(
                        "group given twice",
                        "- id: guests",
                        "- id: research",
                        "56: group `research` is given twice, first in line 48"),
                broken(
                        "slash in a platform's id",
                        "- id: on-prem",
                        "- id: on/prem",
                        "8: `id` must be letters, digits, `.`, `_` or `-`, beginning with a letter or digit, but is `on/prem`",
                        "39: `platform` names the platform `on-prem`, which does not exist; did you mean `on/prem`?"),
                broken(
                        "one platform model twice in a model",
                        "model: sim-large, concurrency",
                        "model: sim-small}\n" + "      - {platform: play, model: sim-small, concurrency",
                        "44: `model` `play/sim-small` serves this model twice"),
                broken(
                        "shared platform model with two limits",
                        "{platform: play, model: sim-small}",
                        "{platform: play, model: sim-large, concurrency: {limit: 32}}",
                        "46: `concurrency` of `play/sim-large` differs from line 43; state it once, or the same"),
                broken(
                        "hash in upper case",
                        Example.HASH,
                        Example.HASH.toUpperCase(java.util.Locale.ROOT),
                        "55: `sha256` must be 64 lower-case hex digits, as `./sluice key` prints them"),
                broken(
                        "key instead of its hash",
                        Example.HASH,
                        "sk-" + "a".repeat(40),
                        "55: `sha256` holds the key itself; replace it, and write the hash that `./sluice key` prints"),
                broken(
                        "one key for two groups",
                        "- id: guests",
                        "- id: guests\n    keys: [{name: x, sha256: \"" + Example.HASH + "\"}]",
                        "57: `sha256` is that of the key in line 55; each key is its own"),
                broken(
                        "key name twice",
                        "keys:\n",
                        "keys:\n      - {name: ci, sha256: \"" + "f".repeat(64) + "\"}\n",
                        "55: `name` `ci` is given to two keys of the group"));
    }

    static Stream<Edit> environment() {
        return Stream.of(
                broken(
                        "missing variable",
                        "${ENV:TOKEN}",
                        "${ENV:TOKN}",
                        "4: `token` needs the environment variable TOKN, which is not set;"
                                + " set it or write ${ENV:TOKN:-default}"),
                broken(
                        "reference of another notation",
                        "${ENV:TOKEN}",
                        "${TOKEN}",
                        "4: `token` has `${` that is no reference; write ${ENV:NAME} or ${ENV:NAME:-default},"
                                + " or $${ for the characters"),
                broken(
                        "reference left open",
                        "${ENV:TOKEN}",
                        "\"${ENV:TOKEN\"",
                        "4: `token` has `${` that is no reference; write ${ENV:NAME} or ${ENV:NAME:-default},"
                                + " or $${ for the characters"),
                broken(
                        "reference without quotes in braces",
                        "limit: 10,",
                        "limit: ${ENV:LIMIT:-10},",
                        "49: not valid YAML: expected ',' or '}', but got {; put quotes around \"${ENV:…}\" between { }"),
                broken(
                        "secret that breaks a header",
                        "api-key: ${ENV:KEY:-none}",
                        "api-key: \"a\\nb\"",
                        "14: `api-key` must be visible ASCII characters without blanks"));
    }

    static Stream<Edit> pending() {
        return Stream.of(
                broken(
                        "rate",
                        "    priority: 100",
                        "    rate: {requests-per-minute: 60}\n    priority: 100",
                        "50: `rate` is not enforced yet"),
                broken(
                        "weight",
                        "    priority: 100",
                        "    weight: 2\n    priority: 100",
                        "50: `weight` is not enforced yet"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"keys", "values", "places", "references", "environment", "pending"})
    void saysWhereAndWhy(Edit edit) {
        assertThat(Example.faults(Example.read(edit.yaml()))).isEqualTo(edit.faults());
    }
}
