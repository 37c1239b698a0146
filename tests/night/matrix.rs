//! R9: every way in which logs are rotated, at every time between two nights. Nothing is lost, and nothing is read twice. The files are small
//! (under 1 KiB), begin alike, and lie in one folder, where names and inodes are used again.

use crate::log::gzip;
use crate::nights::{Nights, ids};
use crate::rotated::{CONFIG, day};
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;

/// What becomes of `app.log` when it is rotated.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// Renamed, and a new one begun.
    Renamed,
    /// Renamed, and the new one has nothing in it for a night.
    RenamedAndEmpty,
    /// Renamed, packed a night later.
    RenamedAndPackedLater,
    /// Copied, and cut to nothing in its place: the same inode goes on.
    CopiedAndCut,
    /// Packed beside it and removed, then made anew.
    PackedInPlace,
    /// Renamed by its day; for a night there is no new one.
    DatedAndGone,
}

const FORMS: [Form; 6] = [
    Form::Renamed,
    Form::RenamedAndEmpty,
    Form::RenamedAndPackedLater,
    Form::CopiedAndCut,
    Form::PackedInPlace,
    Form::DatedAndGone,
];

/// What had been read of it by then.
#[derive(Clone, Copy, Debug)]
enum Timing {
    /// All.
    AllRead,
    /// Lines were added since.
    Grown,
    /// The night had ended in the middle of a line, which was ended since.
    HalfALine,
}

const HEADER: &str = "id,at,card,amount\n";

impl Form {
    fn rotate(self, nights: &Nights, new: &str) {
        let (log, old) = (nights.place("app.log"), nights.place("app.log.1"));
        match self {
            Self::Renamed | Self::RenamedAndPackedLater => {
                fs::rename(&log, &old).unwrap();
                fs::write(&log, new).unwrap();
            }
            Self::RenamedAndEmpty => {
                fs::rename(&log, &old).unwrap();
                fs::write(&log, "").unwrap();
            }
            Self::CopiedAndCut => {
                fs::copy(&log, &old).unwrap();
                let mut file = OpenOptions::new().write(true).truncate(true).open(&log).unwrap();
                file.write_all(new.as_bytes()).unwrap();
            }
            Self::PackedInPlace => {
                fs::write(nights.place("app.log.1.gz"), gzip(&fs::read(&log).unwrap())).unwrap();
                fs::remove_file(&log).unwrap();
                fs::write(&log, new).unwrap();
            }
            Self::DatedAndGone => fs::rename(&log, nights.place("app.log-20260304")).unwrap(),
        }
    }

    /// What is done before the night after.
    fn go_on(self, nights: &Nights, new: &str) {
        let (log, old) = (nights.place("app.log"), nights.place("app.log.1"));
        match self {
            Self::RenamedAndEmpty | Self::DatedAndGone => fs::write(&log, new).unwrap(),
            Self::RenamedAndPackedLater => {
                fs::write(nights.place("app.log.2.gz"), gzip(&fs::read(&old).unwrap())).unwrap();
                fs::remove_file(&old).unwrap();
            }
            Self::Renamed | Self::CopiedAndCut | Self::PackedInPlace => {}
        }
    }
}

fn append(nights: &Nights, text: &str) {
    OpenOptions::new().append(true).open(nights.place("app.log")).unwrap().write_all(text.as_bytes()).unwrap();
}

#[test]
fn every_form_at_every_time() {
    // Of each day one payment is made twice.
    let (one, two, three) = (day(3, 6, &[2]), day(4, 5, &[1]), day(5, 4, &[3]));
    let all = format!("{HEADER}{one}{two}{three}");
    assert!(all.len() < 1_024 + HEADER.len());
    for form in FORMS {
        for timing in [Timing::AllRead, Timing::Grown, Timing::HalfALine] {
            let label = format!("{form:?}, {timing:?}");
            let mut nights = Nights::of_config(CONFIG);
            let (mut read, mut repeated) = (0, 0);
            let mut night = |nights: &mut Nights| {
                let night = nights.run_lying();
                assert_eq!(night.scanned.faults, Vec::<String>::new(), "{label}");
                read += night.scanned.result.ledger.read;
                repeated += night.scanned.result.ledger.repeated;
            };
            let half = two.len() / 2 + 3;
            assert_ne!(&two[half - 1..half], "\n");
            let front = match timing {
                Timing::AllRead => format!("{HEADER}{one}{two}"),
                Timing::Grown => format!("{HEADER}{one}"),
                Timing::HalfALine => format!("{HEADER}{one}{}", &two[..half]),
            };
            nights.write(&[("app.log", front.as_bytes())]);
            night(&mut nights);
            append(&nights, &format!("{HEADER}{one}{two}")[front.len()..]);
            let new = format!("{HEADER}{three}");
            form.rotate(&nights, &new);
            night(&mut nights);
            form.go_on(&nights, &new);
            night(&mut nights);
            night(&mut nights);
            let rows = all.lines().count() as u64 - 1;
            assert_eq!((read, repeated), (rows, 0), "{label}: read, and again");
            let once = ids(&nights.at_once(&[("all.log", all.as_bytes())]));
            assert_eq!(once.len(), 3);
            assert_eq!(nights.new.keys().cloned().collect::<BTreeSet<_>>(), once.into_iter().collect(), "{label}");
            assert!(nights.new.values().all(|count| *count == 1), "{label}: {:?}", nights.new);
        }
    }
}
