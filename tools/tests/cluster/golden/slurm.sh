#!/bin/sh
# 1,444 tables of 0 B..2.00 GiB in 1 task of about 4 s, 2 processors and 1 GiB each
# 1 table of 2.00 GiB..8.00 GiB in 1 task of about 1 min 4 s, 2 processors and 8 GiB each
set -eu
jobs=
job=$(sbatch --parsable <<'END'
#!/bin/sh
#SBATCH --job-name=dragnet-it-s
#SBATCH --array=1-1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --mem=1G
#SBATCH --time=30
#SBATCH --signal=TERM@60
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=dragnet-it-s-%A-%a.log
srun --cpus-per-task=2 dragnet generate 'it'\''s.toml' --threads 2 --memory 1GiB --shard "$SLURM_ARRAY_TASK_ID"/1 --needing 0GiB..2GiB
status=$?
# Done, or it would fail again: a check failed, or the input is bad.
case $status in 0 | 1 | 2) exit $status ;; esac
# Time, memory, disk or a signal: the task goes on where it was.
[ "${SLURM_RESTART_COUNT:-0}" -lt 10 ] && scontrol requeue "$SLURM_JOB_ID"
exit $status
END
)
jobs=$jobs:$job
job=$(sbatch --parsable <<'END'
#!/bin/sh
#SBATCH --job-name=dragnet-it-s
#SBATCH --array=1-1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --mem=8G
#SBATCH --time=30
#SBATCH --signal=TERM@60
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=dragnet-it-s-%A-%a.log
srun --cpus-per-task=2 dragnet generate 'it'\''s.toml' --threads 2 --memory 8GiB --shard "$SLURM_ARRAY_TASK_ID"/1 --needing 2GiB..8GiB
status=$?
# Done, or it would fail again: a check failed, or the input is bad.
case $status in 0 | 1 | 2) exit $status ;; esac
# Time, memory, disk or a signal: the task goes on where it was.
[ "${SLURM_RESTART_COUNT:-0}" -lt 10 ] && scontrol requeue "$SLURM_JOB_ID"
exit $status
END
)
jobs=$jobs:$job
# Makes what is missing, and writes the report.
sbatch --dependency="afterany$jobs" <<'END'
#!/bin/sh
#SBATCH --job-name=dragnet-it-s-last
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --mem=8G
#SBATCH --time=30
#SBATCH --output=dragnet-it-s-last-%j.log
srun --cpus-per-task=2 dragnet generate 'it'\''s.toml' --threads 2 --memory 8GiB
END
