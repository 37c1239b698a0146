//! What a scan takes of memory follows `--max-memory`, not the number of findings.

use super::place::Place;
use std::fmt::Write;
use std::io::Read;
use std::process::Stdio;

/// Customers who were all charged twice, each after a time of their own.
fn doubled(findings: usize) -> String {
    let mut rows = String::new();
    for number in 0..findings {
        let time = |second: usize| {
            format!("2026-03-{:02}T{:02}:{:02}:{:02}Z", number / 3_600 % 24 + 1, number / 150 % 24, second / 60 % 60, second % 60)
        };
        let second = number % 150 * 20;
        let later = second + 5 + number * 7_919 % 500;
        writeln!(rows, "ch_{number}a,{},customer-{number},{}.50", time(second), 10 + number % 90).unwrap();
        writeln!(rows, "ch_{number}b,{},customer-{number},{}.50", time(later), 10 + number % 90).unwrap();
    }
    rows
}

/// The most memory in MiB that a scan ever held, as the system tells it while the report is being written.
fn peak(findings: usize) -> u64 {
    let place = Place::with(&doubled(findings));
    let arguments = ["scan", "--max-memory", "8MiB", "--threads", "2", "--format", "json", "--exit-zero"];
    let mut child = place.command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    let (mut piece, mut told, mut peak) = (vec![0; 64 << 10], Vec::new(), 0);
    loop {
        let length = out.read(&mut piece).unwrap();
        if length == 0 {
            break;
        }
        told.extend_from_slice(&piece[..length]);
        // Gone with the last piece: what it was one piece earlier is near enough.
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let mark = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(mark.unwrap_or_default() / 1024);
    }
    assert!(child.wait().unwrap().success());
    let report: serde_json::Value = serde_json::from_slice(&told).unwrap();
    assert_eq!(report["result"]["findings"].as_array().map(Vec::len), Some(findings));
    peak
}

#[test]
fn findings_cost_no_memory_to_speak_of() {
    let (few, many) = (peak(500), peak(8_000));
    assert!(few > 5, "nothing was measured: {few} MiB");
    // Held as they are told, 7,500 findings of two records take 55 MiB; packed and spilled, each leaves its head behind.
    assert!(many <= few + 28, "{few} MiB for 500 findings, {many} MiB for 8,000");
}
