# SPDX-License-Identifier: ISC
# t_loops.sh - tests of event loops and pools of threads in Debian's libraries, explored one by one: a table of how many
# get executions, how many are complete, and findings. It takes ten minutes: LONG=1.
#
# Every finding has a verdict of ours in ../source/findings; one without is a failure of this test.
# LIBRARIES="libuv glib": only these. SECONDS_EACH (10): for each test. Where a library has a race at the beginning
# of each test, its accesses count as atomic.
. "$(dirname "$0")/lib.sh"

if [ -z "${LONG:-}" ]; then
	echo "ok - event loops of Debian # SKIP they take minutes: LONG=1"
	exit 0
fi
export PATH=$B/bin:$PATH
. "$here/debian.sh"
limit=${SECONDS_EACH:-10}
races=auto
declare -a rows=("library          tests explored complete findings refused")

# suite PROGRAM GLOB...: a line for each of these tests, added to the file `lines`. / alone NAME COMMAND...: of a program
# that is one test.
suite() {
	local program=$1 glob
	shift
	for glob; do
		timeout 600 heddle run --suite --races $races --time "$limit" --test "$glob" "$program" </dev/null 2>>err |
			grep -E '^(ok|cut|lost|FAILED|refused) ' >>lines
	done
	return 0
}

alone() {
	local name=$1 last what=cut
	shift
	timeout 120 heddle run --races $races --time "$limit" "$@" </dev/null >out 2>&1
	case $? in
	0) what=ok ;;
	1) what=FAILED ;;
	2) what=refused ;;
	esac
	last=$(grep -E '^(FAILED|heddle:)' out | head -1)
	last=${last#FAILED }
	echo "$what $name ${last#heddle: *, graph, }" >>lines
}

# table LIBRARY EXPLORED COMPLETE: counts the lines; at least so many of the tests are explored, and complete.
table() {
	local all explored complete failed refused unknown=""
	while read -r line; do
		known "$1" "$line" || unknown+="$line
"
	done < <(grep '^FAILED' lines)
	all=$(wc -l <lines)
	refused=$(grep -c '^refused' lines)
	complete=$(grep -c '^ok' lines)
	failed=$(grep -c '^FAILED' lines)
	explored=$((all - refused - $(grep -cE '^(cut|lost).* 0 executions' lines)))
	rows+=("$(printf '%-16s %5d %8d %8d %8d %7d' "$1" "$all" "$explored" "$complete" "$failed" "$refused")")
	sed 's/^/# /' lines | cut -c1-150
	[ -z "$unknown" ] && pass "$1: each finding has a verdict" || fail "$1: each finding has a verdict" "$unknown"
	[ "$explored" -ge "$2" ] && [ "$complete" -ge "$3" ] && pass "$1: at least $2 are explored, $3 complete" ||
		fail "$1: at least $2 are explored, $3 complete" "$explored explored, $complete complete"
	rm lines
}

with_cmake() {
	local folder=$1 target=$2
	shift 2
	mkdir -p "$folder/build" && cd "$folder/build" && CC=heddle-cc cmake .. -DCMAKE_C_FLAGS="-g -O1 -w" "$@" >log 2>&1 &&
		make -j2 "$target" >>log 2>&1
	local code=$?
	cd "$scratch" || exit 2
	[ $code = 0 ] || fail "$folder: builds" "$(tail "$folder/build/log")"
	return $code
}

# --- libuv: threads, the pool, wake-ups, timers, polling
if wanted libuv && fetch libuv1 && with_cmake libuv1 uv_run_tests_a -DLIBUV_BUILD_BENCH=OFF; then
	export UV_RUN_AS_ROOT=1
	suite libuv1/build/uv_run_tests_a active 'async*' 'barrier_*' 'condvar_*' 'semaphore_*' 'thread_*' 'threadpool_*' \
		'signal_*' 'loop_*' embed default_loop_close 'run_*' walk_handles 'poll_*' pipe_sendmsg 'timer*' \
		closed_fd_events
	table libuv 60 50
fi

# --- libevent: threads, pairs of bufferevents, signals. 100 threads that each wait 100 times are 2 that wait twice.
races=promote # event_debug_mode_too_late
if wanted libevent && fetch libevent; then
	sed -i 's/^#define NUM_THREADS\t100/#define NUM_THREADS 2/; s/^#define NUM_ITERATIONS  100/#define NUM_ITERATIONS 2/' \
		libevent/test/regress_thread.c
	with_cmake libevent regress -DEVENT__DISABLE_OPENSSL=ON -DEVENT__DISABLE_MBEDTLS=ON \
		-DEVENT__DISABLE_BENCHMARK=ON -DEVENT__DISABLE_SAMPLES=ON -DEVENT__LIBRARY_TYPE=STATIC &&
		suite libevent/build/bin/regress 'thread/*' 'bufferevent/bufferevent_pair*' 'bufferevent/bufferevent_connect_*' \
			'signal/*' 'finalize/*' 'util/monotonic*' && table libevent 33 27
fi

races=auto

# --- GLib's own tests, with the library of Debian, which is not instrumented
glib="asyncqueue cond mutex private rec-mutex rwlock thread-pool mainloop"
if wanted glib && pkg-config --exists glib-2.0 && fetch glib2.0; then
	: >glib2.0/config.h
	for part in $glib; do
		# shellcheck disable=SC2046
		(cd glib2.0/glib/tests && heddle-cc -g -O1 -w -DG_LOG_DOMAIN='"GLib"' -I. -I.. -I../.. -o "$scratch/$part" \
			"$part.c" $(pkg-config --cflags --libs gthread-2.0 glib-2.0)) 2>err || fail "glib: $part builds" "$(cat err)"
		suite "./$part" '*'
	done
	table glib 80 60
fi

# --- libmicrohttpd: a daemon of each kind is started and stopped
if wanted libmicrohttpd && fetch libmicrohttpd &&
	(cd libmicrohttpd && CC=heddle-cc CFLAGS="-g -O1 -w" ./configure --disable-https --disable-curl --disable-doc \
		--disable-examples --disable-shared && make -j2 -C src/microhttpd libmicrohttpd.la &&
		make -C src/microhttpd test_start_stop test_daemon test_shutdown_select) >log 2>&1; then
	for part in start_stop daemon shutdown_select; do
		alone "$part" "libmicrohttpd/src/microhttpd/test_$part"
	done
	table libmicrohttpd 3 2
elif [ -e libmicrohttpd ]; then
	fail "libmicrohttpd: builds" "$(tail log)"
fi

printf '# %s\n' "${rows[@]}"
finish
