//! Configuration from outside: all cases load, the schema accepts them, and a broken file reports every mistake with its place.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test stops at the first surprise, its helpers too")]

use std::fs;
use std::path::{Path, PathBuf};
use twicelog::rules::{ConfigErrors, MOST_OF_A_KIND, Rules, describe, load, schema};

fn load_text(text: &str) -> Result<Rules, ConfigErrors> {
    load(text, "twicelog.toml", Path::new("/home/anna"))
}

fn case_configs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path().join("twicelog.toml"));
    let mut configs: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    configs.sort();
    configs
}

#[test]
fn all_cases_load_and_describe_themselves() {
    let configs = case_configs();
    assert!(configs.len() >= 30);
    for path in configs {
        let text = fs::read_to_string(&path).unwrap();
        if text.contains("\nwhere = ") && cfg!(not(feature = "columnar")) {
            continue;
        }
        let rules = load_text(&text).unwrap_or_else(|errors| panic!("{}: {errors}", path.display()));
        let description = describe(&rules);
        for rule in &rules.rules {
            assert_eq!(rule.version.len(), 32);
            assert!(description.contains(&format!("rule {} ", rule.id)));
        }
    }
}

#[test]
fn the_schema_accepts_all_cases_and_refuses_unknown_keys() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    for path in case_configs() {
        let text = fs::read_to_string(&path).unwrap();
        let config: serde_json::Value = toml::from_str(&text).unwrap();
        let errors: Vec<String> = validator.iter_errors(&config).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", path.display());
    }
    let unknown: serde_json::Value = toml::from_str(&SHOP.replace("actor =", "aktor =")).unwrap();
    assert!(!validator.is_valid(&unknown));
}

const SHOP: &str = r#"version = 1

[[source]]
name = "shop"
files = ["exports/*.csv", "-"]

[source.map]
time = "Paid at"
operation = { const = "create_order" }
actor = "Email"
amount = "Total"
effect_id = "Order"

[source.map.fields]
order = "Order"
invoice_no = "Invoice"
colour = "Colour"

[[rule]]
id = "double"
fingerprint = ["actor", "amount"]
window = "10m"
"#;

const BROKEN: &str = r#"version = 2
zone = "Europe/Moskow"
colour = "red"

[[source]]
name = "shop"
format = "csvv"

[source.read]
encoding = "windows-1521"
extract = { note = 're_\w+' }

[source.map]
time = { from = "Paid at", formt = "iso" }
operation = { const = "a", from = "b" }
outcome = { from = "Status", took_effect = ["paid"], failed = ["paid", 7] }
amount = { from = "Total", unit = "minor" }

[[source]]
name = "shop"

[source.map]
time = { from = "t", format = "%d.%m %H:%M" }
operation = "op"

[[proof]]
source = "shp"
of = "shop"
match = ["order"]

[[rule]]
id = "double"
fingerprint = ["actr", "amount"]
window = { gap = "5m" }
severity = "hihg"
similar = [{ field = "amount", within = "5 euros" }]

[rule.normalise]
amount = ["uper", "round:x"]
email = ["lower"]

[[rule]]
id = "double"
sources = ["shop"]
fingerprint = []
key_lifetime = "1 day"
"#;

#[test]
fn every_mistake_is_reported_at_once_with_its_place() {
    let errors = load_text(BROKEN).unwrap_err();
    let found: Vec<String> = errors
        .problems
        .iter()
        .map(|problem| format!("{}:{}: {}; {}", problem.line, problem.column, problem.message, problem.help))
        .collect();
    let expected = [
        "1:11: \"version\" cannot be 2; write version = 1",
        "2:8: unknown zone \"Europe/Moskow\"; did you mean \"Europe/Moscow\"",
        "3:1: unknown key \"colour\"; known here: version, zone, operations, source, proof, rule, hooks",
        "7:10: unknown format \"csvv\"; did you mean \"csv\"",
        "10:12: unknown encoding \"windows-1521\"; did you mean \"windows-1251\"",
        "11:20: expression \"re_\\w+\" has no named group; name what shall become a column: (?P<time>\\S+)",
        "14:28: unknown key \"formt\"; did you mean \"format\"",
        "15:13: both \"from\" and \"const\" are given; leave one of them",
        "16:64: outcome \"paid\" stands in \"took_effect\" and in \"failed\"; leave it in one",
        "16:72: \"failed\" holds a whole number where text is wanted; write failed = [\"failed\"]",
        "17:35: amounts in minor units need a currency; map currency as well: currency = { const = \"EUR\" }",
        "20:8: second source \"shop\"; give each a name of its own",
        "23:31: time format \"%d.%m %H:%M\" tells no year; set default_year in [source.read]",
        "27:10: unknown source \"shp\"; did you mean \"shop\"",
        "33:16: no source of this rule maps a field \"actr\"; known here: time, amount, outcome, operation",
        "34:10: a window with \"gap\" and no \"span\" would chain without end; add span = \"1h\" for example",
        "35:12: \"severity\" does not know \"hihg\"; did you mean \"high\"",
        "36:22: field \"amount\" is in the fingerprint, where it must be equal; leave it in one of the two",
        "36:41: unreadable distance \"5 euros\"; write \"0.05\", \"0.5%\" or \"3d\"",
        "39:11: unknown normaliser \"uper\"; did you mean \"upper\"",
        "39:19: normaliser \"round:x\" cannot be used: it needs a number of digits from 0 to 28; write round:2 for example; correct it",
        "40:1: field \"email\" is neither in the fingerprint nor in similar nor in explained_by; known here: actr, amount",
        "42:1: \"window\" is missing; write window = \"10m\"",
        "43:6: second rule \"double\"; give each a name of its own",
        "45:15: the fingerprint is empty; name the fields that one operation's records share",
        "46:16: unreadable span of time \"1 day\"; write a whole number above 0 and ms, s, m, h, d or w: \"10m\"",
    ];
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len(), "{found:#?}");
}

#[test]
fn a_report_shows_the_line_with_carets() {
    let errors = load_text(&SHOP.replace("fingerprint", "fingerprnt")).unwrap_err();
    let text = errors.to_string();
    let expected = "twicelog.toml:21:1: unknown key \"fingerprnt\"; did you mean \"fingerprint\"\n\
                    21 | fingerprnt = [\"actor\", \"amount\"]\n   | ^^^^^^^^^^";
    assert_eq!(text, expected);
}

#[test]
fn defaults_are_filled_in() {
    let rules = load_text(SHOP).unwrap();
    let (rule, source) = (&rules.rules[0], &rules.sources[0]);
    assert_eq!((rule.allow, rule.by_key, rule.key_lifetime), (1, false, 86_400_000_000_000));
    assert_eq!(rule.severity.name(), "medium");
    assert!(!rules.zone_given && rules.zone.name() == "UTC");
    assert_eq!(source.files, [PathBuf::from("/home/anna/exports/*.csv"), PathBuf::from("-")]);
    assert_eq!(source.columns, ["Paid at", "Total", "Order", "Email", "Invoice", "Colour"]);
    let explained_by: Vec<&str> = rule.explained_by.iter().map(|part| part.field.name()).collect();
    assert_eq!(explained_by, ["invoice_no"], "order is read from the column of the effect id");
}

#[test]
fn a_description_spells_out_what_was_written_and_what_was_not() {
    let more = "by_key = true\nkey_lifetime = \"90m\"\nconflict_on = [\"amount\"]\nnormalise = { actor = [\"email\"] }\n\
                similar = [{ field = \"colour\", method = \"levenshtein\", at_least = 0.5 }]\nwindow = { gap = \"5m\", span = \"1h\" }";
    let text = SHOP.replace("window = \"10m\"", more).replace("\nactor =", "\nrequest_key = [\"Key\", \"Id\"]\nactor =");
    let description = describe(&load_text(&text).unwrap_or_else(|errors| panic!("{errors}")));
    for line in [
        "times without a zone are read in UTC (assumed; set zone)",
        "  format: told from the content",
        "  time: column \"Paid at\", format told by each value, zone UTC (assumed)",
        "  operation: always \"create_order\"",
        "  request_key: the first that is present of \"Key\", \"Id\"",
        "  amount: column \"Total\", in major units",
        "  outcome: every record took effect",
        "  operations: all that are not read, set, delete or reversal",
        "  equal actor after email",
        "  near colour: levenshtein at least 0.5",
        "  window: each at most 5 min after the one before, all within 1 h",
        "  request keys: also group records, within 1 h 30 min",
        "  effects that are fine: 1",
        "  a key conflict when these differ: amount",
        "  different operations when these differ: invoice_no",
    ] {
        assert!(description.lines().any(|known| known == line), "{line}\n{description}");
    }
}

#[test]
fn an_extracted_column_hides_an_input_column_of_its_name() {
    let text = SHOP.replace("[source.map]\n", "[source.read]\nextract = { Note = '(?P<Email>\\S+@\\S+)' }\n\n[source.map]\n");
    let rules = load_text(&text).unwrap();
    let source = &rules.sources[0];
    assert!(!source.columns.contains(&"Email".to_owned()));
    assert_eq!(source.derived[0].fills(), [source.columns.len()]);
    assert!(describe(&rules).contains("actor: column \"Email\" cut out of \"Note\""));
}

/// A column may be made of the input's column of the same name.
#[test]
fn a_derived_column_may_be_called_like_the_one_it_is_made_of() {
    let text = SHOP.replace("[source.map]", "[source.read]\nextract = { Email = '(?P<Email>[^ ]+)' }\n[source.map]");
    let rules = load_text(&text).unwrap_or_else(|errors| panic!("{errors}"));
    let source = &rules.sources[0];
    let input = source.columns.iter().position(|column| column == "Email").unwrap();
    assert_eq!(source.derived[0].uses(), [input]);
    assert_eq!(source.derived[0].fills(), [source.columns.len()]);
}

#[test]
fn signs_in_the_folders_name_are_no_wildcards() {
    let rules = load(SHOP, "twicelog.toml", Path::new("/data/[2026]")).unwrap();
    assert_eq!(rules.sources[0].files[0], PathBuf::from("/data/[[]2026[]]/exports/*.csv"));
}

#[test]
fn the_version_of_a_rule_follows_its_meaning_only() {
    let version = |text: &str| load_text(text).unwrap_or_else(|errors| panic!("{errors}")).rules[0].version.clone();
    let plain = version(SHOP);
    for same in [
        SHOP.replace("[\"actor\", \"amount\"]", "[\"amount\", \"actor\"]"),
        SHOP.replace("window = \"10m\"", "severity = \"high\"\nallow = 1\nwindow = \"600s\""),
        SHOP.replace("id = \"double\"\n", "").replace("window = \"10m\"", "window = \"10m\"\nid = \"other\""),
        SHOP.replace("exports", "other"),
    ] {
        assert_eq!(version(&same), plain, "{same}");
    }
    for other in [
        SHOP.replace("10m", "11m"),
        SHOP.replace("[\"actor\", \"amount\"]", "[\"actor\"]"),
        SHOP.replace("window =", "allow = 2\nwindow ="),
        SHOP.replace("window =", "normalise = { actor = [\"email\"] }\nwindow ="),
        SHOP.replace("window =", "explained_by = []\nwindow ="),
        SHOP.replace("window =", "normalise = { invoice_no = [\"digits\"] }\nwindow ="),
        SHOP.replace("window =", "conflict_on = [\"amount\"]\nwindow ="),
        SHOP.replace("window =", "operations = [\"create_*\"]\nwindow ="),
    ] {
        assert_ne!(version(&other), plain, "{other}");
    }
}

#[test]
fn a_value_of_the_wrong_kind_is_one_problem() {
    let one = |from: &str, to: &str| {
        let errors = load_text(&SHOP.replace(from, to)).unwrap_err();
        assert_eq!(errors.problems.len(), 1, "{errors}");
        errors.problems[0].message.clone()
    };
    assert_eq!(one("actor = \"Email\"", "actor = 5"), "\"actor\" holds a whole number where text or a list or a table is wanted");
    assert_eq!(
        one("effect_id =", "outcome = \"Status\"\neffect_id ="),
        "\"outcome\" holds text where a table or a list is wanted"
    );
    assert_eq!(one("window = \"10m\"", "window = 10"), "\"window\" holds a whole number where text or a table is wanted");
    assert_eq!(one("window =", "by_key = true\nwindow ="), "\"by_key\" needs a request key");
    assert_eq!(one("name = \"shop\"", "name = \"shop\"\nprofile = \"shopify/nothing\""), "unknown profile \"shopify/nothing\"");
    assert_eq!(one("exports/*.csv", "exports/[.csv"), "\"exports/[.csv\" is no glob: invalid range pattern");
    assert_eq!(one("order = \"Order\"", "amount = \"Order\""), "a named field cannot be called \"amount\"");
    assert_eq!(one("name = \"shop\"", "name = \"shop\"\nformat = \"text\""), "a text source has no pattern");
    assert_eq!(one("version = 1", ""), "\"version\" is missing");
    let footer = |read: &str| one("[source.map]", &format!("[source.read]\n{read}\n[source.map]"));
    assert_eq!(footer("footer = ['^Rows: (?P<rows>.*)']"), "a footer has no group \"rows\"");
    assert_eq!(footer("footer = ['^Total: (?P<sum>.*)']"), "the footer tells a sum of no column");
    assert_eq!(footer("footer = ['^Total']\nsum_column = \"Total\""), "no footer tells a sum");
    assert_eq!(footer("footer = ['x*']"), "expression \"x*\" matches an empty line");
    assert_eq!(
        one("name = \"shop\"", "name = \"shop\"\nformat = \"json\"\nread = { footer = ['^T'] }"),
        "\"footer\" does nothing with format \"json\""
    );
}

#[test]
fn a_file_that_is_no_toml_or_too_large_is_one_problem() {
    let errors = load_text("version = 1\nzone = \n").unwrap_err();
    assert_eq!(errors.problems.len(), 1);
    assert_eq!(errors.problems[0].line, 2);
    assert!(errors.problems[0].message.starts_with("this is not TOML"), "{errors}");
    assert_eq!(load_text(&"#".repeat((1 << 20) + 1)).unwrap_err().problems.len(), 1);
    assert_eq!(load_text("").unwrap_err().problems.len(), 3, "version, source and rule");
}

#[test]
fn more_rules_than_can_be_told_apart_are_refused() {
    let with_rules = |count: usize| {
        let rule = |number| format!("[[rule]]\nid = \"{number}\"\nfingerprint = [\"actor\"]\nwindow = \"1m\"\n");
        let (shop, _) = SHOP.split_once("[[rule]]").unwrap();
        load_text(&(0..count).map(rule).fold(shop.to_owned(), |text, rule| text + &rule))
    };
    assert!(with_rules(MOST_OF_A_KIND).is_ok());
    let errors = with_rules(MOST_OF_A_KIND + 1).unwrap_err();
    assert_eq!(errors.problems.len(), 1, "{errors}");
    assert_eq!(errors.problems[0].message, "8193 rules, more than 8192");
}

#[test]
#[cfg(feature = "columnar")]
fn a_filter_is_checked_against_the_fields() {
    let with = |sql: &str| load_text(&SHOP.replace("window =", &format!("where = \"{sql}\"\nwindow =")));
    let rules = with("amount > 0.5 AND colour = 'red'").unwrap();
    assert!(describe(&rules).contains("only records where amount > 0.5 AND colour = 'red'"));
    let errors = with("amount > 0 AND color = 'red'").unwrap_err();
    assert_eq!((errors.problems[0].line, errors.problems[0].column), (22, 9));
    assert_eq!(errors.problems[0].help, "did you mean \"colour\"");
    assert_ne!(rules.rules[0].version, load_text(SHOP).unwrap().rules[0].version);
}

#[test]
#[cfg(not(feature = "columnar"))]
fn a_build_without_sql_refuses_a_filter() {
    let errors = load_text(&SHOP.replace("window =", "where = \"amount > 0\"\nwindow =")).unwrap_err();
    assert_eq!(errors.problems.len(), 1);
    assert_eq!(errors.problems[0].message, "this build cannot evaluate \"where\"");
}

#[test]
fn whatever_is_damaged_is_reported_or_harmless() {
    for text in [SHOP, BROKEN] {
        let cuts = (0..text.len()).step_by(13).filter(|at| text.is_char_boundary(*at));
        for cut in cuts {
            let (before, after) = text.split_at(cut);
            let without_one = after.chars().next().map_or("", |c| &after[c.len_utf8()..]);
            for damaged in [
                before.to_owned(),
                format!("{before}{without_one}"),
                format!("{before}\u{1}{after}"),
                format!("{before}[{after}"),
            ] {
                if let Err(errors) = load_text(&damaged) {
                    assert!(!errors.problems.is_empty(), "refused without a reason:\n{damaged}");
                }
            }
        }
        for line in 0..text.lines().count() {
            let without: String =
                text.lines().enumerate().filter(|(place, _)| *place != line).map(|(_, line)| format!("{line}\n")).collect();
            if let Err(errors) = load_text(&without) {
                assert!(!errors.problems.is_empty(), "refused without a reason:\n{without}");
            }
        }
    }
}
