# SPDX-License-Identifier: ISC
# t_source.sh - programs and libraries of Debian, from source. It takes minutes: LONG=1.
#
# lbzip2 passes its own tests when heddle-cc compiles it. Of Concurrency Kit's and liburcu's libraries,
# code outside of headers is explored: hash set, epochs, barriers; grace periods. Tests of threads that the sources
# contain, and compressors on a small file, are explored without options: each has executions and a guarantee, or a
# finding with a verdict of ours in ../source/findings. LIBRARIES="zstd apr": only these. SECONDS_EACH (20):
# for each.
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

declare -a rows=("program                       executions preemptions delays depth 1  seconds     KiB")

# as_user LIBRARY TITLE COMMAND...: `heddle run' as a user starts it.
as_user() {
	local library=$1 title=$2 line
	shift 2
	rm -f run.json
	/usr/bin/time -f %M -o memory timeout 200 heddle run --time "${SECONDS_EACH:-20}" --json run.json "$@" \
		</dev/null >out 2>&1
	rows+=("$(printf '%-29s ' "$library: $title")$(jq -r '.guarantee as $g | [.executions, $g.preemptions // "-",
		$g.delays // "-", ($g.chances[0] // 0) * 100, (.seconds | round)] | @tsv' run.json 2>/dev/null |
		awk '{printf "%10s %11s %6s %5d %% %8s", $1, $2, $3, $4, $5}')$(printf ' %7s' "$(tail -1 memory)")")
	line=$(grep -a '^FAILED' out | head -1)
	if [ -n "$line" ]; then
		known "$library" "$line" && pass "$library: $title: the finding is known" ||
			fail "$library: $title: the finding is known" "$line"
	elif jq -e '.executions > 0 and (.guarantee | .complete or .preemptions != null or .delays != null or
		.chances[0] > 0.5)' run.json >/dev/null 2>&1; then
		pass "$library: $title: executions, and a guarantee"
	else
		fail "$library: $title: executions, and a guarantee" "$(grep -a '^heddle:' out)"
	fi
	rm -f ./*.heddle
}

compile() {
	local out=$1
	shift
	heddle-cc -g -O1 -w -pthread -o "$out" "$@" 2>err || fail "compile $out" "$(cat err)"
}

# --- a program with threads. (Its gnulib is older than the C library.)
if wanted lbzip2 && fetch lbzip2; then
	(cd lbzip2 && CC=heddle-cc ./configure CPPFLAGS="-D_IO_ftrylockfile -D_IO_IN_BACKUP=0x100
		-D_IO_ERR_SEEN=0x20 -D_IO_EOF_SEEN=0x10" && make -j2) >log 2>&1 &&
		pass "lbzip2: builds" || fail "lbzip2: builds" "$(tail log)"
	(cd lbzip2 && make check) >log 2>&1
	grep -qx '# FAIL:  0' log && grep -qE '^# PASS:  [1-9]' log && pass "lbzip2: its own tests pass" ||
		fail "lbzip2: its own tests pass" "$(tail log)"
	head -c 8000000 /dev/urandom >data
	lbzip2/src/lbzip2 -n 4 <data | lbzip2/src/lbzip2 -d -n 4 | cmp - data &&
		pass "lbzip2: there and back" || fail "lbzip2: there and back" ""
	head -c 3000 data >small
	as_user lbzip2 "3000 bytes" lbzip2/src/lbzip2 -n 2 -c small
fi

# --- xz: two threads
if wanted xz && fetch xz-utils && (cd xz-utils && CC=heddle-cc CFLAGS="-g -O1 -w" ./configure --disable-shared --disable-nls &&
	make -j2) >log 2>&1; then
	head -c 3000 /dev/urandom >small
	as_user xz "3000 bytes" xz-utils/src/xz/xz -T2 -c small
elif [ -e xz-utils ]; then
	fail "xz: builds" "$(tail log)"
fi

# --- zstd: its pool of threads
if wanted zstd && fetch libzstd; then
	compile pool -DZSTD_MULTITHREAD -Ilibzstd/lib -Ilibzstd/lib/common -Ilibzstd/programs libzstd/tests/poolTests.c \
		libzstd/lib/common/{pool,threading,zstd_common,error_private}.c libzstd/programs/{util,timefn}.c
	as_user zstd poolTests ./pool
fi

# --- APR: locks, threads
if wanted apr && fetch apr && (cd apr && CC=heddle-cc CFLAGS="-g -O1 -w" ./configure --disable-shared && make -j2 &&
	make -C test testall) >log 2>&1; then
	# Not testatomic: threads that wait in loops with a mutex never end without delays.
	for part in testlock testthread; do
		as_user apr $part apr/test/testall $part
	done
elif [ -e apr ]; then
	fail "apr: builds" "$(tail log)"
fi

# --- Concurrency Kit: with its assembly, and with the compiler's builtins
source=$here/../source
if wanted ck && fetch ck && (cd ck && ./configure >/dev/null); then
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
	# Its regression tests, with two iterations of two threads. Its assembly is of x86.
	for part in ck_spinlock/validate/ck_ticket ck_spinlock/validate/ck_mcs ck_rwlock/validate/validate; do
		compile regression -D_GNU_SOURCE -DITERATE=2 -Ick/include -Ick/src "ck/regressions/$part.c"
		as_user ck "$part" --model tso ./regression 2 1
	done
fi

# --- liburcu: readers and an updater, with barriers, membarrier(), signals
if wanted liburcu && fetch liburcu && (cd liburcu && CC=heddle-cc ./configure --disable-shared && make -j2 -C src) >log 2>&1; then
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
	(cd liburcu && make -C tests/utils && make -C tests/common && make -C tests/regression rcutorture_urcu_mb) >log 2>&1 ||
		fail "liburcu: tests build" "$(tail log)"
	as_user liburcu "rcutorture, 1 reader" liburcu/tests/regression/rcutorture_urcu_mb 1 stress
elif [ -e liburcu ]; then
	fail "liburcu: builds" "$(tail log)"
fi
printf '# %s\n' "${rows[@]}"
finish
