//! The variables with which schedulers tell a task its number.

use crate::{failure::Failure, input::shard::ShardChoice};

/// How a scheduler numbers the tasks of an array.
struct Scheduler {
    name: &'static str,
    /// The variable with the number of the task.
    index: &'static str,
    /// The number of the first task, where that is fixed or the user says how many tasks there are.
    first: u32,
    /// The variable with the number of tasks, if there is one.
    count: Option<&'static str>,
    /// The variables with the number of the first task and with the distance between two, if an array may
    /// begin anywhere.
    range: Option<[&'static str; 2]>,
}

const SCHEDULERS: [Scheduler; 5] = [
    Scheduler {
        name: "Slurm",
        index: "SLURM_ARRAY_TASK_ID",
        first: 1,
        count: Some("SLURM_ARRAY_TASK_COUNT"),
        range: Some(["SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP"]),
    },
    Scheduler { name: "Kubernetes", index: "JOB_COMPLETION_INDEX", first: 0, count: None, range: None },
    Scheduler { name: "HyperQueue", index: "HQ_TASK_ID", first: 1, count: None, range: None },
    Scheduler {
        name: "AWS Batch",
        index: "AWS_BATCH_JOB_ARRAY_INDEX",
        first: 0,
        count: Some("AWS_BATCH_JOB_ARRAY_SIZE"),
        range: None,
    },
    Scheduler {
        name: "Google Batch",
        index: "BATCH_TASK_INDEX",
        first: 0,
        count: Some("BATCH_TASK_COUNT"),
        range: None,
    },
];

/// The number of a shard from 1 on, and how many there are.
pub(crate) type NumberAndCount = (u32, u32);

impl ShardChoice {
    /// Returns the number of the shard and how many there are. `variable` looks a variable of the environment
    /// up.
    ///
    /// # Errors
    /// When the shard is to be taken from the environment, and there the variables are missing, are no
    /// numbers, or contradict each other.
    pub(crate) fn resolve(
        self,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<NumberAndCount, Failure> {
        let of = match self {
            ShardChoice::Given { number, of } => return Ok((number, of)),
            ShardChoice::Auto { of } => of,
        };
        let named = match of {
            Some(of) => format!("--shard auto/{of}"),
            None => "--shard auto".to_owned(),
        };
        let wrong = |message: String| {
            Failure::input(format!("{named}: {message}"))
                .with_hint("--shard I/N names the shard, with I from 1 to N")
        };
        let mut found: Option<(&Scheduler, NumberAndCount)> = None;
        for scheduler in &SCHEDULERS {
            let Some(index) = variable(scheduler.index) else { continue };
            let shard = scheduler.shard(&index, of, variable).map_err(wrong)?;
            match found {
                Some((other, known)) if known != shard => {
                    return Err(wrong(format!(
                        "expected the variables of one scheduler, found {} of {} (shard {}/{}) and {} of {} \
                         (shard {}/{})",
                        other.index,
                        other.name,
                        known.0,
                        known.1,
                        scheduler.index,
                        scheduler.name,
                        shard.0,
                        shard.1
                    )));
                }
                _ => found = Some((scheduler, shard)),
            }
        }
        found.map(|(_, shard)| shard).ok_or_else(|| {
            let names: Vec<String> = SCHEDULERS
                .iter()
                .map(|scheduler| format!("{} ({})", scheduler.index, scheduler.name))
                .collect();
            wrong(format!(
                "expected the variables of a scheduler, found none of {}; is this a task of an array?",
                names.join(", ")
            ))
        })
    }
}

impl Scheduler {
    /// Returns the shard of a task whose number is `index`, of `of` shards if the user says so.
    fn shard(
        &self,
        index: &str,
        of: Option<u32>,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<NumberAndCount, String> {
        let number = |name: &str, text: &str| -> Result<u32, String> {
            text.trim()
                .parse()
                .map_err(|_| format!("expected a number in {name} of {}, found {text:?}", self.name))
        };
        let read = |name: &str| variable(name).map(|text| number(name, &text)).transpose();
        let index_number = number(self.index, index)?;
        let counted = self.count.map(read).transpose()?.flatten();
        let (first, step, count) = match (of, self.range, counted) {
            (Some(of), range, counted) => {
                if let (None, Some(counted), Some(name)) = (range, counted, self.count)
                    && counted != of
                {
                    return Err(format!("{name} of {} says that there are {counted} tasks", self.name));
                }
                (self.first, 1, of)
            }
            (None, Some(names), Some(count)) => {
                let [first, step] = names.map(|name| read(name)?.ok_or_else(|| self.missing(name)));
                (first?, step?.max(1), count)
            }
            (None, None, Some(count)) => (self.first, 1, count),
            (None, _, None) => {
                return Err(match self.count {
                    Some(name) => self.missing(name),
                    None => format!(
                        "{} ({}) does not tell how many tasks there are; say it, as in --shard auto/200",
                        self.name, self.index
                    ),
                });
            }
        };
        let from_first = index_number.checked_sub(first).filter(|past| past.is_multiple_of(step));
        let place = from_first.map(|past| past / step).filter(|&place| place < count);
        place.map(|place| (place + 1, count)).ok_or_else(|| {
            let last = u64::from(first) + u64::from(step) * u64::from(count.saturating_sub(1));
            let by = if step > 1 { format!(" in steps of {step}") } else { String::new() };
            format!(
                "expected a number from {first} to {last}{by} in {} of {}, found {index_number}",
                self.index, self.name
            )
        })
    }

    fn missing(&self, name: &str) -> String {
        format!("expected {name} beside {} of {}, found none", self.index, self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(choice: &str, variables: &[(&str, &str)]) -> Result<NumberAndCount, String> {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        choice.parse::<ShardChoice>().unwrap().resolve(&variable).map_err(|failure| failure.text())
    }

    fn slurm<'a>(id: &'a str, min: &'a str, step: &'a str, count: &'a str) -> Vec<(&'a str, &'a str)> {
        vec![
            ("SLURM_ARRAY_TASK_ID", id),
            ("SLURM_ARRAY_TASK_MIN", min),
            ("SLURM_ARRAY_TASK_STEP", step),
            ("SLURM_ARRAY_TASK_COUNT", count),
        ]
    }

    #[test]
    fn arrays_of_every_scheduler_are_numbered_from_one() {
        assert_eq!(resolve("auto", &slurm("1", "1", "1", "8")), Ok((1, 8)));
        assert_eq!(resolve("auto", &slurm("0", "0", "1", "8")), Ok((1, 8)));
        assert_eq!(resolve("auto", &slurm("17", "11", "3", "4")), Ok((3, 4)));
        // Some of the tasks of an array that was submitted from 1 to 200.
        assert_eq!(resolve("auto/200", &slurm("7", "3", "4", "2")), Ok((7, 200)));
        assert_eq!(resolve("auto/8", &[("JOB_COMPLETION_INDEX", "0")]), Ok((1, 8)));
        assert_eq!(resolve("auto/8", &[("HQ_TASK_ID", "8")]), Ok((8, 8)));
        let aws = [("AWS_BATCH_JOB_ARRAY_INDEX", "9"), ("AWS_BATCH_JOB_ARRAY_SIZE", "10")];
        assert_eq!(resolve("auto", &aws), Ok((10, 10)));
        assert_eq!(resolve("auto/10", &aws), Ok((10, 10)));
        assert_eq!(resolve("auto", &[("BATCH_TASK_INDEX", "0"), ("BATCH_TASK_COUNT", "3")]), Ok((1, 3)));
        assert_eq!(resolve("2/5", &aws), Ok((2, 5)));
    }

    #[test]
    fn missing_and_wrong_variables_are_named() {
        let fails = |choice: &str, variables: &[(&str, &str)], parts: &[&str]| {
            let message = resolve(choice, variables).unwrap_err();
            for part in parts {
                assert!(message.contains(part), "expected {part:?} in {message:?}");
            }
        };
        let all = SCHEDULERS.map(|scheduler| scheduler.index);
        fails("auto", &[], &all);
        fails("auto/8", &[], &["--shard auto/8: expected the variables"]);
        fails("auto", &[("JOB_COMPLETION_INDEX", "3")], &["Kubernetes", "how many tasks", "auto/200"]);
        fails("auto/8", &[("JOB_COMPLETION_INDEX", "8")], &["a number from 0 to 7", "found 8"]);
        fails("auto/8", &[("HQ_TASK_ID", "0")], &["a number from 1 to 8 in HQ_TASK_ID", "found 0"]);
        fails(
            "auto",
            &[("SLURM_ARRAY_TASK_ID", "3")],
            &["SLURM_ARRAY_TASK_COUNT beside SLURM_ARRAY_TASK_ID"],
        );
        // An array of 1, 2 and 5 to 7.
        fails(
            "auto",
            &slurm("7", "1", "1", "5"),
            &["a number from 1 to 5 in SLURM_ARRAY_TASK_ID", "found 7"],
        );
        fails("auto", &slurm("12", "11", "3", "4"), &["from 11 to 20 in steps of 3"]);
        fails("auto", &[("BATCH_TASK_INDEX", "two")], &["a number in BATCH_TASK_INDEX", "\"two\""]);
        let aws = [("AWS_BATCH_JOB_ARRAY_INDEX", "9"), ("AWS_BATCH_JOB_ARRAY_SIZE", "10")];
        fails("auto/200", &aws, &["AWS_BATCH_JOB_ARRAY_SIZE", "10 tasks"]);
    }

    #[test]
    fn a_worker_inside_an_array_is_asked_which_scheduler_counts() {
        let mut both = slurm("3", "1", "1", "8");
        both.push(("HQ_TASK_ID", "5"));
        let message = resolve("auto/8", &both).unwrap_err();
        for part in ["SLURM_ARRAY_TASK_ID of Slurm (shard 3/8)", "HQ_TASK_ID of HyperQueue (shard 5/8)"] {
            assert!(message.contains(part), "{message}");
        }
        both.pop();
        both.push(("HQ_TASK_ID", "3"));
        assert_eq!(resolve("auto/8", &both), Ok((3, 8)));
    }
}
