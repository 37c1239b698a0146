//! Inputs that raise doubts: for each sentence of a note the smallest file that calls for it.

use super::workbook::{texts_row, xlsx};
use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use twicelog::domain::Memory;
use twicelog::domain::report::Note;
use twicelog::engine::{NoProgress, Options, Progress};
use twicelog::scan::{Moment, NightOptions, Unsettled, configured, scan_files, scan_night};

const TIME: &str = "time = \"at\"\n";
const ORDER: &str = "fingerprint = [\"order\"]\n";
const OUTCOME: &str = "time = \"at\"\noutcome = { from = \"state\", took_effect = [\"ok\"] }\n";
const UNDOES: &str = "time = \"at\"\noutcome = { from = \"state\", reversal = [\"refund\"] }\nreverses = \"of\"\n";
const BERLIN: &str = "time = { from = \"at\", zone = \"Europe/Berlin\" }\n";
const FOOTER: &str =
    "[source.read]\nfooter = ['^Total (?P<sum>\\S+)', '^Rows (?P<count>\\d+)', '^Footer']\nsum_column = \"sum\"\n";
const TYPES: &str = "format = \"csv\"\n[source.read]\nrecord_types = { header = [\"CH\"], data = [\"SB\"], counts = [\"SC\"] }\n";
const INSIDE: &str = "[source.read]\ninside = { deep = { from = \"body\", at = \"/id\" } }\n";
const STATEMENT: &str = "1CClientBankExchange\nВерсияФормата=1.03\nКодировка=Windows\nРасчСчет=40702\nСекцияРасчСчет\nРасчСчет=40702\n\
    ВсегоСписано=30.01\nКонецРасчСчет\nСекцияДокумент=Платежное поручение\nНомер=1\nДата=02.03.2026\nСумма=30.00\n\
    ПлательщикСчет=40702\nДатаСписано=02.03.2026\nПолучательСчет=40703\nКонецДокумента\nКонецФайла\n";
const CALLS: &str = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"order","arguments":"{}"}}]}
{"role":"tool","tool_call_id":"c9","content":"?"}
"#;

const PAGE: &str = "<table><tr><th>at<th>order<th>sum</tr>\n<tr><td>2026-03-02T10:00:00Z<td>A<td rowspan=2>10.00</tr>\n\
    <tr><td>2026-03-02T10:00:00Z<td>#N/A</tr></table>\n<table><tr><th>day</tr><tr><td>18</tr></table>\n";
const ABOVE: &str = "Made on 01.03\nMade on 02.03\nat,order\n2026-03-02T10:00:00Z,A\n";

/// Two sheets alike, and one of something else.
fn workbook() -> Vec<u8> {
    let sheet = |header: [&str; 2], row: [&str; 2]| [texts_row(1, &header), texts_row(2, &row)].concat();
    let month = || sheet(["at", "order"], ["2026-03-02T10:00:00Z", "A"]);
    xlsx(&[("Jan", &month()), ("Feb", &month()), ("Rates", &sheet(["currency", "rate"], ["EUR", "1.1"]))])
}

/// Notes of all of them.
pub fn raised() -> BTreeSet<Note> {
    let rows = |count: usize, row: fn(usize) -> String| (0..count).map(row).collect::<String>();
    let kinds = rows(102, |at| format!("2026-03-02T10:00:00Z,A,s{at}\n"));
    let near = rows(5_001, |at| format!("2026-03-02T10:{:02}:00Z,A,{}\n", at % 60, 1 + at * 2));
    let crowd = rows(100_001, |at| format!("2026-03-02T10:{:02}:00Z,A\n", at % 60));
    let zeros = rows(20, |at| format!("2026-03-02T10:00:{at:02}Z,A,ok,0,\n2026-03-02T10:01:{at:02}Z,A,refund,,0\n"));
    let inputs = [
        (own("", TIME, "fingerprint = [\"order\"]\noperations = [\"refund\"]\n"), "at,order\n2026-03-02T10:00:00Z,A\n"),
        (
            own("", &format!("{TIME}record_id = \"id\"\n"), ORDER),
            "at,order,id\n2026-03-02T10:00:00Z,A,1\n2026-03-02T10:00:01Z,B,1\n",
        ),
        (own("", &format!("{TIME}effect_id = \"id\"\n"), ORDER), "at,order,id\n2026-03-02T10:00:00Z,A,8.80731E+15\n"),
        (own("", OUTCOME, ORDER), "at,order,state\n2026-03-02T10:00:00Z,A,odd\n2026-03-02T10:00:00Z,B,\n"),
        (own("", OUTCOME, ORDER), &format!("at,order,state\n{kinds}")),
        (own("", BERLIN, ORDER), "at,order\n2026-10-25T02:30:00,A\n2026-03-29T02:30:00,B\n"),
        (own("", TIME, ORDER), "at,order\n2026-03-02T10:00:00,A\n"),
        (own("", &format!("{TIME}amount = \"sum\"\n"), ORDER), "at,order,sum\n2026-03-02T10:00:00Z,A,5.00\n"),
        (own("", "time = { from = \"at\", zone = { from = \"zone\" } }\n", ORDER), "at,order,zone\n2026-03-02T10:00:00,A,IST\n"),
        (own(INSIDE, &format!("{TIME}effect_id = \"deep\"\n"), ORDER), "at,order,body\n2026-03-02T10:00:00Z,A,none\n"),
        (
            own("", &format!("{TIME}actor = \"who\"\n"), "fingerprint = [\"actor\", \"order\"]\n"),
            "at,order\n2026-03-02,A\n2026-03-03,B\n",
        ),
        (
            own(
                "",
                "time = \"at\"\namount = \"sum\"\n",
                "fingerprint = [\"order\"]\nsimilar = [{ field = \"amount\", within = \"0.001%\" }]\n",
            ),
            &format!("at,order,sum\n{near}"),
        ),
        (own("", TIME, ORDER), &format!("at,order\n{crowd}")),
        (own("", &format!("{UNDOES}effect_id = \"id\"\n"), ORDER), &format!("at,order,state,id,of\n{zeros}")),
        (
            own(FOOTER, TIME, ORDER),
            "at,order,sum\n2026-03-02T10:00:00Z,A,5.00\nTotal 6.00,,\nRows 2,,\n2026-03-02T10:00:00Z,B,5.00\n",
        ),
        (own(FOOTER, TIME, ORDER), "at,order,sum\n2026-03-02T10:00:00Z,A,five\nTotal 6.00,,\n"),
        (own(TYPES, TIME, ORDER), "CH,at,order\nSB,2026-03-02T10:00:00Z,A\nSC,2\n"),
        (own("", TIME, ORDER), PAGE),
        (own("[source.read]\npreamble = ['(?P<day>\\d\\d\\.\\d\\d)']\n", "time = \"at\"\nactor = \"day\"\n", ORDER), ABOVE),
        (own("", "time = \"at*\"\n", ORDER), "at,at night,order\n2026-03-02T10:00:00Z,x,A\n"),
        (own("", UNDOES, ORDER), "at,order,state,of\n2026-03-02T10:00:00Z,A,refund,p-7\n"),
        (of_profile("1c/exchange", "fingerprint = [\"actor\"]\n"), STATEMENT),
        (of_profile("agent/openai", "fingerprint = [\"payload\"]\n"), CALLS),
        (
            of_profile("kafka/records", "fingerprint = [\"key\", \"topic\"]\n"),
            "{\"topic\":\"a\",\"partition\":0,\"offset\":1,\"timestamp\":1762161242000,\"value\":\"x\"}\n",
        ),
    ];
    let texts = inputs.iter().flat_map(|(config, text)| notes(config, text.as_bytes()));
    texts.chain(notes(&own("", TIME, ORDER), &workbook())).chain(of_nights()).chain(of_growth()).collect()
}

/// Of a file that gets a further line as soon as the scan reads.
fn of_growth() -> Vec<Note> {
    struct Appending(PathBuf);

    impl Progress for Appending {
        fn phase(&self, _: &'static str, _: u64) {
            let mut file = OpenOptions::new().append(true).open(&self.0).unwrap();
            file.write_all(b"2026-03-02T10:00:01Z,B\n").unwrap();
        }

        fn read(&self, _: u64) {}

        fn worked(&self, _: u64) {}
    }

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in");
    std::fs::write(&path, "at,order\n2026-03-02T10:00:00Z,A\n").unwrap();
    let rules =
        twicelog::rules::load(&own("", TIME, ORDER), "twicelog.toml", folder.path()).unwrap_or_else(|errors| panic!("{errors}"));
    let files = configured(&rules, folder.path()).unwrap();
    scan_files(&rules, &files, &Options::default(), &Appending(path)).unwrap_or_else(|error| panic!("{error}")).result.notes
}

/// Notes of a night after another, with rules that changed between them.
fn of_nights() -> Vec<Note> {
    let folder = tempfile::tempdir().unwrap();
    let config = own("", TIME, ORDER);
    let mut options = NightOptions::new("first", [0; 32]);
    let mut night = |config: &str, text: &str, memory: &Memory, unsettled: &[&str]| {
        std::fs::write(folder.path().join("in"), text).unwrap();
        let rules = twicelog::rules::load(config, "twicelog.toml", folder.path()).unwrap_or_else(|errors| panic!("{errors}"));
        let files = configured(&rules, folder.path()).unwrap();
        let unsettled =
            unsettled.iter().flat_map(|name| [Moment::Now, Moment::Ahead].map(|why| Unsettled { name: (*name).to_owned(), why }));
        options.unsettled = unsettled.collect();
        scan_night(&rules, &files, memory, &options, &NoProgress).unwrap_or_else(|error| panic!("{error}"))
    };
    let first = night(&config, "at,order\n2026-03-20T10:00:00Z,A\n", &Memory::default(), &[]);
    let unlimited = config.replace("\"1h\"", "\"unlimited\"");
    let text = "at,order\n2026-03-02T10:00:00Z,B\n2026-03-20T10:00:00Z,C";
    let mut notes = night(&unlimited, text, &first.memory, &["in"]).scanned.result.notes;
    let pair = "at,order\n2026-03-20T10:01:00Z,A\n2026-03-20T10:02:00Z,A\n";
    let first = night(&config, pair, &Memory::default(), &[]);
    // Earlier than both, and later read.
    notes.extend(night(&config, &format!("{pair}2026-03-20T10:00:00Z,A\n"), &first.memory, &[]).scanned.result.notes);
    notes
}

/// A source with a mapping of its own; `read` stands before the mapping, `rule` are the keys that the rule has besides its window.
fn own(read: &str, map: &str, rule: &str) -> String {
    let source = format!("{read}[source.map]\noperation = {{ const = \"pay\" }}\n{map}[source.map.fields]\norder = \"order\"\n");
    one_source(&source, rule)
}

fn of_profile(profile: &str, rule: &str) -> String {
    one_source(&format!("profile = \"{profile}\"\n"), rule)
}

fn one_source(source: &str, rule: &str) -> String {
    format!(
        "version = 1\n[[source]]\nname = \"shop\"\nfiles = [\"in\"]\n{source}[[rule]]\nid = \"twice\"\nwindow = \"1h\"\n{rule}"
    )
}

fn notes(config: &str, bytes: &[u8]) -> Vec<Note> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("in"), bytes).unwrap();
    let rules =
        twicelog::rules::load(config, "twicelog.toml", folder.path()).unwrap_or_else(|errors| panic!("{errors}\n{config}"));
    let files = configured(&rules, folder.path()).unwrap_or_else(|error| panic!("{error}\n{config}"));
    let scanned =
        scan_files(&rules, &files, &Options::default(), &NoProgress).unwrap_or_else(|error| panic!("{error}\n{config}"));
    scanned.result.notes
}
