//! A CronJob for Kubernetes.

use super::quote::{kubernetes_word, yaml_word};
use super::{Job, JobError, JobFile, path_text};
use chrono::Timelike;
use std::fmt::Write;

/// With it findings are no failure of the job.
const EXIT_ZERO: &str = "--exit-zero";

pub(super) fn files(job: &Job) -> Result<Vec<JobFile>, JobError> {
    let exit_zero = (!job.arguments.iter().any(|argument| argument == EXIT_ZERO)).then_some(EXIT_ZERO);
    let words = [job.program.as_str(), "scan"].into_iter().chain(exit_zero).chain(job.arguments.iter().map(String::as_str));
    let command = words.map(kubernetes_word).collect::<Vec<_>>().join(", ");
    let folder = yaml_word(&path_text(&job.folder, "Kubernetes")?);
    let (name, image) = (&job.name, yaml_word(&job.image));
    let schedule = format!("\"{} {} * * *\"", job.at.minute(), job.at.hour());
    let zone = job.zone.as_ref().map_or(String::new(), |zone| format!("\n  timeZone: {}", yaml_word(zone)));
    let (mounts, volumes) = volumes(job)?;
    let text = format!(
        r#"# kubectl apply -f {name}.yaml
apiVersion: batch/v1
kind: CronJob
metadata:
  name: {name}
spec:
  schedule: {schedule}{zone}
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 3600
  successfulJobsHistoryLimit: 7
  failedJobsHistoryLimit: 7
  jobTemplate:
    spec:
      # Findings are no failure (--exit-zero): metrics and hooks tell of them. What fails would fail again.
      backoffLimit: 0
      activeDeadlineSeconds: 21600
      template:
        spec:
          restartPolicy: Never
          automountServiceAccountToken: false
          securityContext:
            runAsNonRoot: true
            runAsUser: 65532
            runAsGroup: 65532
            fsGroup: 65532
            seccompProfile:
              type: RuntimeDefault
          containers:
            - name: twicelog
              image: {image}
              command: [{command}]
              workingDir: {folder}
              securityContext:
                allowPrivilegeEscalation: false
                readOnlyRootFilesystem: true
                capabilities:
                  drop: ["ALL"]
              resources:
                requests:
                  cpu: "1"
                  memory: 768Mi
                limits:
                  memory: 1Gi
              volumeMounts:
{mounts}          volumes:
{volumes}"#
    );
    Ok(vec![JobFile { name: format!("{name}.yaml"), text }])
}

/// The exports, read-only unless the scan writes among them; a claim for everything else that it writes; room for temporary files.
fn volumes(job: &Job) -> Result<(String, String), JobError> {
    let (mut mounts, mut volumes) = (String::new(), String::new());
    // Writing to a String does not fail, here and below.
    let mut mount = |name: &str, path: &str, more: &str| {
        let _ = writeln!(mounts, "                - name: {name}\n                  mountPath: {}{more}", yaml_word(path));
    };
    let among_exports = job.writes.contains(&job.folder);
    let read_only = if among_exports { "" } else { "\n                  readOnly: true" };
    mount("exports", &path_text(&job.folder, "Kubernetes")?, read_only);
    let mut outputs = job.writes.iter().filter(|path| **path != job.folder).enumerate().peekable();
    let has_outputs = outputs.peek().is_some();
    for (place, path) in outputs {
        mount("outputs", &path_text(path, "Kubernetes")?, &format!("\n                  subPath: output-{}", place + 1));
    }
    mount("temporary", "/tmp", "");
    let mut claim = |name: &str| {
        let claim = format!("{}-{name}", job.name);
        let _ = writeln!(
            volumes,
            "            - name: {name}\n              persistentVolumeClaim:\n                claimName: {claim}"
        );
    };
    claim("exports");
    if has_outputs {
        claim("outputs");
    }
    let _ = writeln!(volumes, "            - name: temporary\n              emptyDir: {{}}");
    Ok((mounts, volumes))
}
