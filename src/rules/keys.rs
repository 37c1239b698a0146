//! Every key of `twicelog.toml`, table by table.

use super::shape::Need::{Optional, Required};
use super::shape::Shape::{Boolean, Either, Integer, List, Map, Number, Table, Text, Word};
use super::shape::{Key, Need, Shape};

const fn key(name: &'static str, need: Need, shape: Shape, meaning: &'static str, example: &'static str) -> Key {
    Key { name, need, shape, meaning, example }
}

const TEXTS: Shape = List(&Text);
const COLUMN: Shape = Either(&[Text, TEXTS]);

pub(super) const ROOT: &[Key] = &[
    key("version", Required, Integer(1, 1), "version of the configuration format", "version = 1"),
    key("zone", Optional, Text, "time zone of times without one; default UTC", "zone = \"Europe/Moscow\""),
    key("operations", Optional, Table(OPERATIONS), "what a repeat of an operation does; default create", "[operations]"),
    key("source", Required, List(&Table(SOURCE)), "a kind of export or log", "[[source]]"),
    key("proof", Optional, List(&Table(PROOF)), "records of one source that prove the effects of another", "[[proof]]"),
    key("rule", Optional, List(&Table(RULE)), "what counts as the same operation", "[[rule]]"),
    key("hooks", Optional, Table(HOOKS), "commands that are told how a scan ended", "[hooks]"),
];

const HOOKS: &[Key] = &[
    key("before", Optional, TEXTS, "before anything is read; where it fails nothing is", "before = [\"/usr/local/bin/fetch-exports\"]"),
    key("findings", Optional, TEXTS, "when there are findings: a program and its arguments", "findings = [\"/usr/local/bin/tell-chat\", \"ops\"]"),
    key("failure", Optional, TEXTS, "when the scan failed or is incomplete", "failure = [\"/usr/local/bin/tell-chat\", \"ops\"]"),
    key("finally", Optional, TEXTS, "after every scan", "finally = [\"/usr/local/bin/heartbeat\"]"),
    key("timeout", Optional, Text, "how long each may take; default 1m", "timeout = \"1m\""),
];

/// Every key of a profile's file.
pub(super) const PROFILE: &[Key] = &[
    key("version", Required, Integer(1, 1), "version of the configuration format", "version = 1"),
    key("title", Required, Text, "what the export is called", "title = \"Bank: card operations\""),
    key("unverified", Optional, TEXTS, "what no file or document has confirmed", "unverified = [\"the zone of Created\"]"),
    key("notes", Optional, TEXTS, "what its users should know", "notes = [\"fee rows are not operations\"]"),
    key("detect", Required, Table(DETECT), "how a file of this kind is recognised: all of these must hold", "[detect]"),
    key("operations", Optional, Table(OPERATIONS), "what a repeat of an operation does; default create", "[operations]"),
    key("source", Required, Table(PROFILE_SOURCE), "how its records become events", "[source]"),
    key("rule", Required, List(&Table(RULE)), "what counts as the same operation", "[[rule]]"),
    key("example", Required, List(&Table(EXAMPLE)), "records of this kind, and what they must become", "[[example]]"),
];

const DETECT: &[Key] = &[
    key("columns", Optional, PARTS, "columns that the header has; a list within the list: one of them; * is a wildcard", "columns = [\"id\", [\"Created (UTC)\", \"Created date (UTC)\"]]"),
    key("without", Optional, TEXTS, "columns or JSON pointers that are not there", "without = [\"Status\"]"),
    key("members", Optional, Map(&Text), "JSON pointers that a record has, and what they hold; * and ? are wildcards", "members = { \"/object\" = \"event\" }"),
    key("line", Optional, Text, "an expression that most of the lines match", "line = '^\\[\\d{4}-'"),
    key("opening", Optional, Text, "an expression that one of the first lines matches", "opening = '^1CClientBankExchange'"),
    key("format", Optional, Text, "the format that the content must have", "format = \"1c\""),
];

const PROFILE_SOURCE: &[Key] = &[
    key("format", Optional, Text, "as in twicelog.toml", "format = \"csv\""),
    key("read", Optional, Table(READ), "how its bytes are read", "[source.read]"),
    key("map", Required, Table(MAP), "which column holds which field", "[source.map]"),
];

const EXAMPLE: &[Key] = &[
    key("about", Required, Text, "what the records show", "about = \"a second click\""),
    key("text", Required, Text, "a file of this kind", "text = \"id,Amount\\n…\""),
    key("encoding", Optional, Text, "WHATWG label of the encoding that the file is written in; default utf-8", "encoding = \"windows-1251\""),
    key("events", Optional, List(&Map(&EITHER_VALUE)), "all events, with the fields that matter", "events = [{ operation = \"charge\", effect_id = \"ch_1\" }]"),
    key("findings", Required, List(&Table(EXPECTED)), "all findings that are reported", "findings = [{ verdict = \"duplicate_effect\", records = [1, 2] }]"),
];

const EITHER_VALUE: Shape = Either(&[Text, Integer(0, i64::MAX)]);

const EXPECTED: &[Key] = &[
    key("verdict", Required, Text, "the verdict", "verdict = \"duplicate_effect\""),
    key("records", Required, List(&Integer(1, i64::MAX)), "numbers of the finding's records", "records = [1, 2]"),
];

const OPERATIONS: &[Key] = &[
    key("create", Optional, TEXTS, "each repeat makes another thing", "create = [\"create_*\"]"),
    key("increment", Optional, TEXTS, "each repeat adds again", "increment = [\"add_*\"]"),
    key("send", Optional, TEXTS, "each repeat is sent again", "send = [\"send_*\"]"),
    key("set", Optional, TEXTS, "idempotent: sets a value", "set = [\"set_status\"]"),
    key("delete", Optional, TEXTS, "idempotent: what is gone stays gone", "delete = [\"delete_*\"]"),
    key("read", Optional, TEXTS, "no effect", "read = [\"get_*\"]"),
    key("reversal", Optional, TEXTS, "undoes an effect", "reversal = [\"refund\"]"),
];

const SOURCE: &[Key] = &[
    key("name", Required, Text, "what rules, proofs and reports call it", "name = \"shop\""),
    key("files", Optional, TEXTS, "globs, relative to this file; - is standard input", "files = [\"exports/shop-*.csv\"]"),
    key("profile", Optional, Text, "a ready description that these tables override", "profile = \"NAME\""),
    key("format", Optional, Text, "csv ndjson json envelopes logfmt text xlsx html 1c otlp transcript parquet ipc; default: told from the content", "format = \"csv\""),
    key("read", Optional, Table(READ), "how its bytes are read", "[source.read]"),
    key("map", Optional, Table(MAP), "which column holds which field", "[source.map]"),
];

const READ: &[Key] = &[
    key("delimiter", Optional, Text, "csv: the character between columns", "delimiter = \";\""),
    key("encoding", Optional, Text, "WHATWG label of the encoding", "encoding = \"windows-1251\""),
    key("decimal", Optional, Word(&[".", ","]), "the decimal sign", "decimal = \",\""),
    key("thousands", Optional, Text, "the sign between groups of digits", "thousands = \" \""),
    key("skip_lines", Optional, Integer(0, 1_000_000), "lines before the header", "skip_lines = 2"),
    key("sheet", Optional, Text, "xlsx: the sheet", "sheet = \"Orders\""),
    key("records", Optional, Text, "json: pointer to the array of records", "records = \"/data\""),
    key("pattern", Optional, Text, "text: a regular expression whose named groups become columns", "pattern = '^(?P<time>\\S+) …'"),
    key("wrapper", Optional, Word(&["docker", "cri", "syslog", "none"]), "logs: what stands before each message; its columns are @time, @host, @app, @pid, @msgid, @stream and @sd.KEY", "wrapper = \"syslog\""),
    key("record_types", Optional, Table(RECORD_TYPES), "csv: rows say in their first cell what they are", "record_types = { header = [\"CH\"], data = [\"SB\"] }"),
    key("continues", Optional, Table(CONTINUES), "csv, xlsx, html: a record is a row and those that continue it", "continues = { key = [\"Name\"], filled = [\"Total\"], items = [\"Lineitem *\"] }"),
    key("preamble", Optional, TEXTS, "tables in text: regular expressions over the lines above the header; their named groups become columns of every record", "preamble = ['^Date of payments: (?P<day>\\S+)']"),
    key("footer", Optional, TEXTS, "tables: regular expressions; the first row that one matches, and all below it, are no records", "footer = ['^Total rows: (?P<count>\\d+)']"),
    key("sum_column", Optional, Text, "the column whose sum the footer's group \"sum\" tells", "sum_column = \"Amount\""),
    key("default_year", Optional, Integer(1678, 2261), "year of times without one", "default_year = 2026"),
    key("null", Optional, TEXTS, "values that stand for nothing", "null = [\"--\", \"N/A\"]"),
    key("date_order", Optional, Word(&["day_first", "month_first"]), "which number of 03/04/2025 is the day; default: decided over the whole column", "date_order = \"day_first\""),
    key("inside", Optional, Map(&Table(INSIDE)), "further columns: a value inside the JSON text of a column", "inside = { order = { from = \"arguments\", at = \"/order_id\" } }"),
    key("extract", Optional, Map(&Text), "further columns: named groups of an expression over a column", "extract = { note = '(?P<effect>re_\\w+)' }"),
    key("join", Optional, Map(&TEXTS), "further columns: several columns with / between them", "join = { document = [\"Company\", \"Number\"] }"),
];

const INSIDE: &[Key] = &[
    key("from", Required, Text, "the column that holds JSON text", "from = \"arguments\""),
    key("at", Required, Text, "JSON pointer to the value", "at = \"/order_id\""),
];

const RECORD_TYPES: &[Key] = &[
    key("header", Optional, TEXTS, "rows that name the columns; default: columns are called 1, 2, 3", "header = [\"CH\"]"),
    key("data", Required, TEXTS, "rows that are records", "data = [\"SB\"]"),
    key("counts", Optional, TEXTS, "rows whose second cell counts the data before them", "counts = [\"SC\"]"),
];

const CONTINUES: &[Key] = &[
    key("key", Optional, TEXTS, "columns that are the same, or blank, in all rows of a record", "key = [\"Name\"]"),
    key("filled", Required, TEXTS, "columns that only the first row of a record fills", "filled = [\"Total\"]"),
    key("items", Optional, TEXTS, "globs: columns whose values of all rows are kept, a line each", "items = [\"Lineitem *\"]"),
];

const FROM: Key = key("from", Optional, COLUMN, "column, JSON pointer, or a list: the first that is present", "from = \"Column\"");
const CONST: Key = key("const", Optional, Text, "the same value for every record", "const = \"value\"");

const NAMES: Key = key("names", Optional, Map(&Text), "what values of the column are called here; * and ? are wildcards", "names = { \"643\" = \"RUB\" }");
const DEFAULT: Key = key("default", Optional, Text, "the value of records that have none", "default = \"RUB\"");

const PICK: Shape = Either(&[Text, TEXTS, Table(&[FROM, CONST, NAMES, DEFAULT])]);

const MAP: &[Key] = &[
    key("time", Optional, TIME, "when", "time = { from = \"Paid at\", format = \"iso\" }"),
    key("operation", Optional, PICK, "what was asked for", "operation = { const = \"create_order\" }"),
    key("actor", Optional, PICK, "who asked, or for whom", "actor = \"Email\""),
    key("amount", Optional, AMOUNT, "how much", "amount = { from = \"Total\", unit = \"major\" }"),
    key("currency", Optional, PICK, "currency of the amount", "currency = \"Currency\""),
    key("outcome", Optional, Either(&[Table(OUTCOME), List(&Table(OUTCOME))]), "how it ended, or a list of such tables: the first whose lists know the value decides; default: every record took effect", "outcome = { from = \"Status\", took_effect = [\"paid\"] }"),
    key("effect_id", Optional, EFFECT_ID, "id of the lasting result", "effect_id = \"Id\""),
    key("request_key", Optional, PICK, "what a retry is expected to repeat", "request_key = \"Idempotency Key\""),
    key("payload", Optional, PICK, "what was asked, in full", "payload = \"/body\""),
    key("record_id", Optional, PICK, "id of the record itself", "record_id = \"event_id\""),
    key("reverses", Optional, PICK, "the effect id that this record undoes", "reverses = \"Refund of\""),
    key("fields", Optional, Map(&PICK), "further named fields", "fields = { order = \"Order number\" }"),
];

const PARTS: Shape = Either(&[Text, List(&COLUMN)]);

const TIME: Shape = Either(&[
    Text,
    List(&COLUMN),
    Table(&[
        key("from", Required, PARTS, "column, or a date and a time column, joined by a blank; a list within the list: the first that is present", "from = \"Paid at\""),
        key("format", Optional, COLUMN, "chrono format, or auto iso epoch epoch_s epoch_ms epoch_us epoch_ns sequence, or a list tried in order; default: told by each value", "format = \"iso\""),
        key("zone", Optional, Either(&[Text, Table(&[FROM])]), "time zone of times without one, or the column that names it", "zone = \"Europe/Moscow\""),
    ]),
]);

const AMOUNT: Shape = Either(&[
    Text,
    TEXTS,
    Table(&[FROM, CONST, key("unit", Optional, Word(&["major", "minor", "hundredths"]), "minor: the smallest unit by ISO 4217; hundredths: two decimals left out, whatever the currency; default major", "unit = \"minor\"")]),
]);

const OUTCOME: &[Key] = &[
    FROM,
    CONST,
    key("took_effect", Optional, TEXTS, "values of success; * and ? are wildcards, \"\" is an absent value", "took_effect = [\"paid\"]"),
    key("failed", Optional, TEXTS, "values of failure without effect", "failed = [\"failed\"]"),
    key("unknown", Optional, TEXTS, "values that leave it open", "unknown = [\"timeout\"]"),
    key("started", Optional, TEXTS, "values of a beginning", "started = [\"start\"]"),
    key("replayed", Optional, TEXTS, "values of a recognised repeat", "replayed = [\"duplicate_ignored\"]"),
    key("reversed", Optional, TEXTS, "values of success undone later", "reversed = [\"cancelled\"]"),
    key("reversal", Optional, TEXTS, "values of records that undo", "reversal = [\"credit\"]"),
    key("ignore", Optional, TEXTS, "values of records that only accompany", "ignore = [\"draft\"]"),
];

const EFFECT_ID: Shape = Either(&[
    Text,
    TEXTS,
    Table(&[FROM, key("each_row", Optional, Boolean, "every success is an effect of its own", "each_row = true")]),
]);

const PROOF: &[Key] = &[
    key("source", Required, Text, "the source that proves", "source = \"provider\""),
    key("of", Required, Text, "the source whose attempts are proven", "of = \"shop\""),
    key("match", Required, TEXTS, "fields of these names in both sources", "match = [\"order\"]"),
];

const RULE: &[Key] = &[
    key("id", Required, Text, "what reports call it", "id = \"double-order\""),
    key("sources", Optional, TEXTS, "default all", "sources = [\"shop\"]"),
    key("operations", Optional, TEXTS, "globs; default all that are not read, set, delete or reversal", "operations = [\"create_order\"]"),
    key("fingerprint", Required, TEXTS, "fields that must be equal", "fingerprint = [\"actor\", \"amount\"]"),
    key("window", Required, WINDOW, "how far apart attempts may be", "window = \"10m\""),
    key("by_key", Optional, Boolean, "also group records that share a request key; default false", "by_key = true"),
    key("key_lifetime", Optional, Text, "how long a request key stands for one request; default 24h", "key_lifetime = \"24h\""),
    key("allow", Optional, Integer(1, 1_000_000_000), "effects that are fine; default 1", "allow = 1"),
    key("conflict_on", Optional, TEXTS, "records of one key that differ here are a conflict", "conflict_on = [\"operation\", \"payload\"]"),
    key("where", Optional, Text, "an SQL expression that records must satisfy", "where = \"amount > 0\""),
    key("similar", Optional, List(&Table(SIMILAR)), "fields that must be near", "similar = [{ field = \"amount\", within = \"0.5%\" }]"),
    key("explained_by", Optional, TEXTS, "fields that show different operations where they differ between all effects; default: named fields called like a business id or period", "explained_by = [\"order\"]"),
    key("severity", Optional, Word(&["info", "low", "medium", "high", "critical"]), "default medium", "severity = \"high\""),
    key("normalise", Optional, Map(&TEXTS), "steps that make a field's values comparable", "normalise = { invoice = [\"upper\", \"alnum\"] }"),
];

const WINDOW: Shape = Either(&[
    Text,
    Table(&[
        key("gap", Optional, Text, "each at most this after the one before", "gap = \"5m\""),
        key("span", Optional, Text, "all within this of the first", "span = \"1h\""),
        key("days", Optional, Integer(0, 36_600), "local dates at most this many days apart", "days = 3"),
    ]),
]);

const SIMILAR: &[Key] = &[
    key("field", Required, Text, "the field", "field = \"invoice\""),
    key("method", Optional, Word(&["damerau_levenshtein", "levenshtein", "jaro_winkler"]), "how texts are compared", "method = \"damerau_levenshtein\""),
    key("at_least", Optional, Number(0.0, 1.0), "likeness, 0 to 1", "at_least = 0.9"),
    key("within", Optional, Text, "a distance (0.05), a share (0.5%) or days (3d)", "within = \"0.5%\""),
];
