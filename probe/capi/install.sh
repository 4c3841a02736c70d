#!/bin/sh
# Builds and installs the C library for compilers and pkg-config, on systems with ELF libraries such as Linux:
#
#     install.sh PREFIX
#
#     PREFIX/lib/libdragnet.a             PREFIX/include/dragnet.h
#     PREFIX/lib/libdragnet.so...         PREFIX/include/dragnet.hpp
#     PREFIX/lib/pkgconfig/dragnet.pc
#
# DESTDIR, for packagers, is a root below which the files are installed; dragnet.pc does not mention it.
# DRAGNET_PROFILE is the Cargo profile to build with, release by default.
set -eu

case ${1:-} in
'' | -*)
    echo "usage: install.sh PREFIX" >&2
    exit 2
    ;;
esac
case $1 in
/*) prefix=$1 ;;
*) prefix=$PWD/$1 ;;
esac
root=${DESTDIR:-}$prefix
here=$(cd "$(dirname "$0")" && pwd -P)
target=${CARGO_TARGET_DIR:-$here/../../target}
profile=${DRAGNET_PROFILE:-release}

cargo build --locked --profile "$profile" --manifest-path "$here/Cargo.toml" --target-dir "$target" --lib
[ "$profile" = dev ] && profile=debug
built=$target/$profile

# The version of the interface, computed as in build.rs.
version=$(cargo pkgid --manifest-path "$here/Cargo.toml")
version=${version##*[@#]}
major=${version%%.*}
minor=${version#*.}
minor=${minor%%.*}
if [ "$major" = 0 ]; then interface=0.$minor; else interface=$major; fi

# The libraries that Rust's standard library needs, without those that every C compiler links anyway. (The
# compiler replaces its output file, so that the output must not be a device such as /dev/null.)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
private=$(rustc --crate-name none --crate-type staticlib --print native-static-libs -o "$scratch/none.a" - </dev/null 2>&1 |
    sed -n 's/^note: native-static-libs: //p' | tr ' ' '\n' | grep -vx -e -lgcc_s -e -lc | tr '\n' ' ')

mkdir -p "$root/lib/pkgconfig" "$root/include"
install -m 644 "$here/include/dragnet.h" "$here/include/dragnet.hpp" "$root/include"
install -m 644 "$built/libdragnet.a" "$root/lib"
install -m 755 "$built/libdragnet.so" "$root/lib/libdragnet.so.$version"
ln -sf "libdragnet.so.$version" "$root/lib/libdragnet.so.$interface"
ln -sf "libdragnet.so.$interface" "$root/lib/libdragnet.so"
sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" -e "s|@LIBS_PRIVATE@|${private% }|" \
    "$here/dragnet.pc.in" >"$root/lib/pkgconfig/dragnet.pc"
echo "dragnet $version is in $root"
