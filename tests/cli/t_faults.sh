# SPDX-License-Identifier: ISC
# t_faults.sh - programs that remove what the tool depends on, and machines with limited resources.
. "$(dirname "$0")/lib.sh"

build "$here/faults.c" -o faults
run="$heddle run --sleepers any --time 20 ./faults"

# --- programs

# In all cases every execution is explored; and if one fails, there is a replay file.
for what in closes closefrom ranges masks alternate standard replaces jumps moves limits locks clock; do
	t "$what" 0 $run $what
	has "$what: all executions" out '^heddle: rc11, graph, 4 executions, complete'
	rm -f faults.heddle
	t "$what, and fails" 1 $run $what fail
	t "$what: replay" 1 "$heddle" replay faults.heddle
done
t "limits" 0 $run limits
has "limits: said" out '^note: limits set by the program \(setrlimit\) are not enforced while exploring'
refused "dup2 over an inherited descriptor" 'redirects descriptor 9 by dup2' $run replaces 9</dev/null
refused "seccomp" 'restricts its own system calls \(seccomp\)' $run forbids
t "abort() in an exit handler" 1 $run aborts
has "abort() in an exit handler: finding" out '^FAILED  abort\(\) was called'
# By gold, the variable stdout is between it and the memory of heddle.
for linker in bfd gold; do
	build -fuse-ld=$linker "$here/faults.c" -o faults_$linker
	for strategy in graph random; do
		t "beyond a variable, $strategy, $linker" 1 "$heddle" run --model tso --strategy $strategy ./faults_$linker beyond
		has "beyond a variable, $strategy, $linker: finding" out \
			"^FAILED  T1 stores to 0x[0-9a-f]+, memory of heddle: beyond the end of"
		has "beyond a variable, $strategy, $linker: where" out '#0 +overflow_variable .*faults.c:[0-9]+'
	done
done
refused "the tool's page spoilt" "has overwritten heddle's memory in its process" $run spoils
t "_exit in a thread" 1 $run exit
has "_exit in a thread: finding" out '^FAILED  exit status 3'
t "a handler for SIGSEGV" 1 $run handles
has "a handler for SIGSEGV: not called" out '^FAILED  invalid memory access .*SIGSEGV'
has "a handler for SIGSEGV: said" out 'is not called for crashes: they are findings'
t "a stack that overflows" 1 $run overflows
has "a stack that overflows: finding" out '^FAILED  stack overflow of T1 \(16 MiB: --stack\)'
refused "kill" 'calls kill\(\) for another process: not simulated' $run kill
t "500 threads" 3 "$heddle" run --executions 20 ./faults many
has "500 threads: no graphs" out '^note: strategy mixed, not graph: limit: more than 64 threads'

# --- the folder of temporary files is removed meanwhile

# without_folder TITLE CODE COMMAND...
without_folder() {
	mkdir -p gone
	t "no temporary folder any more, $1" "$2" env "TMPDIR=$PWD/gone" "${@:3}"
	[ -e gone ] && fail "no temporary folder any more, $1: it has gone" "" || pass "no temporary folder any more, $1: it has gone"
}

without_folder "run" 1 $run removes fail
has "no temporary folder any more, run: the finding" out '^FAILED  assertion .*faults.c:[0-9]+'
for strategy in "--strategy graph" "--strategy random --model tso" "-j 2"; do
	without_folder "$strategy" 1 "$heddle" run --time 20 $strategy ./faults removes fail
done
without_folder "replay" 1 "$heddle" replay faults.heddle
has "no temporary folder any more, replay: the finding" out '^FAILED  assertion .*faults.c:[0-9]+'
for command in fences relax; do
	without_folder "$command" 2 "$heddle" $command --time 20 ./faults removes
	one_line "no temporary folder any more, $command" '^heddle: .*/gone/heddle-fences-[A-Za-z0-9]*/sites was not written: disk full, or no such folder\?$'
done

# --- limits of the machine

# limited TITLE CODE LIMIT COMMAND...
limited() {
	t "$1" "$2" bash -c 'ulimit $0 && exec "$@"' "$3" "${@:4}"
}

limited "a small stack" 1 "-s 64" $run fail
has "a small stack: report" out '^FAILED  assertion .*faults.c:[0-9]+'
has "a small stack: steps" out 'T1 +one +faults.c:[0-9]+ +store x = 1'
limited "little memory" 2 "-v 200000" $run fail
one_line "little memory" '^heddle: out of memory: .*ulimit -v'
limited "no memory to record" 2 "-v 1150000" $run fail
has "no memory to record: the finding" out '^FAILED  assertion'
has "no memory to record: why there is no more" err '^heddle: out of memory: cannot reserve'
limited "no descriptors" 2 "-n 5" $run fail
one_line "no descriptors" 'Too many open files'
limited "few descriptors" 1 "-n 8" $run fail
has "few descriptors: no file" out '^note: cannot write .*/faults.heddle: Too many open files'
t "a file is replaced" 1 "$heddle" run --model sc ./faults fail
ln faults.heddle kept && cp kept before
t "a file is replaced, again" 1 "$heddle" run --model tso ./faults fail
same "a file is replaced: when it is complete, not in place" kept before
ls >out
hasnt "a file is replaced: no other is left" out 'new'
rm kept before
t "no room for the document" 2 "$heddle" run --json /dev/full ./faults fail
has "no room for the document: the finding" out '^FAILED  assertion'
t "no folder to write to" 1 "$heddle" run --replay-dir /proc ./faults fail
has "no folder to write to: said" out '^note: cannot write /proc/faults.heddle: '
has "no folder to write to: the finding" out '^FAILED  assertion'
cp faults stripped && strip stripped
t "no symbols" 1 "$heddle" run ./stripped fail
has "no symbols: module and offset" out 'stripped\+0x[0-9a-f]+ +store '

# --- signals

for signal in INT TERM; do
	"$heddle" run --time 30 ./faults long >out 2>err &
	under_way $! faults
	kill -$signal $!
	ended "$signal" 3 $!
	has "$signal: what there is" out '^heddle: rc11, graph, [0-9]+ executions, not complete: interrupted'
done
"$heddle" run --time 30 -j 2 ./faults long >out 2>err &
under_way $! faults
kill -KILL $!
wait $! 2>/dev/null
for _ in {1..100}; do
	left=$(pgrep -f "^$PWD/faults long|^\./faults long") || break
	sleep 0.1
done
[ -z "$left" ] && pass "the tool killed: no process is left" || fail "the tool killed: no process is left" "$left"
# --- readers and destinations of the output

t "no room on standard output" 2 bash -c '"$@" >/dev/full' - $run fail
one_line "no room on standard output" '^heddle: cannot write to standard output: No space left on device$'
t "help without a reader" 2 bash -c '"$@" >/dev/full' - "$heddle" help
t "a reader that leaves" 0 bash -c '"$@" | head -1; exit $((PIPESTATUS[0] - 1))' - "$heddle" run --json left.json ./faults fail
has "a reader that leaves: the document" left.json '"exit_code": 1'
t "standard descriptors closed" 1 bash -c '"$@" <&- >&- 2>&-' - $run fail
if [ -s faults.heddle ]; then pass "standard descriptors closed: the replay file"; else fail "standard descriptors closed: the replay file" ""; fi

# --- killed from outside: no finding, the results so far

# A build with TINY=1 is slow: fewer executions there, or none that has been counted yet.
some='[1-9][0-9]*' medium=medium executions=65536
[ -z "${TINY:-}" ] || some='[0-9]+' medium=short executions=1024

for strategy in "--strategy graph" "--strategy random --model tso" "-j 2"; do
	rm -f ./*.heddle
	"$heddle" run --time 30 $strategy ./faults long >out 2>err &
	under_way $! faults
	pkill -KILL -P $! -x faults
	ended "killed, $strategy" 3 $!
	has "killed, $strategy: said" out '^note: killed by SIGKILL from outside '
	has "killed, $strategy: what there is" out "^heddle: .*, $some executions, not complete: interrupted"
	hasnt "killed, $strategy: no finding" out '^FAILED'
	[ -e faults.heddle ] && fail "killed, $strategy: no replay file" "" || pass "killed, $strategy: no replay file"
done

# Each worker, as often as it is started again: counts are kept, with a note.
"$heddle" run --time 30 -j 2 ./faults long >out 2>err &
while kill -0 $! 2>/dev/null; do
	for worker in $(pgrep -P "$(pgrep -P $! -x faults)" -x faults); do
		kill -KILL "$worker"
	done 2>/dev/null
	sleep 0.01
done
ended "workers killed again and again" 3 $!
has "workers killed again and again: said" out '^note: limit: a worker process was killed repeatedly'
has "workers killed again and again: what there is" out "^heddle: .*, $some executions, not complete: interrupted"
hasnt "workers killed again and again: no finding" out '^FAILED'
[ -s err ] && fail "workers killed again and again: quiet" "$(cat err)" || pass "workers killed again and again: quiet"
if [ -n "${LONG:-}" ]; then
	limited "CPU time used up" 3 "-t 1" "$heddle" run --strategy random --model tso ./faults long
	has "CPU time used up: said" out '^note: killed by SIG(KILL|XCPU) from outside'
fi

# --- fewer processes than asked for

user=$((100000 + $$)) # not that of another run of this test
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && cp "$heddle" . && chmod 755 . &&
	setpriv --reuid "$user" --clear-groups ./heddle version >out 2>&1; then
	few() { # TITLE CODE LIMIT OPTION...: as a user who has no other processes
		t "$1" "$2" bash -c 'exec setpriv --reuid '"$user"' --clear-groups bash -c "ulimit -u $0; exec \"\$@\"" - "$@"' \
			"$3" ./heddle run --time 0 --replay-dir "$PWD" "${@:4}"
	}
	few "no process" 2 1 ./faults
	one_line "no process" '^heddle: cannot start a process: '
	few "no workers" 0 2 -j 2 --races ignore ./faults $medium
	has "no workers: said" out '^note: limit: 0 of 2 worker processes could be started'
	has "no workers: all executions" out ", $executions executions, complete"
	few "one worker of two" 0 3 -j 2 --races ignore ./faults $medium
	has "one worker of two: said" out '^note: limit: 1 of 2 worker processes could be started'
	has "one worker of two: all executions" out ", $executions executions, complete"
	cat >own.c <<'EOT'
#include <pthread.h>
static _Thread_local int own;
static void *increment(void *arg) { own++; return arg; }
int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, increment, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}
EOT
	build own.c -o own
	few "no thread for thread-local variables" 2 3 ./own
	one_line "no thread for thread-local variables" '^heddle: cannot create a thread for thread-local variables'
fi
finish
