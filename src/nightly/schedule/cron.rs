//! A line of a crontab, with a lock, and mail on the nights that have something to say.

use super::quote::cron_word;
use super::{Job, JobError, JobFile, path_text};
use chrono::Timelike;

/// Longer commands are cut by some crons (`MAX_COMMAND` of Vixie's cron).
const LONGEST: usize = 990;

pub(super) fn files(job: &Job) -> Result<Vec<JobFile>, JobError> {
    if job.zone.is_some() {
        return Err(JobError::Zone("cron"));
    }
    let folder = path_text(&job.folder, "a crontab")?;
    let words = [job.program.as_str(), "scan"].into_iter().chain(job.arguments.iter().map(String::as_str));
    let command = words.map(cron_word).collect::<Result<Vec<_>, _>>()?.join(" ");
    let lock = cron_word(&format!("{}/.{}.lock", folder.trim_end_matches('/'), job.name))?;
    let folder = cron_word(&folder)?;
    let name = &job.name;
    let command = format!(
        "cd {folder} && {{ told=$(umask 077; flock -n -E 5 {lock} {command} 2>&1) || printf '\\%s\\n' \"{name} ended with $?\" \"$told\"; }}"
    );
    if command.len() > LONGEST {
        return Err(JobError::LongLine(command.len()));
    }
    let mail = job.mail.as_ref().map_or(Ok("# MAILTO=somebody@example.org".to_owned()), |mail| {
        // A crontab's variable takes the rest of the line.
        if mail.chars().any(|c| c.is_control() || c == '"') {
            Err(JobError::Control(mail.clone(), "a crontab"))
        } else {
            Ok(format!("MAILTO=\"{mail}\""))
        }
    })?;
    let text = format!(
        "# crontab -e, under the account that may read the exports.\n\
         # cron mails what is printed: nothing when there is nothing to report, else the summary with its exit code\n\
         # (1 findings, 2 usage or configuration, 3 incomplete, 4 output not written, 5 the last night is still running).\n\
         SHELL=/bin/sh\n{mail}\n{} {} * * * {command}\n",
        job.at.minute(),
        job.at.hour(),
    );
    Ok(vec![JobFile { name: format!("{}.crontab", job.name), text }])
}
