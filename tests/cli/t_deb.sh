# SPDX-License-Identifier: ISC
# t_deb.sh - make deb: the package compiles and explores an example, from the folder that it is unpacked in. LONG=1 only:
# it builds everything.
. "$(dirname "$0")/lib.sh"

if [ -z "${LONG:-}" ]; then
	echo "ok - deb # SKIP only with LONG=1"
	finish; exit
elif ! command -v dh >/dev/null; then
	echo "ok - deb # SKIP no debhelper"
	finish; exit
fi

mkdir built
"$here/../../tools/deb.sh" 0.1.0 built >log 2>&1
code=$?
if [ $code = 0 ]; then pass "make deb, and lintian"; else fail "make deb" "$(tail -n 40 log)"; fi
t "unpack" 0 dpkg -x built/heddle_0.1.0_amd64.deb root
dpkg -I built/heddle_0.1.0_amd64.deb >out
has "it needs clang of its version" out '^ Depends: .*clang-[0-9]+'
t "compile" 0 root/usr/bin/heddle-cc -g -O1 -o sb root/usr/share/doc/heddle/examples/sb.c
t "explore" 1 root/usr/bin/heddle run ./sb
has "explore" out '^FAILED  assertion'
t "replay" 1 root/usr/bin/heddle replay sb.heddle
for page in heddle heddle-cc; do t "$page(1)" 0 man -l root/usr/share/man/man1/$page.1.gz; done
t "heddle-c++(1)" 0 test -e root/usr/share/man/man1/heddle-c++.1.gz
t "pkg-config" 0 env PKG_CONFIG_PATH="$PWD/root/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/pkgconfig" pkg-config --variable=cc heddle
has "pkg-config" out "root/usr/.*bin/heddle-cc$"
finish
