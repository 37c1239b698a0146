//! `url`: one spelling for a web address.

use super::Plain;

/// Path and query keep their case: servers tell them apart. A value without `scheme://` stays as it is.
pub const URL: Plain = Plain {
    name: "url",
    meaning: "scheme and host are lower case; default port, fragment and the slash of an empty path are dropped",
    apply,
    keeps: super::never,
};

fn apply(value: &str, out: &mut String) {
    let Some((scheme, rest)) = value.trim().split_once("://") else {
        out.push_str(value);
        return;
    };
    if !is_scheme(scheme) {
        out.push_str(value);
        return;
    }
    let rest = rest.split('#').next().unwrap_or(rest);
    let (authority, tail) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let (user, host) = authority.split_at(authority.rfind('@').map_or(0, |at| at + 1));
    let scheme_from = out.len();
    out.push_str(scheme);
    out.make_ascii_lowercase();
    let port = default_port(out.get(scheme_from..).unwrap_or_default());
    out.push_str("://");
    out.push_str(user);
    out.extend(port.and_then(|port| host.strip_suffix(port)).unwrap_or(host).chars().flat_map(char::to_lowercase));
    match tail.strip_prefix('/') {
        Some(query) if query.is_empty() || query.starts_with('?') => out.push_str(query),
        _ => out.push_str(tail),
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

fn default_port(scheme: &str) -> Option<&'static str> {
    match scheme {
        "http" | "ws" => Some(":80"),
        "https" | "wss" => Some(":443"),
        "ftp" => Some(":21"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::applied;

    #[test]
    fn one_spelling_for_one_address() {
        for spelling in ["HTTPS://Example.org:443/", "https://example.org#top", " https://EXAMPLE.org "] {
            assert_eq!(applied("url", spelling), "https://example.org");
        }
        assert_eq!(applied("url", "http://Пример.рф/Путь?Q=1#x"), "http://пример.рф/Путь?Q=1");
        assert_eq!(applied("url", "http://h/?q"), "http://h?q");
    }

    #[test]
    fn what_matters_to_the_server_stays() {
        assert_eq!(applied("url", "http://Me@h:8080/A/"), "http://Me@h:8080/A/");
        assert_eq!(applied("url", "http://[::1]:80/a"), "http://[::1]/a");
        assert_eq!(applied("url", "https://h:80"), "https://h:80");
        assert_eq!(applied("url", "Example.org/A"), "Example.org/A");
    }
}
