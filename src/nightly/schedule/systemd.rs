//! A service and its timer for systemd.

use super::quote::{systemd_path, systemd_word};
use super::{Job, JobError, JobFile, path_text};

pub(super) fn files(job: &Job) -> Result<Vec<JobFile>, JobError> {
    Ok(vec![
        JobFile { name: format!("{}.service", job.name), text: service(job)? },
        JobFile { name: format!("{}.timer", job.name), text: timer(job) },
    ])
}

fn service(job: &Job) -> Result<String, JobError> {
    // systemd expands no `$` in the name of the program.
    let program = systemd_word(&job.program).replace("$$", "$");
    let words = ["scan"].into_iter().chain(job.arguments.iter().map(String::as_str)).map(systemd_word);
    let command = [program].into_iter().chain(words).collect::<Vec<_>>().join(" ");
    let folder = path_text(&job.folder, "systemd")?.replace('%', "%%");
    let writes = job.writes.iter().map(|path| systemd_path(&path_text(path, "systemd")?)).collect::<Result<Vec<_>, _>>()?;
    let writes = if writes.is_empty() {
        "# The scan names no output, so that it writes nowhere.".to_owned()
    } else {
        format!("# These must be there, and belong to the user.\nReadWritePaths={}", writes.join(" "))
    };
    let (name, user) = (&job.name, &job.user);
    Ok(format!(
        r#"# /etc/systemd/system/{name}.service
[Unit]
Description=twicelog: what took effect twice
Documentation=man:twicelog(1)

[Service]
Type=oneshot
ExecStart={command}
WorkingDirectory={folder}
User={user}
# 1: there are findings, and the scan did its work. 2 to 6 fail the unit, for OnFailure= to tell.
SuccessExitStatus=1
TimeoutStartSec=6h
Nice=10
UMask=0077
{writes}
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
# Where no input is a URL and no hook calls out, PrivateNetwork=yes closes the network.
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
"#
    ))
}

fn timer(job: &Job) -> String {
    let (name, at) = (&job.name, job.at.format("%H:%M:%S"));
    let zone = job.zone.as_ref().map_or(String::new(), |zone| format!(" {zone}"));
    format!(
        r#"# /etc/systemd/system/{name}.timer; then: systemctl enable --now {name}.timer
[Unit]
Description=twicelog each night

[Timer]
OnCalendar=*-*-* {at}{zone}
# A night on which the machine was off is made up for. A run that is still going is not started twice.
Persistent=true
AccuracySec=1min

[Install]
WantedBy=timers.target
"#
    )
}
