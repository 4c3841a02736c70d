#!/bin/sh
#SBATCH --job-name=dragnet
#SBATCH --array=1-8
#SBATCH --cpus-per-task=16
#SBATCH --mem=32G
#SBATCH --time=12:00:00
#SBATCH --signal=TERM@60
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=dragnet-%a.log
# sbatch slurm.sh MANIFEST
exec srun --cpus-per-task="$SLURM_CPUS_PER_TASK" dragnet generate "$1" \
    --threads "$SLURM_CPUS_PER_TASK" --memory "$((SLURM_MEM_PER_NODE / 10 * 9))MiB"
