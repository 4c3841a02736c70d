#!/bin/sh
# 1,444 tables of 0 B..2.00 GiB in 1 task of about 4 s, 2 processors and 1 GiB each
# 1 table of 2.00 GiB..8.00 GiB in 1 task of about 1 min 4 s, 2 processors and 8 GiB each
set -eu
jobs=
job=$(hq --output-mode=quiet submit --cpus=2 --crash-limit=10 --name=dragnet-it-s --array=1-1 --resource mem=1024 \
  sh -c 'for again in 1 2 3; do dragnet generate '\''it'\''\'\'''\''s.toml'\'' --threads 2 --memory 1GiB --shard "$HQ_TASK_ID"/1 --needing 0GiB..2GiB; status=$?; case $status in 0 | 1 | 2) break ;; esac; done; exit $status')
jobs="$jobs $job"
job=$(hq --output-mode=quiet submit --cpus=2 --crash-limit=10 --name=dragnet-it-s --array=1-1 --resource mem=8192 \
  sh -c 'for again in 1 2 3; do dragnet generate '\''it'\''\'\'''\''s.toml'\'' --threads 2 --memory 8GiB --shard "$HQ_TASK_ID"/1 --needing 2GiB..8GiB; status=$?; case $status in 0 | 1 | 2) break ;; esac; done; exit $status')
jobs="$jobs $job"
for job in $jobs; do hq job wait "$job" || true; done
# Makes what is missing, and writes the report.
hq submit --cpus=2 --crash-limit=10 --name=dragnet-it-s-last --resource mem=8192 --wait \
  dragnet generate 'it'\''s.toml' --threads 2 --memory 8GiB
