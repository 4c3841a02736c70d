//! `dragnet batch farm`: what to submit to a cluster.

mod scripts;

use crate::{
    failure::Failure,
    input::{arguments, manifest},
    make::{
        checked::check,
        farm::{FarmSize, arrays},
    },
    output::console::output,
};
use clap::{Args, ValueEnum};
use scripts::Submission;
use std::{io::Write, path::PathBuf, time::Duration};

/// Print what to submit to a cluster so that its machines make the tables of a manifest
///
/// The tasks are 'dragnet generate MANIFEST --shard I/N' and know of no other: each finds by itself which
/// tables are its own. Their number follows from the sizes and kinds of the boards, which are all read, and
/// from --task-time; the times are those of the machine on which Dragnet was measured, and right within a
/// factor of two or three. Tables that need much memory get tasks of their own. At the end a plain 'dragnet
/// generate MANIFEST' makes what is missing, and writes the report.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Farm {
    /// The manifest, by the path that the tasks use
    manifest: PathBuf,
    /// The scheduler
    #[arg(long = "for", value_enum, value_name = "SCHEDULER")]
    scheduler: SchedulerName,
    /// The time that a task is to take
    #[arg(long, value_name = "TIME", default_value = "20m", value_parser = humantime::parse_duration)]
    task_time: Duration,
    /// The number of tasks, of each class of memory, in place of what --task-time says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    tasks: Option<u32>,
    /// Processors of a task
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = arguments::threads)]
    cores: usize,
    /// The program, by the path that the tasks use
    #[arg(long, value_name = "PATH", default_value = "dragnet")]
    program: String,
    /// The image of the containers, for Kubernetes
    #[arg(long, value_name = "IMAGE", default_value = "dragnet:latest")]
    image: String,
    /// The claim of the volume that holds the manifest, the boards and the tables, for Kubernetes
    #[arg(long, value_name = "NAME", default_value = "dragnet")]
    claim: String,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet batch farm batch.toml --for slurm > farm.sh; sh farm.sh
  dragnet batch farm batch.toml --for kubernetes --image dragnet:1 > farm.yaml
  dragnet batch farm batch.toml --for parallel --cores 1 --task-time 5m";

/// A scheduler as `--for` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SchedulerName {
    /// Job arrays
    Slurm,
    /// Indexed Jobs
    Kubernetes,
    /// Task arrays
    Hyperqueue,
    /// GNU parallel, on this machine or by SSH
    Parallel,
}

impl SchedulerName {
    /// Returns the most tasks that an array may have as the scheduler is installed.
    fn most_tasks(self) -> u32 {
        match self {
            // MaxArraySize is 1001, and counts from 0.
            SchedulerName::Slurm => 1_000,
            // The statuses of all indices must have room in one object.
            SchedulerName::Kubernetes => 10_000,
            SchedulerName::Hyperqueue | SchedulerName::Parallel => 100_000,
        }
    }
}

impl Farm {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let list = manifest::read(&self.manifest)?;
        if !manifest::is_manifest(&self.manifest) {
            return Err(manifest::misnamed(&self.manifest));
        }
        let cores = if self.cores == 0 { 1 } else { self.cores };
        let checked = check(&list.tables, cores)?;
        let size = FarmSize {
            cores,
            task_time: self.task_time,
            tasks: self.tasks,
            most_tasks: self.scheduler.most_tasks(),
        };
        let arrays = arrays(&checked, &size);
        let path = self.manifest.to_str();
        let manifest =
            path.ok_or_else(|| Failure::input("expected a file name in UTF-8").in_file(&self.manifest))?;
        // The tasks would take it for an option.
        let manifest = if manifest.starts_with('-') { format!("./{manifest}") } else { manifest.to_owned() };
        let submission = Submission {
            manifest: &manifest,
            program: &self.program,
            cores,
            image: &self.image,
            claim: &self.claim,
            arrays: &arrays,
        };
        let text = match self.scheduler {
            SchedulerName::Slurm => submission.slurm(),
            SchedulerName::Kubernetes => submission.kubernetes(),
            SchedulerName::Hyperqueue => submission.hyperqueue(),
            SchedulerName::Parallel => submission.parallel(),
        };
        let mut output = output();
        output.write_all(text.as_bytes())?;
        Ok(output.flush()?)
    }
}
