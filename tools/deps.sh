#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# deps.sh - install what is missing, through apt.
#
#   tools/deps.sh build     what `make` needs
#   tools/deps.sh check     also what the tests use
#   tools/deps.sh target    what `make TARGET=aarch64-linux-gnu check' uses beside that
#
# With check comes an optional package, the headers of gcc's plugins; that it cannot be had is no error.
#
# Asks dpkg first: on a machine that has everything it changes nothing and needs no network.
set -eu

build="gcc g++ libc6-dev binutils clang llvm-dev libunwind-dev libdw-dev libelf-dev libjansson-dev
	libxml2-dev zlib1g-dev libz3-dev libcunit1-dev"
check="$build check libcmocka-dev libck-dev liburcu-dev jq gojq gdb clang-format autoconf automake libtool cmake
	meson ninja-build libclang-rt-dev valgrind git strace
	libxml2-utils pkg-config libglib2.0-dev chromium libopenmpi-dev openmpi-bin libmpich-dev mpich"
target="gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static"

optional=

case ${1:-build} in
build) wanted=$build ;;
check)
	wanted=$check
	optional=1
	;;
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

is_installed() {
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]
}

# The headers of gcc's plugins, of this gcc.
add_optional() {
	local package
	package=gcc-$(${GCC:-gcc} -dumpversion 2>/dev/null || true)-plugin-dev
	[ -n "$optional" ] && ! is_installed "$package" && [ "$(id -u)" = 0 ] || return 0
	{ [ -n "$(apt-cache madison "$package" 2>/dev/null)" ] ||
		apt-get -o Acquire::Retries=0 -o Acquire::http::Timeout=10 update; } >/dev/null 2>&1 || true
	DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$package" >/dev/null 2>&1 ||
		echo "heddle: $package cannot be had: heddle-cc --gcc will be without its plugin" >&2
}

missing=
for package in $wanted; do
	is_installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || { add_optional && exit 0; }

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
add_optional
