//! Logs as containers and daemons keep them: heads are taken off, parts are joined, what they say becomes columns.

use super::harness::{All, File, Kind, gzip, open, open_in_blocks, read, read_bytes, source};
use regex::Regex;
use twicelog::read::{Content, OpenError, glance, store};
use twicelog::rules::{Format, Source, Wrapper};

fn by_pattern(columns: &[&str], pattern: &str) -> Source {
    let mut source = source(columns);
    source.read.pattern = Some(Regex::new(pattern).unwrap());
    source
}

fn cells(text: &str, source: &Source) -> Vec<Vec<Option<String>>> {
    read_bytes(text.as_bytes(), source).cells()
}

fn row(values: &[&str]) -> Vec<Option<String>> {
    values.iter().map(|value| Some(value.to_string()).filter(|value| !value.is_empty())).collect()
}

fn kinds(all: &All) -> Vec<&Kind> {
    all.records.iter().map(|found| &found.kind).collect()
}

#[test]
fn heads_of_syslog_become_columns() {
    let asked = ["@time", "@host", "@app", "@pid", "@msgid", "@sd.order", "@sd.note", "id"];
    let pattern = r"^charge (?P<id>ch_\w+)";
    for (line, expected) in [
        ("<34>Mar  2 10:40:12 web-1 shop[17]: charge ch_1", ["Mar  2 10:40:12", "web-1", "shop", "17", "", "", "", "ch_1"]),
        ("Mar 12 10:40:12 web-1 shop: charge ch_1", ["Mar 12 10:40:12", "web-1", "shop", "", "", "", "", "ch_1"]),
        (
            "2026-03-02T10:40:12.123456+01:00 web-1 shop/api[17]: charge ch_1",
            ["2026-03-02T10:40:12.123456+01:00", "web-1", "shop/api", "17", "", "", "", "ch_1"],
        ),
        ("<0>Mar  2 10:40:12 web-1 charge ch_1", ["Mar  2 10:40:12", "web-1", "", "", "", "", "", "ch_1"]),
        (
            "<165>1 2026-03-02T10:40:12.1Z web-1 shop 17 PAY [o@1 order=\"A-7\" note=\"a \\\"b\\\" \\]\"][x@2] \u{feff}charge ch_1",
            ["2026-03-02T10:40:12.1Z", "web-1", "shop", "17", "PAY", "A-7", "a \"b\" ]", "ch_1"],
        ),
        ("<165>1 - - shop - - - charge ch_1", ["", "", "shop", "", "", "", "", "ch_1"]),
        ("<165>1 - - shop - - - charge ch_1\r", ["", "", "shop", "", "", "", "", "ch_1"]),
    ] {
        assert_eq!(cells(&format!("{line}\n"), &by_pattern(&asked, pattern)), [row(&expected)], "{line}");
    }
    let not_wrapped =
        ["<999>1 - - shop - - - charge ch_1", "<34>1 - - shop", "Mar 12 10:40 web-1 shop: charge ch_1", "charge ch_1"];
    for line in not_wrapped {
        let mut source = by_pattern(&["id"], pattern);
        source.read.wrapper = Some(Wrapper::Syslog);
        assert_eq!(kinds(&read_bytes(line.as_bytes(), &source)), [&Kind::Ignored], "{line}");
    }
}

#[test]
fn a_pattern_for_the_whole_line_is_left_alone() {
    let text = "Mar  2 10:40:12 web-1 shop[17]: charge ch_1\nMar  2 10:40:13 web-1 shop[17]: charge ch_2\n";
    let whole = by_pattern(&["time", "id"], r"^(?P<time>\w+ +\d+ \S+) .* charge (?P<id>\w+)");
    assert_eq!(cells(text, &whole), [row(&["Mar  2 10:40:12", "ch_1"]), row(&["Mar  2 10:40:13", "ch_2"])]);
    let either = by_pattern(&["id"], r"charge (?P<id>\w+)");
    let file = File::new(text.as_bytes());
    assert_eq!(open(file.path(), "in", &either).unwrap().description(), "text, UTF-8");
    let asks = by_pattern(&["@pid", "id"], r"charge (?P<id>\w+)");
    assert_eq!(open(file.path(), "in", &asks).unwrap().description(), "text, wrapped by syslog, UTF-8");
    let mut told = by_pattern(&["@pid", "id"], r"charge (?P<id>\w+)");
    told.read.wrapper = Some(Wrapper::None);
    let input = open(file.path(), "in", &told).unwrap();
    assert_eq!(input.missing_columns(), ["@pid"]);
    assert_eq!(read(input.as_ref()).cells()[0], row(&["", "ch_1"]));
}

#[test]
fn messages_of_docker_are_objects_pairs_or_text() {
    let wrap = |message: &str| {
        format!(
            "{{\"log\":{},\"stream\":\"stderr\",\"time\":\"2026-03-02T10:40:12.5Z\"}}\n",
            serde_json::to_string(message).unwrap()
        )
    };
    let time = "2026-03-02T10:40:12.5Z";
    let objects = wrap("starting\n") + &wrap("{\"id\":\"a\\nb\",\"n\":{\"m\":2.50}}\n") + &wrap("{\"id\":\n") + &wrap("\n");
    let all = read_bytes(objects.as_bytes(), &source(&["@time", "@stream", "id", "/n/m", "n"]));
    assert_eq!(all.cells(), [row(&[time, "stderr", "a\nb", "2.50", "{\"m\":2.50}"])]);
    assert_eq!(all.broken()[0].0, 3);
    assert!(all.broken()[0].1.starts_with("not a JSON object: at byte 7 it ends too early"), "{:?}", all.broken());
    assert_eq!(kinds(&all).iter().filter(|kind| ***kind == Kind::Ignored).count(), 2);

    let pairs = wrap("level=info id=1 msg=\"a \\\"b\\\"\"\n") + &wrap("level=info id=2 msg=c\n");
    let all = cells(&pairs, &source(&["id", "@time", "msg"]));
    assert_eq!(all, [row(&["1", time, "a \"b\""]), row(&["2", time, "c"])]);

    let own = wrap("{\"@timestamp\":\"t1\",\"@time\":\"t2\"}\n");
    assert_eq!(cells(&own, &source(&["@timestamp", "@time"])), [row(&["t1", time])]);

    let text = wrap("charge \"ch_1\"\n") + &wrap("Traceback:\n");
    let all = read_bytes(text.as_bytes(), &by_pattern(&["id"], "charge \"(?P<id>\\w+)\""));
    assert_eq!((all.cells(), all.records[1].kind.clone()), (vec![row(&["ch_1"])], Kind::Ignored));

    // A source that asks for what the wrapper itself holds gets the lines as they stand.
    assert_eq!(cells(&pairs, &source(&["log", "time"]))[1], row(&["level=info id=2 msg=c\n", time]));
    // Nothing tells what such messages are.
    let file = File::new(text.as_bytes());
    let mut told = source(&["id"]);
    told.read.wrapper = Some(Wrapper::Docker);
    assert!(matches!(open(file.path(), "in", &told).map(|_| ()), Err(OpenError::NoPattern { .. })));
}

/// One log in which parts of both streams are mixed.
const PARTS: &str = "\
2026-03-02T10:00:00.1Z stdout F {\"id\":1}
2026-03-02T10:00:01.1Z stdout P {\"id\":2,\"no
2026-03-02T10:00:02.1Z stderr P {\"id\":
2026-03-02T10:00:03.1Z stdout P te\":\"x
2026-03-02T10:00:04.1Z stderr F 3}
2026-03-02T10:00:05.1Z stdout F y\"}
2026-03-02T10:00:06.1Z stdout F
2026-03-02T10:00:07.1Z stderr F:x {\"id\":4}
";

#[test]
fn parts_of_messages_are_joined_by_stream() {
    let source = source(&["@time", "id", "note", "@stream"]);
    let file = File::new(PARTS.as_bytes());
    let packed = File::new(&gzip(PARTS.as_bytes()));
    for block in [260, 270, 300, 331, 400, 1 << 20] {
        for file in [&file, &packed] {
            let all = read(open_in_blocks(file.path(), "pod", &source, block).unwrap().as_ref());
            let found: Vec<(u64, [u64; 2], Vec<Option<String>>)> = all
                .records
                .iter()
                .filter(|found| found.kind == Kind::Record)
                .map(|found| (found.number, found.lines, found.cells.clone()))
                .collect();
            let time = |second: u32| format!("2026-03-02T10:00:0{second}.1Z");
            assert_eq!(
                found,
                [
                    (1, [1, 1], row(&[&time(0), "1", "", "stdout"])),
                    (2, [2, 6], row(&[&time(1), "2", "xy", "stdout"])),
                    (3, [3, 5], row(&[&time(2), "3", "", "stderr"])),
                    (5, [8, 8], row(&[&time(7), "4", "", "stderr"])),
                ],
                "{block}"
            );
            assert_eq!(all.records[3].kind, Kind::Ignored);
        }
    }
}

#[test]
fn a_message_without_its_end_is_broken_and_holds_up_nothing() {
    let source = source(&["id"]);
    let line = |number: u32| format!("2026-03-02T10:00:00.1Z stdout F {{\"id\":{number}}}\n");
    let dangling = "2026-03-02T10:00:00.1Z stderr P {\"id\":0,\"log\n";
    let text = line(1) + dangling + &(2..40_000).map(line).collect::<String>();
    let all = read_bytes(text.as_bytes(), &source);
    assert_eq!(all.broken().len(), 1);
    assert!(
        all.broken()[0].1.starts_with("a message in parts whose last part is not there \"{\\\"id\\\":0,\\\"log\""),
        "{:?}",
        all.broken()
    );
    assert_eq!(all.cells().len(), 39_999);

    // Cut off at the end, and a part that is no text.
    let all = read_bytes((line(1) + dangling).as_bytes(), &source);
    assert_eq!((all.cells().len(), all.broken().len()), (1, 1));
    let damaged = [
        line(1).as_bytes(),
        "ёжик\n".as_bytes(),
        dangling.as_bytes(),
        b"2026-03-02T10:00:00.1Z stderr P \xFF\n",
        b"2026-03-02T10:00:00.1Z stderr F x\"}\n",
    ]
    .concat();
    let all = read_bytes(&damaged, &source);
    assert_eq!((all.cells().len(), all.broken().len()), (1, 2));

    // A message of more than a block.
    let part = |tag: &str| format!("2026-03-02T10:00:00.1Z stdout {tag} {}\n", "x".repeat(200_000));
    let text = line(1) + &part("P").repeat(8) + &part("F") + &line(2) + &line(3);
    let all = read_bytes(text.as_bytes(), &source);
    assert_eq!(all.cells().last(), Some(&row(&["3"])));
    assert!(!all.broken().is_empty());
    // A line of more than a block.
    let text = line(1) + &format!("2026-03-02T10:00:00.1Z stdout F {}\n", "x".repeat(3 << 20)) + &line(2);
    let all = read_bytes(text.as_bytes(), &source);
    assert_eq!((all.cells(), all.broken().len()), (vec![row(&["1"]), row(&["2"])], 1));
}

#[test]
fn pairs_and_what_is_none() {
    let text = "level=info id=1 note=\"a b\"\nTraceback (most recent call last):\n  File x\nlevel=info id=2 done note=\"c\\td\\u00e9\"\n\nid=3 note=\"open\nid=4 level=warn note=\n";
    let file = File::new(text.as_bytes());
    let input = open(file.path(), "in", &source(&["id", "note", "done", "absent"])).unwrap();
    // A word alone is as often one of a message as a key, so that it is no value.
    assert_eq!(
        (input.description().as_str(), input.missing_columns()),
        ("logfmt, UTF-8", ["done", "absent"].map(String::from).as_slice())
    );
    let all = read(input.as_ref());
    assert_eq!(all.cells(), [row(&["1", "a b", "", ""]), row(&["2", "c\tdé", "", ""]), row(&["4", "", "", ""])]);
    assert_eq!(all.broken(), [(6, "quote opened here never closes \"\\\"open\"; repair or remove the line")]);
    assert_eq!(kinds(&all).iter().filter(|kind| ***kind == Kind::Ignored).count(), 3);
    let mut told = source(&["id"]);
    told.format = Some(Format::Logfmt);
    assert_eq!(cells("x id=1\n", &told), [row(&["1"])]);
    assert_eq!(read_bytes(b"", &told).records.len(), 0);
}

#[test]
fn a_glance_sees_the_messages() {
    let look = |text: &str| glance(&store(File::new(text.as_bytes()).path(), "in", &std::env::temp_dir()).unwrap()).unwrap();
    let pod = look(PARTS);
    assert_eq!((pod.content(), pod.wrapper()), (Content::Ndjson, Some(Wrapper::Cri)));
    assert_eq!(pod.description(), "ndjson, wrapped by cri, UTF-8");
    assert_eq!(pod.lines().next(), Some("2026-03-02T10:00:00.1Z stdout F {\"id\":1}"));
    assert_eq!(pod.messages().next(), Some("{\"id\":1}"));
    assert_eq!(pod.values(None, &["id".to_owned()])[0], row(&["1"]));
    let docker = look("{\"log\":\"Task a[1] succeeded\\n\",\"stream\":\"stdout\",\"time\":\"2026-03-02T10:00:00.1Z\"}\n");
    assert_eq!((docker.content(), docker.wrapper()), (Content::Text, Some(Wrapper::Docker)));
    assert_eq!(docker.messages().collect::<Vec<_>>(), ["Task a[1] succeeded"]);
    let pairs = look("time=2026-03-02T10:00:00Z level=info msg=\"a b\"\n");
    assert_eq!((pairs.content(), pairs.wrapper(), pairs.messages().count()), (Content::Logfmt, None, 1));
    assert_eq!(look("a=b,c=d\n1,2\n3,4\n").content(), Content::Csv);
    let syslog = look("Mar  2 10:40:12 web-1 shop[17]: a, b\nMar  2 10:40:12 web-1 shop[17]: c, d\n");
    assert_eq!((syslog.content(), syslog.wrapper(), syslog.headers().len()), (Content::Text, Some(Wrapper::Syslog), 0));
}

/// A stream that gives a byte at a time.
struct Drops<'b>(&'b [u8]);

impl std::io::Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(1);
        std::io::Read::read(&mut self.0, &mut buffer[..most])
    }
}

#[test]
fn streams_a_byte_at_a_time_and_cut_off_files() {
    let source = source(&["id"]);
    let whole = read(super::harness::open_stream(&mut Drops(PARTS.as_bytes()), "-", &source).unwrap().as_ref());
    assert_eq!(whole.cells(), cells(PARTS, &source));
    let mut source = source;
    source.read.wrapper = Some(Wrapper::Cri);
    source.format = Some(Format::Ndjson);
    // Cut at every byte: what was whole before it comes out, and no more.
    for length in 0..PARTS.len() {
        let all = read_bytes(&PARTS.as_bytes()[..length], &source);
        let found = all.cells();
        assert!(whole.cells().starts_with(&found) || found == [row(&["1"]), row(&["3"])], "{length}: {found:?}");
    }
    let packed = gzip(&PARTS.repeat(2000).into_bytes());
    let file = File::new(&packed[..packed.len() - 9]);
    let all = read(open(file.path(), "in", &source).unwrap().as_ref());
    assert!(all.fault.is_some());
}

/// Of a message without quotes most words are no keys: `id` was true.
#[test]
fn a_word_without_a_value_is_no_pair() {
    let text = "id=1 amount=5 msg=charge of id done\nid=2 amount=6 msg=x retried\n";
    assert_eq!(cells(text, &source(&["id", "amount", "done", "retried"])), [row(&["1", "5", "", ""]), row(&["2", "6", "", ""])]);
}

#[test]
fn one_object_does_not_make_a_log_of_pairs_one_of_objects() {
    let line = |message: &str| {
        let log = serde_json::to_string(&format!("{message}\n")).unwrap();
        format!("{{\"log\":{log},\"stream\":\"stdout\",\"time\":\"2026-03-02T10:40:12Z\"}}\n")
    };
    let pairs: String = (0..9).map(|id| line(&format!("level=info id={id}"))).collect();
    let objects: String = (0..9).map(|id| line(&format!("{{\"id\":\"{id}\"}}"))).collect();
    for text in [line("{\"id\":\"x\"}") + &pairs, line("level=info id=x") + &objects] {
        let all = read_bytes(text.as_bytes(), &source(&["id"]));
        let ids: Vec<String> = all.cells().into_iter().filter_map(|cells| cells[0].clone()).collect();
        assert!(ids.ends_with(&(0..9).map(|id| id.to_string()).collect::<Vec<_>>()), "{ids:?}");
    }
}
