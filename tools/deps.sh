#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# deps.sh - install what is missing, through apt.
#
#   tools/deps.sh build     what `make` needs
#   tools/deps.sh check     also what the tests use
#   tools/deps.sh target    what `make TARGET=aarch64-linux-gnu check' uses beside that
#
# Asks dpkg first: on a machine that has everything it changes nothing and needs no network.
set -eu

build="gcc g++ libc6-dev binutils clang llvm-dev libunwind-dev libdw-dev libelf-dev libjansson-dev
	libxml2-dev zlib1g-dev libz3-dev libcunit1-dev"
check="$build check libcmocka-dev libck-dev liburcu-dev jq gdb clang-format autoconf automake libtool cmake
	meson ninja-build libclang-rt-dev valgrind git strace
	libxml2-utils pkg-config chromium"
target="gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static"

case ${1:-build} in
build) wanted=$build ;;
check) wanted=$check ;;
target) wanted=$target ;;
*)
	echo "usage: tools/deps.sh build|check|target" >&2
	exit 2
	;;
esac

if ! command -v dpkg-query >/dev/null; then
	echo "heddle: this is not a Debian system; install the equivalents of these packages by hand," >&2
	echo "heddle: then use 'make' and 'make run-demo' or 'make run-check':" >&2
	echo $wanted >&2
	exit 2
fi

missing=
for package in $wanted; do
	status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
	[ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" != 0 ]; then
	echo "heddle: missing packages; as root: apt-get install$missing" >&2
	exit 2
fi
echo "installing:$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
# Lists that cannot be updated do not matter as long as the packages can be had.
if ! { apt-get update; apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
	echo "heddle: cannot install$missing" >&2
	{ grep -m1 '^W: Failed' "$log"; grep -m1 '^E: ' "$log" || tail -1 "$log"; } |
		sed 's/^/heddle: apt-get says: /' >&2
	exit 2
fi
