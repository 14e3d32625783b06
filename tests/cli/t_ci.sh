# SPDX-License-Identifier: ISC
# t_ci.sh - continuous integration: a small environment, containers, full disks, missing debug information.
. "$(dirname "$0")/lib.sh"

build "$here/faults.c" -o faults
run="$heddle run --time 20"

# found TITLE COMMAND...: the failing execution is found, reported and recorded.
found() {
	local title=$1
	shift
	rm -f ./*.heddle
	t "$title" 1 "$@"
	has "$title: report" out '^FAILED  assertion .*faults.c:[0-9]+'
	has "$title: steps" out 'T1 +one +faults.c:[0-9]+ +store x = 1'
}

# --- the environment

found "no environment" env -i $run ./faults fail
found "no TMPDIR, no HOME" env -u HOME -u TERM TMPDIR=/nowhere $run ./faults fail
found "core files" bash -c 'ulimit -c unlimited && exec "$@"' - $run ./faults fail
mkdir gone
refused "no working directory" 'working directory; replay files go there' \
	bash -c 'cd gone && rmdir ../gone && exec "$@"' - $run "$PWD/faults"
mkdir gone
t "no working directory, but a place for files" 1 \
	bash -c 'cd gone && rmdir ../gone && exec "$@"' - $run -o "$PWD" "$PWD/faults" fail
refused "files of no size" '^heddle: cannot make a memory file: File too large \(ulimit -f\?\)$' \
	bash -c '(ulimit -f 0; exec "$@") 2>&1 >/dev/null | cat >&2; exit "${PIPESTATUS[0]}"' - $run ./faults fail

# --- containers

cc -O1 -o deny "$here/deny.c"
if ./deny /bin/true; then
	found "addresses are randomised" ./deny $run ./faults fail
	t "addresses are randomised: replay" 1 ./deny "$heddle" replay faults.heddle
	t "addresses are randomised: replay where they are not" 1 "$heddle" replay faults.heddle
fi
# $mounted OPTIONS PLACE COMMAND...: with a private file system there
mounted="unshare -m bash mounted"
echo 'mount -t tmpfs -o "$1" none "$2" && shift 2 && exec "$@"' >mounted
mkdir there
if $mounted size=1m there true 2>/dev/null; then
	t "no /proc" 1 $mounted size=1m /proc $run ./faults fail
	has "no /proc: the finding" out '^FAILED  assertion .*faults.c:[0-9]+'
	rm -f ./*.heddle
	t "a full disk" 1 $mounted size=4k there \
		bash -c 'cd there && head -c 4096 /dev/zero >rest; "$@"; c=$?; ls; exit $c' - $run ../faults fail
	has "a full disk: said" out '^note: cannot write /.*/there/faults.heddle: No space left on device$'
	has "a full disk: the finding" out '^FAILED  assertion'
	hasnt "a full disk: no half file" out '^faults.heddle$'
	t "a disk for reading" 1 $mounted ro there bash -c 'cd there && exec "$@"' - $run ../faults fail
	has "a disk for reading: said" out '^note: cannot write .*/there/faults.heddle: Read-only file system'
	refused "a disk that nothing is executed from" 'not executable' $mounted noexec there \
		bash -c 'cp faults there && exec "$@"' - $run there/faults
fi

# --- debug information

export DEBUGINFOD_URLS=http://192.0.2.1:8002 # no server there
began=$SECONDS
cp faults stripped && strip stripped
t "no symbols, no debuginfod" 1 $run ./stripped fail
has "no symbols, no debuginfod: module and offset" out 'stripped\+0x[0-9a-f]+ +store '
if [ $((SECONDS - began)) -lt 60 ]; then pass "debuginfod is not waited for"; else fail "debuginfod is not waited for" "$((SECONDS - began)) s"; fi
cp faults nodebug && strip -g nodebug
t "no debug information" 1 $run ./nodebug fail
has "no debug information: functions" out '^ +[0-9]+ +T1 +one +nodebug\+0x[0-9a-f]+ +store x = 1'
unset DEBUGINFOD_URLS
cp faults apart && objcopy --only-keep-debug apart apart.debug && objcopy --strip-debug --add-gnu-debuglink=apart.debug apart
t "debug information in a file of its own" 1 $run ./apart fail
has "debug information in a file of its own: lines" out 'T1 +one +faults.c:[0-9]+ +store x = 1'

# --- signals that a job gets

"$heddle" run --time 30 ./faults long >out 2>err &
under_way $! faults
kill -HUP $!
ended "HUP" 3 $!
has "HUP: what there is" out '^heddle: rc11, graph, [0-9]+ executions, not complete: interrupted'
"$heddle" run --time 0 --races ignore ./faults medium >out 2>err &
under_way $! faults
kill -STOP $!
kill -WINCH $!
sleep 0.1
kill -CONT $!
ended "stopped and continued" 0 $!
has "stopped and continued: all executions" out ', 65536 executions, complete'

# --- a test suite without the tool

cat >suite.c <<'END'
#include <assert.h>
#include <heddle/heddle.h>

static void fails(void *arg)
{
	assert(!"this");
}

int main(void)
{
	return heddle_check(fails, 0, 0, 0);
}
END
build suite.c -o suite
t "no tool in the PATH" 1 env PATH=/nowhere ./suite
has "no tool in the PATH: said" err '^heddle: FAILED assertion: '
has "no tool in the PATH: the replay file" err '^heddle: replay file .*; to print the execution: heddle report '
finish
