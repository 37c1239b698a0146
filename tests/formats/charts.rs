//! Charts of the page: each answers its question, tells its numbers in a table, and holds nothing, one finding and very many.

use super::{reports, style, unlike, written};
use twicelog::domain::Language;
use twicelog::domain::decision::{Decision, Judgement, Standing};
use twicelog::domain::finding::Finding;
use twicelog::domain::memory::Changes;
use twicelog::domain::report::{Batch, Bucket, ChangeCounts, Decided, Ledger, Night, OverTime, Report};
use twicelog::report::{Mask, OutputFormat, Style};

const CHARTS: [&str; 10] = [
    "chart-money",
    "chart-causes",
    "chart-time",
    "chart-gaps",
    "chart-drift",
    "chart-batches",
    "chart-health",
    "chart-sizes",
    "chart-hours",
    "chart-actors",
];

fn page(report: &Report) -> String {
    written(OutputFormat::Html, report, &style(80, Mask::Off))
}

#[test]
fn every_chart_is_there_for_one_finding_and_for_none_to_draw() {
    let one = page(&reports::report(vec![unlike(7)]));
    let mut nothing = reports::report(vec![unlike(7)]);
    nothing.result.health.clear();
    // A single record without a time of day, without money and without an actor.
    let finding = &mut nothing.result.findings[0];
    finding.records.truncate(1);
    finding.records[0].values.clear();
    finding.records[0].time = "#1".into();
    finding.first = "#1".into();
    finding.exposure.clear();
    let nothing = page(&nothing);
    assert!(figure(&nothing, "chart-time").contains("<span>1 finding without a time; among 2\u{a0}072 records;"), "{nothing}");
    for chart in CHARTS {
        let is_drawn = |page: &str| figure(page, chart).contains("<svg");
        assert_eq!(is_drawn(&one), chart != "chart-batches", "{chart}: {}", figure(&one, chart));
        let drawable = ["chart-causes", "chart-sizes", "chart-time"];
        assert_eq!(is_drawn(&nothing), drawable.contains(&chart), "{chart}: {}", figure(&nothing, chart));
    }
}

/// Findings at 10:00 and 11:00 of a Monday, and at 12:00; so many attempts in each of these hours.
fn hours(attempts: [u64; 3]) -> Report {
    let mut findings: Vec<Finding> = (0..8).map(unlike).collect();
    for (at, finding) in findings.iter_mut().enumerate() {
        let hour = [10, 10, 10, 10, 10, 11, 11, 12][at];
        finding.first = format!("2026-03-02T{hour}:{at:02}:00Z");
    }
    let mut report = reports::report(findings);
    let volume = &mut report.result.sources[0].volume;
    *volume = vec![0; 168];
    volume[10..13].copy_from_slice(&attempts);
    report
}

#[test]
fn hours_are_told_for_the_attempts_there_are() {
    let told = page(&hours([5_000, 40, 3]));
    let chart = figure(&told, "chart-hours");
    assert!(chart.contains("Mon from 11:00 UTC: 2 findings in 40 attempts (5.00\u{a0}%); all week 0.15\u{a0}%"), "{chart}");
    assert!(chart.contains("<td>Mon 10:00</td><td>5</td><td>5\u{a0}000</td><td>0.10\u{a0}%</td>"), "{chart}");
    assert!(
        chart.contains("<td>Mon 12:00</td><td>1</td><td>3</td><td>33.33\u{a0}%</td>"),
        "three attempts are too few to lead: {chart}"
    );
    assert_eq!(chart.matches(r#"class="quiet""#).count(), 2, "the cell of three attempts, and the legend: {chart}");
}

#[test]
fn hours_of_a_result_without_volumes_are_counted() {
    let mut report = hours([0; 3]);
    report.result.sources[0].volume.clear();
    let told = page(&report);
    let chart = figure(&told, "chart-hours");
    assert!(chart.contains("Most on Mon from 10:00 UTC: 5 of 8"), "{chart}");
    assert!(chart.contains("<td>Mon 10:00</td><td>5</td><td>0</td><td>—</td>"), "{chart}");
}

#[test]
fn a_file_that_ran_twice_does_not_hide_the_other_hours() {
    let mut report = hours([5_000, 40, 30]);
    report.result.findings[..5].iter_mut().for_each(|finding| finding.batch = Some("TB-000000000001".into()));
    let told = page(&report);
    let chart = figure(&told, "chart-hours");
    assert!(
        chart.contains(
            "2 findings in 40 attempts (5.00\u{a0}%); all week 0.05\u{a0}%; 5 findings of files or jobs that ran twice left out"
        ),
        "{chart}"
    );
    assert!(!chart.contains("<td>Mon 10:00</td>"), "{chart}");
}

#[test]
fn a_file_imported_again_is_a_band() {
    let mut findings: Vec<Finding> = (0..30).map(unlike).collect();
    for (at, finding) in findings.iter_mut().enumerate() {
        finding.records.truncate(2);
        finding.records[0].time = format!("2026-03-02T{:02}:00:00Z", at % 24);
        finding.records[1].time = format!("2026-03-03T{:02}:00:00Z", at % 24);
    }
    let told = page(&reports::report(findings));
    let chart = figure(&told, "chart-drift");
    let rows = chart.split_once("<tbody>").expect("a table").1;
    assert_eq!(rows.matches("<tr>").count(), 24, "{chart}");
    assert_eq!(rows.matches("<td>≤ 1 d</td>").count(), 24, "one gap at all times: {chart}");
    assert!(chart.contains("Most lie ≤ 1 d after the original, from 2026-03-03 00:00:00Z on: 2 of 30"), "{chart}");
}

#[test]
fn batches_are_drawn_with_both_runs() {
    let mut report = reports::sample();
    let batch = |id: &str, findings| Batch {
        id: id.into(),
        rule: "double-order".into(),
        lag_seconds: 86_400.5,
        findings,
        extra_effects: findings,
        exposure: vec![],
        originals: ["2026-03-01T10:00:00Z", "2026-03-01T11:00:00Z"].map(String::from),
        repeats: ["2026-03-02T10:00:00.5Z", "2026-03-02T11:00:00.5Z"].map(String::from),
    };
    report.result.batches = vec![batch("TB-000000000001", 20), batch("TB-000000000002", 300)];
    let told = page(&report);
    let chart = figure(&told, "chart-batches");
    assert!(chart.contains("<span>TB-000000000002: 300 findings of rule double-order"), "{chart}");
    assert_eq!(chart.matches(r#"<rect class="quiet""#).count(), 2, "{chart}");
    assert_eq!(chart.matches(r#"<rect class="bad""#).count(), 2, "{chart}");
    assert!(chart.contains("<td>2026-03-01 10:00:00Z – 2026-03-01 11:00:00Z</td>"), "{chart}");
}

/// A third night of a state, after two with other sums.
fn third_night() -> Report {
    let mut report = reports::sample();
    let night = |day: u64, new, unchanged, net: &str, same_rules| Night {
        started: format!("2026-03-0{day}T02:00:00Z"),
        findings: new + unchanged,
        decided: 0,
        same_rules,
        changes: Some(ChangeCounts { new, grown: 0, unchanged, resolved: day }),
        exposure: vec![reports::exposure("EUR", net, "0.00", net)],
    };
    report.nights = vec![night(4, 7, 2, "800.00", false), night(5, 1, 3, "118.00", true)];
    let ids: Vec<String> = report.result.findings.iter().map(|finding| finding.id.clone()).collect();
    let changes = Changes { new: vec![ids[0].clone()], unchanged: vec![ids[1].clone()], ..Changes::default() };
    report.run.night.get_or_insert_default().changes = changes;
    report
}

#[test]
fn nights_tell_what_is_new_what_stays_and_the_money() {
    let told = page(&third_night());
    let chart = figure(&told, "chart-nights");
    assert!(
        chart.contains("2 findings this time, 4 the time before; 2 to 9 in 3 runs; ≠: judged by other rules than today"),
        "{chart}"
    );
    let cells = |row: &[&str]| row.iter().map(|cell| format!("<td>{cell}</td>")).collect::<String>();
    for row in [
        ["2026-03-06 02:00:00Z", "2", "1", "0", "1", "0", "0", "EUR 59.00"],
        ["2026-03-05 02:00:00Z", "4", "1", "0", "3", "5", "0", "EUR 118.00"],
        ["2026-03-04 02:00:00Z ≠", "9", "7", "0", "2", "4", "0", "EUR 800.00"],
    ] {
        assert!(chart.contains(&cells(&row)), "{row:?}: {chart}");
    }
    for paint in ["bad", "quiet", "main"] {
        let bars = chart.matches(&format!(r#"<rect class="{paint}""#)).count();
        assert_eq!(bars, 3, "{paint}: new and known findings of three nights, and the money of each: {chart}");
    }
}

#[test]
fn where_no_other_windows_are_drawn_the_page_says_why() {
    let drawn = page(&reports::sample());
    assert!(figure(&drawn, "chart-windows").contains("<svg"));
    let mut untried = reports::sample();
    untried.windows.clear();
    let mut decided = reports::sample();
    decided.result.findings[0].decision =
        Some(Decision { judgement: Judgement::Intended, reason: "gift".into(), by: None, until: None, standing: Standing::Live });
    decided.result.totals.decided = Some(Decided { findings: 1, ..Decided::default() });
    decided.result.totals.findings -= 1;
    let mut night = third_night();
    night.windows.clear();
    for (report, english, russian) in [
        (untried, "Not tried: the scan", "Не опробованы: при сканировании"),
        (decided, "Not drawn: when other windows were tried", "Не нарисованы: когда пробовали другие окна"),
        (night, "Not tried: with a state", "Не опробованы: с состоянием"),
    ] {
        let told = page(&report);
        let chart = figure(&told, "chart-windows");
        assert!(chart.contains(english) && !chart.contains("<svg"), "{chart}");
        let russian_style = Style { language: Language::Russian, ..style(80, Mask::Off) };
        assert!(written(OutputFormat::Html, &report, &russian_style).contains(russian), "{russian}");
    }
}

#[test]
fn health_tells_new_keys_and_the_usual_gap() {
    let told = page(&reports::sample());
    let chart = figure(&told, "chart-health");
    assert!(chart.contains("<td>11\u{a0}%</td><td>30.5 s</td>"), "4 of 36 groups with keys: {chart}");
}

/// A chart with its table.
fn figure<'a>(page: &'a str, chart: &str) -> &'a str {
    let figure = page.split_once(&format!("<figure id=\"{chart}\"")).expect("the chart").1;
    figure.split_once("</figure>").expect("its end").0
}

#[test]
fn sums_beyond_a_decimal_are_said_and_not_drawn() {
    const MOST: &str = "79228162514264337593543950335";
    let mut findings: Vec<Finding> = (0..4).map(unlike).collect();
    for finding in &mut findings[..3] {
        finding.records[0].values.insert("operation".into(), "mint".into());
        finding.exposure = vec![reports::exposure("EUR", MOST, MOST, MOST)];
    }
    let page = page(&reports::report(findings));
    let chart = figure(&page, "chart-money");
    assert!(chart.contains("<td>mint</td><td>too large to draw</td>"), "{chart}");
    assert!(chart.contains("<td>create_order_3</td><td>EUR 121.03</td>"), "{chart}");
}

#[test]
fn counts_and_times_at_their_limits_are_drawn() {
    let mut findings: Vec<Finding> = (0..3).map(unlike).collect();
    for (finding, time) in findings.iter_mut().zip(["1677-09-22T00:00:00Z", "2262-04-11T23:00:00Z", "2026-03-01T00:00:00Z"]) {
        finding.first = time.into();
        finding.unread_records = u64::MAX;
        finding.extra_effects = u64::MAX / 3;
    }
    let mut report = reports::report(findings);
    report.result.findings.iter_mut().for_each(|finding| finding.extra_effects = u64::MAX);
    let health = &mut report.result.health[0];
    (health.answered, health.blocked, health.retried) = (u64::MAX, u64::MAX, u64::MAX);
    (health.repeats, health.conflicting, health.possibly_doubled) = (u64::MAX, u64::MAX, u64::MAX);
    report.result.ledger = Ledger { read: u64::MAX, used: u64::MAX, rejected: u64::MAX, ..Ledger::default() };
    let page = page(&report);
    assert!(page.contains("1677-09-22"));
}

#[test]
fn sources_without_a_lane_of_their_own_share_one() {
    let mut findings: Vec<Finding> = (0..9).map(unlike).collect();
    for (at, finding) in findings.iter_mut().enumerate() {
        finding.records.iter_mut().for_each(|record| record.source = format!("shop {at}"));
    }
    let page = page(&reports::report(findings));
    let chart = figure(&page, "chart-time");
    let lanes: Vec<&str> = chart.split(r#"<text class="label""#).skip(1).collect();
    assert_eq!(lanes.len(), 6, "{chart}");
    // Nine shops with findings, and the source of the report without any.
    assert!(lanes[5].contains(">5 further sources</text>") && lanes[5].contains(">4 findings</text>"), "{chart}");
    assert!(chart.contains("<td>shop 8</td>"), "{chart}");
}

/// One finding on each of these days of March 2026, among the records of these.
fn among(days: &[u32], records: &[(u32, u64)]) -> Report {
    let mut findings: Vec<Finding> = (0..days.len()).map(unlike).collect();
    for (finding, day) in findings.iter_mut().zip(days) {
        finding.first = format!("2026-03-{day:02}T12:00:00Z");
    }
    let mut report = reports::report(findings);
    let buckets = records.iter().map(|(day, records)| Bucket { from: format!("2026-03-{day:02}"), records: *records });
    report.result.sources[0].over_time = Some(OverTime { bucket_seconds: 86_400, buckets: buckets.collect() });
    report
}

fn is_drawn(chart: &str, paint: &str) -> usize {
    chart.matches(&format!(r#"<rect class="{paint}""#)).count()
}

#[test]
fn a_day_without_records_is_told_apart_from_one_without_findings() {
    let told = page(&among(&[1, 5], &[(1, 100), (2, 90), (4, 80), (5, 1)]));
    let chart = figure(&told, "chart-time");
    assert!(chart.contains("among 271 records; no records: shop, 2026-03-03"), "{chart}");
    assert_eq!((is_drawn(chart, "quiet"), is_drawn(chart, "gap")), (4, 1), "{chart}");
    assert!(chart.contains("<td>shop</td><td>2026-03-03</td><td>0</td><td>0</td>"), "{chart}");
    assert!(chart.contains("<td>shop</td><td>2026-03-04</td><td>0</td><td>80</td>"), "{chart}");
    assert!(chart.contains("<td>shop</td><td>2026-03-05</td><td>1</td><td>1</td>"), "{chart}");
    let whole = page(&among(&[1], &[(1, 100), (2, 90), (3, 80)]));
    let chart = figure(&whole, "chart-time");
    assert!(!chart.contains("no records") && is_drawn(chart, "gap") == 0, "{chart}");
}

#[test]
fn a_night_says_that_it_read_nothing_then() {
    let mut report = among(&[1, 5], &[(5, 10), (6, 10)]);
    report.run.night = Some(Default::default());
    let told = page(&report);
    let chart = figure(&told, "chart-time");
    assert!(chart.contains("</i>no records read this night</li>") && is_drawn(chart, "gap") == 1, "{chart}");
    assert!(chart.contains("<td>shop</td><td>2026-03-01</td><td>1</td><td>0</td>"), "{chart}");
}

#[test]
fn without_findings_it_is_told_how_much_was_read_when() {
    let mut report = among(&[], &[(1, 100), (3, 80)]);
    report.windows.clear();
    let told = page(&report);
    let chart = figure(&told, "chart-time");
    assert!(chart.contains("0 findings; among 180 records; no records: shop, 2026-03-02"), "{chart}");
    assert_eq!((is_drawn(chart, "quiet"), is_drawn(chart, "bad")), (2, 0), "{chart}");
    assert!(!told.contains(r#"<figure id="chart-money""#), "what has nothing to show is not there: {told}");
}

/// A result of before there was a count by time.
#[test]
fn a_volume_that_is_not_known_is_not_drawn_as_none() {
    let mut report = among(&[1, 5], &[]);
    report.result.sources[0].over_time = None;
    let told = page(&report);
    let chart = figure(&told, "chart-time");
    assert!(!chart.contains("records read</li>") && !chart.contains("; among"), "{chart}");
    assert_eq!((is_drawn(chart, "quiet"), is_drawn(chart, "gap")), (0, 0), "{chart}");
    assert_eq!(is_drawn(chart, "bad") + is_drawn(chart, "doubt"), 2, "{chart}");
    assert!(chart.contains("<td>shop</td><td>2026-03-05 12:00:00Z</td><td>1</td><td>—</td>"), "{chart}");
}

#[test]
fn a_few_wrong_dates_do_not_hide_the_others() {
    let mut report = among(&[1, 5], &[(1, 1_000), (2, 1_000), (5, 1_000)]);
    let of = |report: &mut Report| report.result.sources[0].over_time.take().unwrap();
    let mut told = of(&mut report);
    told.buckets.insert(0, Bucket { from: "1970-01-01".into(), records: 3 });
    told.buckets.push(Bucket { from: "2261-01-01".into(), records: 2 });
    report.result.sources[0].over_time = Some(told.clone());
    let drawn = page(&report);
    let chart = figure(&drawn, "chart-time");
    assert!(
        chart.contains("among 3\u{a0}000 records; no records: shop, 2026-03-03 – 2026-03-04; 5 records of other times left off"),
        "{chart}"
    );
    // A finding is never left off.
    report.result.findings[0].first = "1970-01-01T00:00:00Z".into();
    let drawn = page(&report);
    let chart = figure(&drawn, "chart-time");
    assert!(
        chart.contains("2 findings from 1970-01-01 00:00:00Z") && chart.contains("; 2 records of other times left off"),
        "{chart}"
    );
    // Many are not wrong.
    told.buckets[0].records = 100;
    report.result.findings[0].first = "2026-03-01T00:00:00Z".into();
    report.result.sources[0].over_time = Some(told);
    let drawn = page(&report);
    let chart = figure(&drawn, "chart-time");
    assert!(chart.contains("among 3\u{a0}100 records") && chart.contains("; 2 records of other times left off"), "{chart}");
}
