#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# sysroot.sh - Debian's libraries that programs for another processor need here, in a folder: the machine's own packages
# and their architectures stay as they are.
#
#   tools/sysroot.sh aarch64-linux-gnu DIR    include/ for the compiler, lib/ for qemu (-L DIR)
#
# The C library is that of the cross compiler (libc6-dev-arm64-cross); libunwind and what it needs are downloaded.
set -eu
target=$1 dir=$2
case $target in
aarch64-*) arch=arm64 ;;
*) echo "sysroot.sh: no name of Debian's for $target" >&2 && exit 2 ;;
esac
[ ! -e "$dir/done" ] || exit 0
[ -d "/usr/$target/lib" ] || { echo "heddle: missing packages: apt-get install libc6-dev-$arch-cross" >&2 && exit 2; }
rm -rf "$dir"
mkdir -p "$dir/apt/lists/partial" "$dir/debs" "$dir/root" "$dir/lib"
dir=$(realpath "$dir")
. /etc/os-release
echo "deb [arch=$arch signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $VERSION_CODENAME main" \
	>"$dir/apt/list"
options=(-q -o "APT::Architecture=$arch" -o "APT::Architectures=$arch" -o "Dir::Etc::SourceList=$dir/apt/list"
	-o Dir::Etc::SourceParts=/dev/null -o "Dir::State::Lists=$dir/apt/lists" -o "Dir::State::Status=/dev/null"
	-o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root)
cd "$dir/debs"
if ! { apt-get "${options[@]}" update && apt-get "${options[@]}" download libunwind-dev libunwind8 liblzma5 zlib1g; } \
	>"$dir/log" 2>&1; then
	echo "heddle: cannot fetch libunwind for $target: $(grep -m1 '^E: ' "$dir/log" || tail -1 "$dir/log")" >&2
	exit 2
fi
for package in *.deb; do
	dpkg -x "$package" "$dir/root"
done
ln -s "root/usr/include/$target" "$dir/include"
ln -s "/usr/$target/lib"/* "$dir/lib/"
ln -sf "$dir"/root/usr/lib/"$target"/*.so.* "$dir/lib/"
[ ! -d "$dir/root/lib/$target" ] || ln -sf "$dir"/root/lib/"$target"/*.so.* "$dir/lib/"
rm -rf "$dir/apt" "$dir/debs" "$dir/log"
touch "$dir/done"
