#!/bin/sh
# Builds the C library and installs it for compilers and pkg-config, on Linux and other systems with ELF libraries:
#
#     install.sh PREFIX
#
#     PREFIX/lib/libdragnet.a             PREFIX/include/dragnet.h
#     PREFIX/lib/libdragnet.so...         PREFIX/include/dragnet.hpp
#     PREFIX/lib/pkgconfig/dragnet.pc
#
# Packagers set DESTDIR, below which all this is put without being mentioned in dragnet.pc. DRAGNET_PROFILE is a profile of
# cargo other than release.
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

# As in build.rs.
version=$(cargo pkgid --manifest-path "$here/Cargo.toml")
version=${version##*[@#]}
major=${version%%.*}
minor=${version#*.}
minor=${minor%%.*}
if [ "$major" = 0 ]; then interface=0.$minor; else interface=$major; fi

# What Rust's own library needs, less what every C compiler links without being told. (The compiler makes its output anew
# under its name, which must not be that of a device.)
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
