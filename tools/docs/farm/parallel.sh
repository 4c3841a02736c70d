#!/bin/sh
# sh parallel.sh MANIFEST [OPTION OF PARALLEL]...
manifest=$1
shift
# -n0 puts no number behind the command, and -q keeps its words as they are.
seq 8 | parallel -n0 -q --jobs 25% --retries 10 --joblog dragnet.joblog "$@" \
    dragnet generate "$manifest" --threads 4 --memory 8GiB
