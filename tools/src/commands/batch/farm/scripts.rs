//! The scripts and the YAML that `dragnet batch farm` prints.

use crate::{input::shard::MemoryClass, make::farm::TaskArray, output::human};
use std::path::Path;

/// The facts about the tasks of which every script tells its scheduler.
pub(super) struct Submission<'a> {
    pub(super) manifest: &'a str,
    pub(super) program: &'a str,
    /// Processors of a task.
    pub(super) cores: usize,
    pub(super) image: &'a str,
    /// The name of a claim of Kubernetes.
    pub(super) claim: &'a str,
    pub(super) arrays: &'a [TaskArray],
}

/// How often a task is begun again at most.
const RETRIES: u32 = 10;
/// Seconds between a signal and the end of a task by force, for its checkpoint.
const GRACE: u32 = 60;

impl Submission<'_> {
    /// Returns the words of the command that makes what is missing, and writes the report. A task has more
    /// behind them.
    fn last_words(&self, memory: u64) -> Vec<String> {
        let words = [self.program, "generate", self.manifest, "--threads", &self.cores.to_string()];
        let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        words.extend(["--memory".to_owned(), format!("{memory}GiB")]);
        words
    }

    /// Returns the command of a task for a shell. `index` is the part of `--shard` before the slash, for the
    /// shell to expand.
    fn task(&self, array: &TaskArray, index: &str) -> String {
        let [before, behind] = [self.last_words(array.memory), needing(array)].map(|words| line(&words));
        format!("{before} --shard {index}/{} {behind}", array.tasks).trim_end().to_owned()
    }

    /// Returns the command that makes what is missing, for a shell.
    fn last(&self) -> String {
        line(&self.last_words(self.most_memory()))
    }

    fn most_memory(&self) -> u64 {
        self.arrays.iter().map(|array| array.memory).max().unwrap_or(1)
    }

    /// Returns the name of the jobs: that of the manifest, as every scheduler allows it.
    fn name(&self) -> String {
        let stem = Path::new(self.manifest).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let allowed = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        let name: String = stem.chars().map(allowed).take(40).collect();
        format!("dragnet-{}", name.trim_matches('-')).trim_end_matches('-').to_owned()
    }

    /// Returns lines that say what is submitted, each behind `# `.
    fn summary(&self) -> String {
        let mut lines = String::new();
        for array in self.arrays {
            let class = array.class.map(|class| format!(" of {}", class.words())).unwrap_or_default();
            lines += &format!(
                "# {}{class} in {} of about {}, {} and {} GiB each\n",
                human::counted(array.tables, "table", "tables"),
                human::counted(array.tasks.into(), "task", "tasks"),
                human::duration(array.time),
                human::counted(self.cores as u64, "processor", "processors"),
                array.memory
            );
        }
        lines
    }

    /// Returns a shell script that submits job arrays to Slurm, and a last job behind them.
    pub(super) fn slurm(&self) -> String {
        let (name, cores, summary, last) = (self.name(), self.cores, self.summary(), self.last());
        let mut text = format!("#!/bin/sh\n{summary}set -eu\njobs=\n");
        for array in self.arrays {
            let (tasks, memory, minutes) = (array.tasks, array.memory, array.limit_minutes());
            let task = self.task(array, "\"$SLURM_ARRAY_TASK_ID\"");
            text += &format!(
                "job=$(sbatch --parsable <<'END'
#!/bin/sh
#SBATCH --job-name={name}
#SBATCH --array=1-{tasks}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={cores}
#SBATCH --mem={memory}G
#SBATCH --time={minutes}
#SBATCH --signal=TERM@{GRACE}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output={name}-%A-%a.log
srun --cpus-per-task={cores} {task}
status=$?
# Done, or it would fail again: a check failed, or the input is bad.
case $status in 0 | 1 | 2) exit $status ;; esac
# Time, memory, disk or a signal: the task goes on where it was.
[ \"${{SLURM_RESTART_COUNT:-0}}\" -lt {RETRIES} ] && scontrol requeue \"$SLURM_JOB_ID\"
exit $status
END
)
jobs=$jobs:$job
"
            );
        }
        let memory = self.most_memory();
        // As long as a task of the arrays may take that has lost its node.
        let minutes = self.arrays.iter().map(TaskArray::limit_minutes).max().unwrap_or(0);
        text += &format!(
            "# Makes what is missing, and writes the report.
sbatch --dependency=\"afterany$jobs\" <<'END'
#!/bin/sh
#SBATCH --job-name={name}-last
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={cores}
#SBATCH --mem={memory}G
#SBATCH --time={minutes}
#SBATCH --output={name}-last-%j.log
srun --cpus-per-task={cores} {last}
END
"
        );
        text
    }

    /// Returns a loop of a shell that runs a command again if that may help, and ends with its last status.
    fn again(command: &str) -> String {
        format!(
            "for again in 1 2 3; do {command}; status=$?; \
             case $status in 0 | 1 | 2) break ;; esac; done; exit $status"
        )
    }

    /// Returns a shell script that submits task arrays to HyperQueue, waits, and submits a last task.
    pub(super) fn hyperqueue(&self) -> String {
        let (name, cores, summary) = (self.name(), self.cores, self.summary());
        let submit = format!("submit --cpus={cores} --crash-limit={RETRIES}");
        let mut text = format!("#!/bin/sh\n{summary}set -eu\njobs=\n");
        for array in self.arrays {
            let command = quoted(&Submission::again(&self.task(array, "\"$HQ_TASK_ID\"")));
            let (tasks, memory) = (array.tasks, array.memory << 10);
            text += &format!(
                "job=$(hq --output-mode=quiet {submit} --name={name} --array=1-{tasks} \
                 --resource mem={memory} \\\n  sh -c {command})\njobs=\"$jobs $job\"\n"
            );
        }
        let memory = self.most_memory() << 10;
        text += &format!(
            "for job in $jobs; do hq job wait \"$job\" || true; done\n\
             # Makes what is missing, and writes the report.\n\
             hq {submit} --name={name}-last --resource mem={memory} --wait \\\n  {}\n",
            self.last()
        );
        text
    }

    /// Returns a shell script that runs the tasks by GNU parallel, whose options may be arguments of the
    /// script.
    pub(super) fn parallel(&self) -> String {
        let (name, summary, last) = (self.name(), self.summary(), self.last());
        // A share of the processors, so that each task has its own.
        let share = (100 / self.cores).max(1);
        let mut text = format!("#!/bin/sh\n{summary}set -u\n");
        for (number, array) in self.arrays.iter().enumerate() {
            // GNU parallel replaces {}, {1} and the like. Empty quotes behind each brace of a file name
            // prevent that.
            let task = self.task(array, "\0").replace('{', "{''").replace('\0', "{}");
            let command = quoted(&Submission::again(&task));
            let (tasks, memory) = (array.tasks, array.memory);
            let log = if number == 0 { name.clone() } else { format!("{name}-{}", number + 1) };
            text += &format!(
                "seq {tasks} | parallel --jobs {share}% --memfree {memory}G --retries 3 \
                 --joblog {log}.joblog \\\n  \"$@\" {command}\n"
            );
        }
        text += &format!("# Makes what is missing, and writes the report.\n{last}\n");
        text
    }

    /// Returns Indexed Jobs of Kubernetes, and a last Job that is suspended at first.
    pub(super) fn kubernetes(&self) -> String {
        let (name, summary) = (self.name(), self.summary());
        let mut text = summary;
        for (number, array) in self.arrays.iter().enumerate() {
            let name = if self.arrays.len() > 1 { format!("{name}-{}", number + 1) } else { name.clone() };
            let (tasks, seconds) = (array.tasks, array.limit_minutes() * 60);
            let spec = format!(
                "  completionMode: Indexed
  completions: {tasks}
  parallelism: {tasks}
  backoffLimitPerIndex: {RETRIES}
  podFailurePolicy:
    rules:
      # It would fail again: a check failed, or the input is bad.
      - action: FailIndex
        onExitCodes: {{ containerName: dragnet, operator: In, values: [1, 2] }}
      # The node was drained or lost.
      - action: Ignore
        onPodConditions: [{{ type: DisruptionTarget, status: \"True\" }}]
"
            );
            let mut words = self.last_words(array.memory);
            words.extend(["--shard".to_owned(), format!("auto/{tasks}")]);
            words.extend(needing(array));
            text += &self.job(&name, &spec, &words, array.memory, Some(seconds));
        }
        let last = self.last_words(self.most_memory());
        text += &format!(
            "# Makes what is missing, and writes the report, when the others have ended:
#   kubectl patch job {name}-last -p '{{\"spec\": {{\"suspend\": false}}}}'
"
        );
        text += &self.job(
            &format!("{name}-last"),
            "  suspend: true\n  backoffLimit: 3\n",
            &last,
            self.most_memory(),
            None,
        );
        text
    }

    /// Returns a Job of Kubernetes with these lines in its specification. A pod that takes longer than
    /// `seconds` is ended and begun anew.
    fn job(&self, name: &str, spec: &str, words: &[String], memory: u64, seconds: Option<u64>) -> String {
        let words: Vec<String> = words.iter().map(|word| json(word)).collect();
        let (image, claim, cores) = (json(self.image), json(self.claim), self.cores);
        let limit =
            seconds.map(|seconds| format!("      activeDeadlineSeconds: {seconds}\n")).unwrap_or_default();
        format!(
            "---
apiVersion: batch/v1
kind: Job
metadata:
  name: {name}
spec:
{spec}  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: {GRACE}
{limit}      containers:
        - name: dragnet
          image: {image}
          workingDir: /data
          command: [{}]
          resources:
            requests: {{ cpu: \"{cores}\", memory: {memory}Gi }}
            limits: {{ memory: {memory}Gi }}
          volumeMounts:
            - {{ name: data, mountPath: /data }}
      volumes:
        - name: data
          persistentVolumeClaim: {{ claimName: {claim} }}
",
            words.join(", ")
        )
    }
}

/// Returns the words of the option that leaves a task the tables of its class.
fn needing(array: &TaskArray) -> Vec<String> {
    let Some(MemoryClass { above, most }) = array.class else { return Vec::new() };
    // The ends of classes of a farm are whole GiB.
    vec!["--needing".to_owned(), format!("{}GiB..{}GiB", above >> 30, most >> 30)]
}

/// Returns a text in quotes, as YAML has it.
fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns the words as a line for a shell.
fn line(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// Returns a word for a shell, in quotes where it needs some.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("a/b-3.toml"), "a/b-3.toml");
        assert_eq!(quoted("my maps.toml"), "'my maps.toml'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("$HOME"), "'$HOME'");
    }
}
