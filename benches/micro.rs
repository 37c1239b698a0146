//! The steps of a scan one by one, on a made-up log in memory: `cargo bench --bench micro`. Whole runs against other engines:
//! `benches/compare.py`.

#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first surprise")]

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use twicelog::domain::Language;
use twicelog::domain::group::Group;
use twicelog::domain::record::{Block, Split};
use twicelog::domain::report::{Report, Run, SCHEMA};
use twicelog::engine::{self, Budget, Gathered, NoProgress, OpenInput, Options};
use twicelog::judge::{self, Keep};
use twicelog::read;
use twicelog::report::{self, Color, CsvFor, Mask, OutputFormat, Style};
use twicelog::rules::normalise::{Normaliser, Scratch, apply_all};
use twicelog::rules::pick::TimeFormat;
use twicelog::rules::window::Window;
use twicelog::rules::{self, Rules};
use twicelog::synth;

fn main() {
    divan::main();
}

const PAYMENTS: u64 = 20_000;
const MINUTE: i64 = 60_000_000_000;

/// A made-up log, opened.
struct Log {
    _folder: tempfile::TempDir,
    rules: Rules,
    inputs: Vec<OpenInput>,
    bytes: u64,
}

impl Log {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("payments.csv");
        let mut text = Vec::new();
        synth::write(&synth::Wanted { payments: PAYMENTS, cases: PAYMENTS / 20, seed: 1 }, &mut text).unwrap();
        std::fs::write(&path, &text).unwrap();
        let rules = rules::load(synth::CONFIG, "twicelog.toml", folder.path()).unwrap();
        let input = read::open(&path, "payments.csv", &rules.sources[0], folder.path()).unwrap();
        Self { _folder: folder, rules, inputs: vec![OpenInput { input, source: 0 }], bytes: text.len() as u64 }
    }

    fn gather(&self, threads: usize) -> (Vec<Group>, Gathered) {
        let options = Options { threads, ..Options::default() };
        let budget = Arc::new(Budget::new(options.max_memory, options.temp_dir.clone()));
        let groups = Mutex::new(Vec::new());
        let each = |_, some, _: &_| {
            groups.lock().unwrap().extend::<Vec<Group>>(some);
            Ok(())
        };
        let gathered = engine::gather(&self.inputs, &self.rules, &options, &budget, &NoProgress, &each).unwrap();
        (groups.into_inner().unwrap(), gathered)
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks = self.inputs[0].input.blocks().unwrap();
        std::iter::from_fn(|| blocks.next_block().unwrap()).collect()
    }
}

#[divan::bench]
fn read_and_hash_bytes(bencher: Bencher<'_, '_>) {
    let log = Log::new();
    bencher.counter(BytesCount::new(log.bytes)).bench_local(|| log.blocks().len());
}

#[divan::bench]
fn split_rows(bencher: Bencher<'_, '_>) {
    let log = Log::new();
    let blocks = log.blocks();
    bencher.counter(BytesCount::new(log.bytes)).bench_local(|| {
        let mut records = 0_u64;
        for block in &blocks {
            log.inputs[0].input.splitter().split(block, 0, &mut |split| {
                records += u64::from(matches!(split, Split::Record(_)));
                ControlFlow::Continue(())
            });
        }
        records
    });
}

/// Reading, splitting, mapping, keying, windows, candidates and their details.
#[divan::bench(args = [1, 2])]
fn gather(bencher: Bencher<'_, '_>, threads: usize) {
    let log = Log::new();
    bencher.counter(ItemsCount::new(PAYMENTS)).bench_local(|| log.gather(threads).0.len());
}

#[divan::bench]
fn judge_groups(bencher: Bencher<'_, '_>) {
    let log = Log::new();
    let (groups, gathered) = log.gather(2);
    bencher
        .counter(ItemsCount::new(groups.len()))
        .with_inputs(|| groups.clone())
        .bench_local_values(|groups: Vec<Group>| judge::judge(groups, &log.rules, &gathered.frequencies, Keep::Reported));
}

#[divan::bench(args = ["json", "csv", "html", "xlsx"])]
fn write_report(bencher: Bencher<'_, '_>, format: &str) {
    let log = Log::new();
    let result = twicelog::scan(&log.rules).unwrap().result;
    let findings = result.findings.len();
    let run = Run {
        version: String::new(),
        started: String::new(),
        duration_ms: 0,
        config_sha256: String::new(),
        inputs: Vec::new(),
        baseline: None,
        night: None,
    };
    let report = Report { schema: SCHEMA.to_owned(), result, windows: Vec::new(), nights: Vec::new(), run };
    let style = Style {
        width: Style::WIDTH,
        color: Color::Off,
        mask: Mask::Off,
        language: Language::English,
        csv: CsvFor::Programs,
        explanations: judge::explanations(),
    };
    let format = OutputFormat::parse(format).unwrap();
    bencher.counter(ItemsCount::new(findings)).bench_local(|| {
        let mut bytes = Vec::new();
        report::write(format, &report, &style, &mut bytes).unwrap();
        bytes.len()
    });
}

#[divan::bench]
fn cut_windows(bencher: Bencher<'_, '_>) {
    let times: Vec<i64> = (0..100_000)
        .map(|number| number * MINUTE * (number % 7))
        .scan(0, |at, step| {
            *at += step % (40 * MINUTE);
            Some(*at)
        })
        .collect();
    let windows = [Window::FromFirst(10 * MINUTE), Window::Gap { gap: 10 * MINUTE, span: 300 * MINUTE }, Window::Days(1)];
    bencher
        .counter(ItemsCount::new(times.len() * windows.len()))
        .bench_local(|| windows.map(|window| engine::windows::cut(black_box(&times), window).len()));
}

#[divan::bench(args = ["2026-03-02T10:00:00.123Z", "2026-03-02 10:00:00+03:00", "02.03.2026 10:00"])]
fn read_times(bencher: Bencher<'_, '_>, time: &str) {
    let format = if time.starts_with("02.") { TimeFormat::Pattern("%d.%m.%Y %H:%M".into()) } else { TimeFormat::Iso };
    let times = vec![time; 1_000];
    bencher.counter(ItemsCount::new(times.len())).bench_local(|| engine::reads_all(&format, black_box(&times).iter().copied()));
}

#[divan::bench(args = ["trim", "lower", "digits", "collapse_spaces", "email", "nfkc"])]
fn normalise(bencher: Bencher<'_, '_>, name: &str) {
    let step = Normaliser::parse(name).unwrap();
    let mut scratch = Scratch::default();
    bencher.bench_local(|| apply_all(std::slice::from_ref(&step), black_box("  Order No. 00-4711/2026 "), &mut scratch).len());
}
