//! Names of files as URI references (RFC 3986).

use crate::domain::remote_url::Scheme;
use crate::report::mask::cards;
use std::fmt::Write;

/// The name as a reference: of a URL its scheme and its encoded rest, of an absolute path a `file` URL, of any other the encoded path.
pub(super) fn of(file: &str) -> String {
    let file = cards(file);
    let remote = file.split_once("://").filter(|(scheme, _)| Scheme::ALL.iter().any(|known| known.name() == *scheme));
    match remote {
        Some((scheme, rest)) => format!("{scheme}://{}", encoded(rest)),
        None if file.starts_with('/') => format!("file://{}", encoded(&file)),
        None => encoded(&file),
    }
}

/// Everything encoded but letters and digits of ASCII, `-._~` and `/`: a colon, too, because what stands before one is read as a scheme.
fn encoded(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            byte => {
                // Writing to a String cannot fail.
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn names_are_references_and_nothing_else() {
        let told = [
            ("logs/pay 1.csv", "logs/pay%201.csv"),
            ("/data/счёт.csv", "file:///data/%D1%81%D1%87%D1%91%D1%82.csv"),
            ("s3://audit/2026/pay.csv", "s3://audit/2026/pay.csv"),
            ("javascript:alert(1)", "javascript%3Aalert%281%29"),
            ("evil://host/x", "evil%3A//host/x"),
            ("4000 0566 5566 5556.csv", "4000%2005%2A%2A%20%2A%2A%2A%2A%205556.csv"),
        ];
        for (file, uri) in told {
            assert_eq!(of(file), uri);
        }
    }
}
