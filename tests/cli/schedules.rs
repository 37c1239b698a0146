//! Schedules: what is printed is what systemd, cron and Kubernetes take, and no argument is bent on the way.

use super::place::Place;
use std::process::Command;
use yaml_rust2::{Yaml, YamlLoader};

/// Arguments that each syntax would bend in its own way.
const NASTY: [&str; 16] = [
    "with blank.csv",
    "100%.csv",
    "%n %% %.csv",
    "\\%.csv",
    "\\\\%\\.csv",
    "$HOME.csv",
    "${HOME} $(HOME) $$.csv",
    "it's.csv",
    "say \"x\".csv",
    "`id`.csv",
    "back\\slash\\n.csv",
    ";",
    "a;b|c&d>e<f*?[g]~h#i!.csv",
    "имя 表 😀.csv",
    " - x: {y}, [z] ",
    "'\\''",
];

fn schedule(place: &Place, code: i32, kind: &[&str], scan: &[&str]) -> super::place::Run {
    place.expect(code, &[&["schedule"], kind, &["--"], scan].concat())
}

#[allow(clippy::disallowed_methods, reason = "where tests must not leave anything out is said by the environment")]
fn is_ci() -> bool {
    std::env::var_os("CI").is_some()
}

#[test]
fn systemd_takes_the_units() {
    let Ok(version) = Command::new("systemd-analyze").arg("--version").output() else {
        assert!(!is_ci(), "systemd-analyze is not there; install systemd");
        return;
    };
    assert!(version.status.success());
    let place = Place::empty();
    for (number, scan) in [&["--report", "re ports%"][..], &NASTY, &[]].into_iter().enumerate() {
        let into = format!("units-{number}");
        schedule(&place, 0, &["--systemd", "--into", &into, "--zone", "Europe/Moscow", "--at", "03:15"], scan);
        let units = ["twicelog.service", "twicelog.timer"].map(|name| place.path(&into).join(name));
        let verified = Command::new("systemd-analyze").args(["verify", "--man=no"]).args(&units).output().unwrap();
        let said = String::from_utf8_lossy(&verified.stderr).into_owned() + &String::from_utf8_lossy(&verified.stdout);
        assert!(verified.status.success() && said.is_empty(), "{said}");
    }
    let service = place.read("units-0/twicelog.service");
    assert!(service.contains("ReadWritePaths=\"") && service.contains("re ports%%\""), "{service}");
    assert!(service.contains("\nSuccessExitStatus=1\n"));
    let timer = place.read("units-0/twicelog.timer");
    assert!(timer.contains("OnCalendar=*-*-* 03:15:00 Europe/Moscow\n") && timer.contains("Persistent=true"), "{timer}");
}

/// The words of an `ExecStart=`, as systemd.syntax and systemd.service read them: double quotes, C escapes, `%%` and `$$`.
fn systemd_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.trim();
    while let Some(after) = rest.strip_prefix('"') {
        let mut word = String::new();
        let mut characters = after.char_indices();
        let end = loop {
            let (at, c) = characters.next().unwrap();
            match c {
                '"' => break at,
                '\\' => match characters.next().unwrap().1 {
                    'x' => {
                        let digits: String = [characters.next().unwrap().1, characters.next().unwrap().1].iter().collect();
                        word.push(char::from(u8::from_str_radix(&digits, 16).unwrap()));
                    }
                    c @ ('"' | '\\') => word.push(c),
                    other => panic!("an escape \\{other}"),
                },
                '%' | '$' => assert_eq!(characters.next().map(|(_, twin)| twin), Some(c), "expanded: {line}"),
                c => word.push(c),
            }
            if matches!(c, '%' | '$') {
                word.push(c);
            }
        };
        words.push(word);
        rest = after[end + 1..].trim_start();
    }
    assert_eq!(rest, "");
    words
}

#[test]
fn systemd_gives_every_argument_as_it_was() {
    let place = Place::empty();
    let arguments: Vec<&str> = NASTY.into_iter().chain(["line\nbreak\ttab"]).collect();
    let units = schedule(&place, 0, &["--systemd", "--program", "/usr/bin/twicelog"], &arguments).stdout;
    let command = units.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
    let expected: Vec<&str> = ["/usr/bin/twicelog", "scan"].into_iter().chain(arguments).collect();
    assert_eq!(systemd_words(command), expected);
}

/// The command of a crontab's line as cron gives it to the shell: `\%` is `%`, and the line ends at a bare one (crontab(5)).
fn cron_command(line: &str) -> String {
    let command = line.splitn(6, ' ').nth(5).unwrap();
    let mut out = String::new();
    let mut escaped = false;
    for c in command.chars() {
        match c {
            '%' if escaped => {
                out.pop();
                out.push('%');
            }
            '%' => return out,
            c => out.push(c),
        }
        escaped = c == '\\' && !escaped;
    }
    out
}

#[cfg(unix)]
#[test]
fn cron_gives_every_argument_as_it_was_and_is_silent_without_findings() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::empty();
    place.write(
        "it's 100%/told",
        "#!/bin/sh\nfor word; do printf '<%s>\\n' \"$word\"; done > words\necho out; exit $(cat code)\n",
    );
    let program = place.path("it's 100%/told");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let folder = place.path("it's 100%");
    let cron =
        ["--cron", "--mail", "a@example.org", "--program", program.to_str().unwrap(), "--folder", folder.to_str().unwrap()];
    let crontab = schedule(&place, 0, &cron, &NASTY).stdout;
    assert!(crontab.contains("\nMAILTO=\"a@example.org\"\n"), "{crontab}");
    let line = crontab.lines().last().unwrap();
    assert!(line.starts_with("30 2 * * * "), "{line}");
    for (code, expected) in [("0", ""), ("1", "twicelog ended with 1\nout\n")] {
        place.write("it's 100%/code", code);
        let run = Command::new("/bin/sh").args(["-c", &cron_command(line)]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&run.stdout), expected, "{}", String::from_utf8_lossy(&run.stderr));
        let words: String = ["scan"].iter().chain(&NASTY).map(|word| format!("<{word}>\n")).collect();
        assert_eq!(place.read("it's 100%/words"), words);
    }
    for (kind, scan) in [(&["--cron"][..], &["line\nbreak"][..]), (&["--cron", "--zone", "UTC"], &[]), (&["--cron"], &["x"; 400])]
    {
        schedule(&place, 2, kind, scan);
    }
}

/// What Kubernetes makes of an element of `command`: `$$` is `$`, `$(NAME)` would be expanded.
fn expanded(text: &str) -> String {
    let mut out = String::new();
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        if c == '$' {
            assert_eq!(characters.next(), Some('$'), "expanded: {text}");
        }
        out.push(c);
    }
    out
}

#[test]
fn kubernetes_gives_every_argument_as_it_was() {
    let place = Place::empty();
    let arguments: Vec<&str> = NASTY.into_iter().chain(["line\nbreak\u{7f}\u{85}\u{2028}", "--report", "/reports"]).collect();
    let text = schedule(&place, 0, &["--k8s", "--zone", "Europe/Moscow", "--at", "23:05"], &arguments).stdout;
    let documents = YamlLoader::load_from_str(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    let [job] = &documents[..] else { panic!("{text}") };
    let spec = &job["spec"];
    assert_eq!((job["kind"].as_str(), spec["schedule"].as_str()), (Some("CronJob"), Some("5 23 * * *")));
    assert_eq!((spec["concurrencyPolicy"].as_str(), spec["timeZone"].as_str()), (Some("Forbid"), Some("Europe/Moscow")));
    let pod = &spec["jobTemplate"]["spec"]["template"]["spec"];
    assert_eq!(pod["restartPolicy"].as_str(), Some("Never"));
    let container = &pod["containers"][0];
    assert_eq!(container["securityContext"]["readOnlyRootFilesystem"].as_bool(), Some(true));
    let words: Vec<String> = container["command"].as_vec().unwrap().iter().map(|word| expanded(word.as_str().unwrap())).collect();
    let expected: Vec<&str> = ["twicelog", "scan", "--exit-zero"].into_iter().chain(arguments).collect();
    assert_eq!(words, expected);
    let name = |volume: &Yaml| volume["name"].as_str().unwrap().to_owned();
    let volumes: Vec<String> = pod["volumes"].as_vec().unwrap().iter().map(name).collect();
    let mounts = container["volumeMounts"].as_vec().unwrap();
    assert!(mounts.iter().all(|mount| volumes.contains(&name(mount))), "{text}");
    let at = |path: &str| mounts.iter().find(|mount| mount["mountPath"].as_str() == Some(path)).unwrap();
    assert_eq!(at("/data")["readOnly"].as_bool(), Some(true));
    assert!(at("/reports")["readOnly"].is_badvalue() && at("/tmp")["readOnly"].is_badvalue());
}

#[test]
fn a_scan_that_could_not_start_is_no_job() {
    let place = Place::empty();
    assert!(schedule(&place, 2, &["--systemd"], &["--frobnicate"]).stderr.contains("--frobnicate"));
    schedule(&place, 2, &["--systemd", "--at", "25:00"], &[]);
    schedule(&place, 2, &["--systemd", "--folder", "here"], &[]);
    schedule(&place, 2, &["--systemd", "--name", "Night Run"], &[]);
    place.expect(2, &["schedule"]);
    place.expect(2, &["schedule", "--cron", "--k8s"]);
}
