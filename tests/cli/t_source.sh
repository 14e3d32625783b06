# SPDX-License-Identifier: ISC
# t_source.sh - programs and libraries of Debian, from source. It takes minutes: LONG=1.
#
# lbzip2 passes its own tests when heddle-cc compiles it. Of Concurrency Kit's and liburcu's libraries,
# code outside of headers is explored: hash set, epochs, barriers; grace periods.
. "$(dirname "$0")/lib.sh"

if [ -z "${LONG:-}" ]; then
	echo "ok - sources of Debian # SKIP they take minutes: LONG=1"
	exit 0
fi
export PATH=$B/bin:$PATH
. "$here/debian.sh"

# explored TITLE CODE PATTERN PROGRAM OPTIONS...: by the last line of its output.
explored() {
	local title=$1 want=$2 pattern=$3 program=$4
	shift 4
	timeout 120 heddle run --model tso "$@" "./$program" >out 2>&1
	code=$?
	if [ $code = "$want" ] && grep -qE "$pattern" out; then pass "$title"; else fail "$title" "code $code
$(cat out)"; fi
}

compile() {
	local out=$1
	shift
	heddle-cc -g -O1 -w -pthread -o "$out" "$@" 2>err || fail "compile $out" "$(cat err)"
}

# --- a program with threads. (Its gnulib is older than the C library.)
if fetch lbzip2; then
	(cd lbzip2 && CC=heddle-cc ./configure CPPFLAGS="-D_IO_ftrylockfile -D_IO_IN_BACKUP=0x100
		-D_IO_ERR_SEEN=0x20 -D_IO_EOF_SEEN=0x10" && make -j2) >log 2>&1 &&
		pass "lbzip2: builds" || fail "lbzip2: builds" "$(tail log)"
	(cd lbzip2 && make check) >log 2>&1
	grep -qx '# FAIL:  0' log && grep -qE '^# PASS:  [1-9]' log && pass "lbzip2: its own tests pass" ||
		fail "lbzip2: its own tests pass" "$(tail log)"
	head -c 8000000 /dev/urandom >data
	lbzip2/src/lbzip2 -n 4 <data | lbzip2/src/lbzip2 -d -n 4 | cmp - data &&
		pass "lbzip2: there and back" || fail "lbzip2: there and back" ""
fi

# --- Concurrency Kit: with its assembly, and with the compiler's builtins
source=$here/../source
if fetch ck && (cd ck && ./configure >/dev/null); then
	for builtins in 0 1; do
		flags="-DCK_USE_CC_BUILTINS=$builtins -Ick/include -Ick/src"
		# Plain accesses there are meant to be atomic: C from before 2011.
		compile epoch $flags "$source/ck_epoch.c" ck/src/ck_epoch.c
		explored "ck: epoch, builtins $builtins" 0 'complete' epoch --races promote
		compile epoch-without $flags -DNO_GRACE_PERIOD "$source/ck_epoch.c" ck/src/ck_epoch.c
		explored "ck: epoch, builtins $builtins, without a grace period" 1 '^FAILED  assertion' \
			epoch-without --races promote
		compile hs $flags "$source/ck_hs.c" ck/src/ck_hs.c
		explored "ck: hash set, builtins $builtins" 0 'complete' hs --races promote
		for kind in centralized mcs dissemination; do
			compile barrier $flags -D${kind^^} "$source/ck_barrier.c" "ck/src/ck_barrier_$kind.c"
			explored "ck: $kind barrier, builtins $builtins" 0 'complete' barrier --races promote
		done
		compile barrier $flags -DMCS -DNO_BARRIER "$source/ck_barrier.c" ck/src/ck_barrier_mcs.c
		explored "ck: no barrier, builtins $builtins" 1 '^FAILED  assertion' barrier --races promote
	done
fi

# --- liburcu: readers and an updater, with barriers, membarrier(), signals
if fetch liburcu && (cd liburcu && CC=heddle-cc ./configure --disable-shared && make -j2 -C src) >log 2>&1; then
	for kind in mb memb signal; do
		flavour=$(echo ${kind^^} | sed 's/MEMB$/MEMBARRIER/')
		libraries="liburcu/src/.libs/liburcu-$kind.a liburcu/src/.libs/liburcu-common.a"
		flags="-D_GNU_SOURCE -D_LGPL_SOURCE -DRCU_$flavour -Iliburcu/include $source/urcu.c"
		for readers in 1 2; do
			compile "urcu-$kind-$readers" $flags -DREADERS=$readers $libraries
			timeout 20 "./urcu-$kind-$readers" && pass "liburcu-$kind, $readers readers: natively" ||
				fail "liburcu-$kind, $readers readers: natively" "$?"
		done
		compile "urcu-$kind-without" $flags -DREADERS=2 -DNO_GRACE_PERIOD $libraries
	done
	explored "liburcu-mb, 1 reader" 0 ' complete' urcu-mb-1
	explored "liburcu-mb, 2 readers" 3 'stopped after 20 s' urcu-mb-2 --time 20
	explored "liburcu-mb, without a grace period" 1 '^FAILED  assertion' urcu-mb-without
	explored "liburcu-memb, 2 readers" 3 'stopped after 20 s' urcu-memb-2 --time 20
	explored "liburcu-memb, without a grace period" 1 '^FAILED  assertion' urcu-memb-without
	explored "liburcu-signal, 2 readers" 3 'stopped after 20 s' urcu-signal-2 --time 20
	explored "liburcu-signal, without a grace period" 1 '^FAILED  assertion' urcu-signal-without
elif [ -e liburcu ]; then
	fail "liburcu: builds" "$(tail log)"
fi
finish
