#!/bin/sh
# Builds and installs the C library for compilers, pkg-config and CMake, on systems with ELF libraries such as
# Linux:
#
#     install.sh PREFIX
#     install.sh --uninstall PREFIX
#
#     PREFIX/include/dragnet.h             PREFIX/lib/pkgconfig/dragnet.pc
#     PREFIX/include/dragnet.hpp           PREFIX/lib/pkgconfig/dragnet-static.pc
#     PREFIX/lib/libdragnet.a              PREFIX/lib/cmake/Dragnet/DragnetConfig.cmake
#     PREFIX/lib/libdragnet_static.a       PREFIX/lib/cmake/Dragnet/DragnetConfigVersion.cmake
#     PREFIX/lib/libdragnet.so...
#     PREFIX/share/doc/dragnet/LICENSE-MIT and LICENSE-APACHE
#
# libdragnet_static.a is another name of the archive, which a linker does not mistake for the shared library.
# The libraries are installed without debug lines. DESTDIR, for packagers, is a root below which the files are
# installed; no file mentions it. DRAGNET_PROFILE is the Cargo profile to build with, release by default.
# STRIP is the program that removes the debug lines, strip by default; `STRIP=:` keeps them.
set -eu

usage() {
    echo "usage: install.sh [--uninstall] PREFIX" >&2
    exit 2
}

uninstall=
if [ "${1:-}" = --uninstall ]; then
    uninstall=yes
    shift
fi
[ $# = 1 ] || usage
case $1 in
'' | -*) usage ;;
/*) prefix=$1 ;;
*) prefix=$PWD/$1 ;;
esac
root=${DESTDIR:-}$prefix

if [ "$uninstall" ]; then
    # Every version of the shared library, since the headers and the archive can be of only one.
    rm -f "$root/include/dragnet.h" "$root/include/dragnet.hpp" "$root/lib/libdragnet.a" "$root/lib/libdragnet_static.a" \
        "$root"/lib/libdragnet.so* "$root/lib/pkgconfig/dragnet.pc" "$root/lib/pkgconfig/dragnet-static.pc"
    rm -rf "$root/lib/cmake/Dragnet" "$root/share/doc/dragnet"
    echo "dragnet is no longer in $root"
    exit
fi

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
private=${private% }
width=$(($(rustc --print cfg | sed -n 's/^target_pointer_width="\(.*\)"$/\1/p') / 8))

install -d "$root/lib/pkgconfig" "$root/lib/cmake/Dragnet" "$root/include" "$root/share/doc/dragnet"
install -m 644 "$here/include/dragnet.h" "$here/include/dragnet.hpp" "$root/include"
install -m 644 "$built/libdragnet.a" "$root/lib"
install -m 755 "$built/libdragnet.so" "$root/lib/libdragnet.so.$version"
if command -v "${STRIP:-strip}" >/dev/null; then
    "${STRIP:-strip}" --strip-debug "$root/lib/libdragnet.a"
    "${STRIP:-strip}" --strip-unneeded "$root/lib/libdragnet.so.$version"
else
    echo "no ${STRIP:-strip}: the libraries keep their debug lines" >&2
fi
ln -sf libdragnet.a "$root/lib/libdragnet_static.a"
ln -sf "libdragnet.so.$version" "$root/lib/libdragnet.so.$interface"
ln -sf "libdragnet.so.$interface" "$root/lib/libdragnet.so"
install -m 644 "$here/../../LICENSE-MIT" "$here/../../LICENSE-APACHE" "$root/share/doc/dragnet"

# Writes a file from its template.
fill() {
    sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" -e "s|@INTERFACE@|$interface|" \
        -e "s|@LIBS_PRIVATE@|$private|" -e "s|@LIBS_CMAKE@|$(echo "$private" | tr ' ' ';')|" \
        -e "s|@POINTER_BYTES@|$width|" "$1" >"$2"
}
for name in dragnet.pc dragnet-static.pc; do
    fill "$here/$name.in" "$root/lib/pkgconfig/$name"
done
for name in DragnetConfig.cmake DragnetConfigVersion.cmake; do
    fill "$here/cmake/$name.in" "$root/lib/cmake/Dragnet/$name"
done
echo "dragnet $version is in $root"
