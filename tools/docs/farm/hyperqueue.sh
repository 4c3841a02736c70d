#!/bin/sh
# sh hyperqueue.sh MANIFEST
# Memory is counted in MiB, and a run is given somewhat more than it takes.
exec hq submit --name=dragnet --array=1-8 --cpus=4 --resource mem=9000 --crash-limit=10 --wait \
    dragnet generate "$1" --threads 4 --memory 8GiB
