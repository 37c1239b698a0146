//! What some of thirty nights cost beside a scan of everything so far: `cargo test --release --test night -- --ignored --nocapture cost`.

use crate::nights::Nights;
use crate::rotated::CONFIG;
use std::fmt::Write;
use std::time::Instant;

const NIGHTS: u32 = 30;
/// 100,000 in all.
const ROWS_A_DAY: u32 = 3_334;

fn day(day: u32) -> Vec<u8> {
    let mut text = "id,at,card,amount\n".to_owned();
    for number in 0..ROWS_A_DAY {
        let (second, card) = (number * 25, (number * 7_919 + day * 104_729) % 20_000);
        // One in fifty is paid again 20 seconds later.
        for again in 0..=u32::from(number % 50 == 0) {
            let second = second + again * 20;
            let at = format!("2026-03-{:02}T{:02}:{:02}:{:02}Z", day + 1, second / 3_600, second / 60 % 60, second % 60);
            writeln!(text, "p-{day}-{number}-{again},{at},card-{card},{}.50", 10 + card % 90).unwrap();
        }
    }
    text.into_bytes()
}

#[test]
#[ignore = "prints times, and proves nothing"]
#[allow(clippy::disallowed_methods, clippy::print_stdout, reason = "times are what it prints")]
fn cost() {
    let mut nights = Nights::of_config(CONFIG);
    let days: Vec<Vec<u8>> = (0..NIGHTS).map(day).collect();
    let names: Vec<String> = (0..NIGHTS).map(|day| format!("{day}.log")).collect();
    println!("night  ms  new  findings  carried  memory KiB  scan of all ms");
    for upto in 1..=days.len() {
        let files: Vec<(&str, &[u8])> =
            names.iter().zip(&days).take(upto).map(|(name, day)| (name.as_str(), day.as_slice())).collect();
        // Everything lies there every night: what is known is only held against its digest.
        if upto % 10 > 1 {
            nights.run(&files);
            continue;
        }
        let began = Instant::now();
        nights.peek(&files);
        let took = began.elapsed();
        let night = nights.run(&files);
        let memory: usize = nights.memory.carried.iter().map(|part| part.bytes.len()).sum::<usize>()
            + nights.memory.seen.iter().map(|day| day.hashes.all().unwrap().len() * 8).sum::<usize>()
            + nights.memory.frequencies.len();
        let began = Instant::now();
        let once = nights.at_once(&files);
        println!(
            "{upto:>5} {:>5} {:>5} {:>8} {:>8} {:>9} {:>9}",
            took.as_millis(),
            night.changes.new.len(),
            once.result.findings.len(),
            night.scanned.result.nightly.unwrap().carried_out,
            memory / 1024,
            began.elapsed().as_millis()
        );
        assert_eq!(nights.told.len(), once.result.findings.len());
    }
}
