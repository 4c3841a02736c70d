#!/usr/bin/env bash
# Makes the package for Unity: an archive that the package manager installs from disk.
#
#     pack.sh FOLDER [PLATFORM=LIBRARY]...
#
# PLATFORM is linux-x64, win-x64 or osx-universal, and LIBRARY the shared library of that platform, for
# example linux-x64=target/release/libdragnet.so. The same files give the same bytes. DRAGNET_NOTICES is a
# file with the licences of what the libraries are linked with; it becomes LICENSES-THIRD-PARTY.md.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,8s/^# \?//p' "$0" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd -P)
shift
here=$(cd "$(dirname "$0")" && pwd -P)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
export LC_ALL=C TZ=UTC
umask 022

version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$here/package.json")
package=$stage/package
mkdir "$package"
cp -RL "$here"/{package.json,README.md,CHANGELOG.md,LICENSE.md,LICENSE-MIT,LICENSE-APACHE,Runtime,Samples~} "$package"
cp "$here"/*.meta "$package"
[ -z "${DRAGNET_NOTICES:-}" ] || cp "$DRAGNET_NOTICES" "$package/LICENSES-THIRD-PARTY.md"
for library in "$@"; do
    platform=${library%%=*}
    case $platform in
    linux-x64) name=libdragnet.so ;;
    win-x64) name=dragnet.dll ;;
    osx-universal) name=dragnet.bundle ;;
    *) echo "expected linux-x64, win-x64 or osx-universal, found $platform" >&2; exit 2 ;;
    esac
    install -D -m 644 "${library#*=}" "$package/Runtime/Plugins/$platform/$name"
    # The debug lines are most of it.
    if [ "$platform" = linux-x64 ] && command -v strip >/dev/null; then
        strip --strip-unneeded "$package/Runtime/Plugins/$platform/$name"
    fi
done
python3 "$here/../../.ci/unity-meta" --write "$package"
archive=com.dragnet.probe-$version.tgz
tar --create --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --format=ustar -C "$stage" package |
    gzip -9n >"$out/$archive"
echo "$out/$archive"
