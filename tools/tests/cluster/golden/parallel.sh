#!/bin/sh
# 1,444 tables of 0 B..2.00 GiB in 1 task of about 4 s, 2 processors and 1 GiB each
# 1 table of 2.00 GiB..8.00 GiB in 1 task of about 1 min 4 s, 2 processors and 8 GiB each
set -u
seq 1 | parallel --jobs 50% --memfree 1G --retries 3 --joblog dragnet-it-s.joblog \
  "$@" 'for again in 1 2 3; do dragnet generate '\''it'\''\'\'''\''s.toml'\'' --threads 2 --memory 1GiB --shard {}/1 --needing 0GiB..2GiB; status=$?; case $status in 0 | 1 | 2) break ;; esac; done; exit $status'
seq 1 | parallel --jobs 50% --memfree 8G --retries 3 --joblog dragnet-it-s-2.joblog \
  "$@" 'for again in 1 2 3; do dragnet generate '\''it'\''\'\'''\''s.toml'\'' --threads 2 --memory 8GiB --shard {}/1 --needing 2GiB..8GiB; status=$?; case $status in 0 | 1 | 2) break ;; esac; done; exit $status'
# Makes what is missing, and writes the report.
dragnet generate 'it'\''s.toml' --threads 2 --memory 8GiB
