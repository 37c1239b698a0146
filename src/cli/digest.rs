//! The digest of a file's bytes.

use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use twicelog::domain::report::RunInput;

/// Size and SHA-256 of a file, under the name that a manifest gives it.
pub fn of_file(path: &Path, name: &str) -> io::Result<RunInput> {
    let mut file = File::open(path)?;
    let (mut digest, mut bytes, mut part) = (Sha256::new(), 0, vec![0; 1 << 16]);
    loop {
        match file.read(&mut part) {
            Ok(0) => break,
            Ok(count) => {
                digest.update(part.get(..count).unwrap_or_default());
                bytes += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(RunInput { file: name.to_owned(), bytes, sha256: hex(&digest.finalize()) })
}

/// Size and SHA-256 of bytes that were read already.
pub fn of_bytes(bytes: &[u8], name: &str) -> RunInput {
    RunInput { file: name.to_owned(), bytes: bytes.len() as u64, sha256: hex(&Sha256::digest(bytes)) }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
