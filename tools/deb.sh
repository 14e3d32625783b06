#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# deb.sh - `make deb': a Debian package of these sources, from tools/debian.
#
#   tools/deb.sh VERSION FOLDER     FOLDER gets the package; the copy that it is built in is FOLDER/deb
#
# Needs debhelper; lintian is run if it is there.
set -eu

version=$1 folder=$(realpath "$2") here=$(realpath "$(dirname "$0")/..")
tree=$folder/deb/heddle-$version

if ! command -v dh >/dev/null; then
	echo "heddle: make deb needs debhelper: apt-get install debhelper lintian" >&2
	exit 2
fi
rm -rf "$folder/deb"
mkdir -p "$tree"
cd "$here"
cp -r Makefile README.md LICENSE runtime instrument include examples tests tools "$tree"
cp -r tools/debian "$tree/debian"
date=$(LC_ALL=C date -R -r LICENSE)
sed "s/@VERSION@/$version/; s/@DATE@/$date/" tools/debian/changelog.in >"$tree/debian/changelog"
rm "$tree/debian/changelog.in"
cd "$tree"
unset MAKEFLAGS MAKELEVEL MFLAGS B CC CXX OPT SAN TINY DEBUG DEVELOPER
dpkg-buildpackage -us -uc -b
if command -v lintian >/dev/null; then
	TMPDIR=$folder/deb lintian --fail-on error,warning "$folder/deb/heddle_${version}_amd64.deb"
fi
mv "$folder/deb/heddle_${version}_amd64.deb" "$folder"
rm -rf "$folder/deb"
echo "$folder/heddle_${version}_amd64.deb"
