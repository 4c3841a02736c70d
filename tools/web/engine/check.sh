#!/usr/bin/env bash
# Checks that built/engine.wasm is what build.sh makes of the source. Ends with 0 if it is, with 1 if not,
# and with 3 and the reason if this machine cannot build it: a package cannot be installed, or has another
# version.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0
CARGO_TARGET_DIR=$scratch/target "$here/build.sh" "$scratch/engine.wasm" "$scratch/engine.tools" || status=$?
if [ "$status" -ne 0 ]; then
    exit "$status"
fi
if ! diff "$here/engine.tools" "$scratch/engine.tools" >&2; then
    echo "check.sh: cannot compare engine.wasm: it was built with other versions of the tools" >&2
    exit 3
fi
if cmp "$scratch/engine.wasm" "$here/../built/engine.wasm"; then
    echo "engine.wasm is what its source makes"
    exit 0
fi
echo "check.sh: expected built/engine.wasm as build.sh makes it; run tools/web/engine/build.sh" >&2
exit 1
