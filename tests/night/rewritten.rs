//! Files that are written anew in the middle, and go on growing, while they are read.

use crate::nights::Nights;
use crate::rotated::CONFIG;
use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use twicelog::engine::Progress;
use twicelog::scan::{ScanError, scan_files, scan_night};

/// What is done to a file when a phase begins.
struct Then {
    phase: &'static str,
    path: PathBuf,
    /// From this byte on these are written.
    over: Option<(u64, &'static [u8])>,
    behind: String,
    times: Mutex<u32>,
}

impl Progress for Then {
    fn phase(&self, name: &'static str, _: u64) {
        if name != self.phase {
            return;
        }
        *self.times.lock().unwrap() += 1;
        if let Some((at, bytes)) = self.over {
            let mut file = OpenOptions::new().write(true).open(&self.path).unwrap();
            file.seek(SeekFrom::Start(at)).unwrap();
            file.write_all(bytes).unwrap();
        }
        OpenOptions::new().append(true).open(&self.path).unwrap().write_all(self.behind.as_bytes()).unwrap();
    }

    fn read(&self, _: u64) {}

    fn worked(&self, _: u64) {}
}

/// Payments of which two in the middle are one too many, as rows of CSV and as objects.
fn logs() -> [(&'static str, String, String); 2] {
    let row = |number: u32| {
        let (card, second) = if number == 501 { (500, 1) } else { (number, 0) };
        (format!("p-{number}"), format!("2026-03-02T{:02}:{:02}:{second:02}Z", number / 60, number % 60), format!("card-{card}"))
    };
    let at = |number: u32| if number == 501 { row(500).1.replace(":00Z", ":01Z") } else { row(number).1 };
    let csv = |number: u32| format!("{},{},{},12.50\n", row(number).0, at(number), row(number).2);
    let object = |number: u32| {
        format!(
            "{{\"id\":\"{}\",\"at\":\"{}\",\"card\":\"{}\",\"amount\":\"12.50\"}}\n",
            row(number).0,
            at(number),
            row(number).2
        )
    };
    let header = "id,at,card,amount\n".to_owned();
    [
        ("pay.csv", header + &(0..1_000).map(csv).collect::<String>(), csv(1_001)),
        ("pay.ndjson", (0..1_000).map(object).collect(), object(1_001)),
    ]
}

fn outcome(name: &str, text: &str, then: &Then, by_night: bool, nights: &Nights) -> Result<(u64, usize), ScanError> {
    let files = nights.write(&[(name, text.as_bytes())]);
    let scanned = match by_night {
        true => scan_night(&nights.rules, &files, &nights.memory, &nights.options, then)?.scanned,
        false => scan_files(&nights.rules, &files, &nights.options.scan, then)?,
    };
    assert!(scanned.faults.is_empty(), "{:?}", scanned.faults);
    Ok((scanned.result.ledger.read, scanned.result.findings.len()))
}

#[test]
fn a_middle_that_was_written_anew_does_not_pass_for_growth() {
    let nights = Nights::of_config(CONFIG);
    for (name, text, behind) in logs() {
        let path = nights.place(name);
        let middle = text.find("p-500").unwrap() as u64;
        assert!(middle > 4_096 && middle + 4_096 < text.len() as u64, "beyond the edges");
        for by_night in [false, true] {
            let then = |over| Then {
                phase: "reading candidates",
                path: path.clone(),
                over,
                behind: behind.clone(),
                times: Mutex::default(),
            };
            let grown = then(None);
            assert_eq!(outcome(name, &text, &grown, by_night, &nights).unwrap(), (1_000, 1), "{name}: growth alone is no change");
            let anew = then(Some((middle, b"q-500")));
            let error = outcome(name, &text, &anew, by_night, &nights).unwrap_err().to_string();
            assert!(error.contains(&format!("{name}: changed while it was read")), "{error}");
            for then in [grown, anew] {
                assert_eq!(*then.times.lock().unwrap(), 1);
            }
        }
    }
}
