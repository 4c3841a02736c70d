#!/usr/bin/env bash
# Builds engine.wasm, the same bytes in any folder.
#
#     tools/web/engine/build.sh [OUTPUT [TOOLS]]      by default tools/web/built/engine.wasm
#
# Writes engine.inputs too, a hash of the sources, unless OUTPUT is given.
# CARGO_TARGET_DIR names the folder for what is built on the way. README.md beside this file says what must be
# installed; as root on Debian this installs what is missing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
output=${1:-$root/tools/web/built/engine.wasm}
tools=${2:-$here/engine.tools}
llvm=22
sources=/usr/lib/rustlib/src/rust

missing() {
    [ -d "$sources/library" ] || echo rust-web-src
    [ -x /usr/bin/rustc ] || echo rustc-web
    command -v "clang-$llvm" >/dev/null || echo "clang-$llvm"
    command -v "wasm-ld-$llvm" >/dev/null || echo "lld-$llvm"
}
if [ -n "$(missing)" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    # shellcheck disable=SC2046
    { apt-get update -qq && apt-get install -qq -y --no-install-recommends $(missing) >/dev/null; } || true
fi
if [ -n "$(missing)" ]; then
    echo "build.sh: expected the Debian packages rustc-web, rust-web-src, clang-$llvm and lld-$llvm; missing:" \
        "$(missing | paste -sd' ')" >&2
    exit 3
fi

# Cargo puts the folders of the crates into the names of symbols, whose order is that of the functions: the
# repository is built under one name everywhere.
link=/tmp/dragnet-engine-source
if ! ln -sT "$root" "$link"; then
    echo "build.sh: expected no $link; another build is at work, or has left it behind" >&2
    exit 3
fi
trap 'rm -f "$link"' EXIT

export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$here/target}
export RUSTC=/usr/bin/rustc
# The standard library is built with the compiler of its own release, which calls this unstable.
export RUSTC_BOOTSTRAP=1
export CC_wasm32_unknown_unknown=clang-$llvm
# Tables have blocks of the default level of zstd; the code of higher levels is left out.
cflags=(-Os "-ffile-prefix-map=${CARGO_HOME:-$HOME/.cargo}=/cargo")
for strategy in LAZY LAZY2 BTLAZY2 BTOPT BTULTRA; do
    cflags+=("-DZSTD_EXCLUDE_${strategy}_BLOCK_COMPRESSOR")
done
export CFLAGS_wasm32_unknown_unknown="${cflags[*]}"
# A variable of this name in the environment would take the place of the flags below.
unset RUSTFLAGS
flags=(
    -Clinker="wasm-ld-$llvm"
    -Clinker-flavor=wasm-ld
    # All browsers that have CompressionStream have vectors of 128 bits.
    -Ctarget-feature=+simd128
    # Two products of 64 bits at once take browsers longer than one after the other.
    -Cno-vectorize-slp
    # A panic tells its message, not its place in the source, which would be a tenth of the file.
    -Zlocation-detail=none
    --remap-path-prefix="$link=/dragnet"
    --remap-path-prefix="${CARGO_HOME:-$HOME/.cargo}=/cargo"
)
CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f'; echo "${flags[*]}")
export CARGO_ENCODED_RUSTFLAGS
cd /
cargo build --manifest-path "$link/tools/web/engine/Cargo.toml" --release --locked --target wasm32-unknown-unknown -Zbuild-std=std,panic_abort
mkdir -p "$(dirname "$output")"
cp "$CARGO_TARGET_DIR/wasm32-unknown-unknown/release/dragnet_engine.wasm" "$output"
chmod 644 "$output"
# check.sh compares only what the same tools have made.
{ "$RUSTC" --version && "clang-$llvm" --version | head -n 1 && "wasm-ld-$llvm" --version; } >"$tools"
[ $# -gt 0 ] || "$here/inputs.py" >"$here/engine.inputs"
wc -c "$output"
