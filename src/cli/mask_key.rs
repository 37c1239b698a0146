//! The key of pseudonyms: a file that is read, and never shown.

use super::args::LookArgs;
use super::exit::{Exit, Failure};
use super::output;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use twicelog::report::{PseudonymKey, WeakKey};

/// Bytes of a file that may be a key; a device without an end is none.
const LONGEST: u64 = 64 << 10;
/// How to make one.
const HOW: &str = "make one with: openssl rand -hex 32";

/// The key that the arguments name; None where they name none.
pub fn named(look: &LookArgs) -> Result<Option<PseudonymKey>, Failure> {
    look.mask_key.as_deref().map(read).transpose()
}

/// The key in a file.
pub fn read(path: &Path) -> Result<PseudonymKey, Failure> {
    let trouble = |what: String| Failure::new(Exit::Usage, format!("{}: {what}", path.display()));
    let unread = |error: std::io::Error| trouble(format!("the key of pseudonyms cannot be read: {error}; {HOW}"));
    let file = File::open(path).map_err(unread)?;
    let facts = file.metadata().map_err(unread)?;
    if facts.is_dir() {
        return Err(trouble("is a folder; name the file that holds the key of pseudonyms".into()));
    }
    let mut secret = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut secret).map_err(unread)?;
    if secret.len() as u64 > LONGEST {
        return Err(trouble(format!("more than {LONGEST} bytes, which is no key of pseudonyms; {HOW}")));
    }
    let key = PseudonymKey::of(&secret).map_err(|weak| {
        trouble(match weak {
            WeakKey::Short => {
                format!("a key of pseudonyms has {} characters or more, and this could be guessed; {HOW}", PseudonymKey::SHORTEST)
            }
            WeakKey::Plain => format!(
                "a key of pseudonyms has {} different characters or more, and this could be guessed; {HOW}",
                PseudonymKey::FEWEST_DIFFERENT
            ),
        })
    })?;
    if can_be_read_by_others(&facts) {
        let place = path.display();
        output::talk(&format!(
            "twicelog: {place}: others can read this key, and find out with it who stands behind a pseudonym; chmod 600 {place}\n"
        ));
    }
    Ok(key)
}

#[cfg(unix)]
fn can_be_read_by_others(facts: &std::fs::Metadata) -> bool {
    // Of a pipe, `--mask-key <(pass show twicelog)`, nobody else reads.
    facts.is_file() && std::os::unix::fs::PermissionsExt::mode(&facts.permissions()) & 0o077 != 0
}

#[cfg(not(unix))]
fn can_be_read_by_others(_: &std::fs::Metadata) -> bool {
    false
}
