# SPDX-License-Identifier: ISC
# t_gdb.sh - `heddle replay --gdb` stops where the execution fails, or where threads wait for ever.
. "$(dirname "$0")/lib.sh"

if ! gdb -batch -ex run --args true >probe 2>&1 || ! grep -q 'exited normally' probe; then
	echo "ok - gdb # skip: no gdb, or it may not debug"
	exit 0
fi
cp "$here/sb.c" .
build -O0 -o sb sb.c
t "a failing run" 1 "$heddle" run --model tso --strategy random ./sb 'two words' '$(touch evil)' "it's"
printf 'set width 0\nbt\nframe function main\nprint x\nprint argv[1]\nprint argv[2]\nprint argv[3]\nkill\n' |
	timeout 60 "$heddle" replay --gdb sb.heddle >out 2>&1
has "stops" out 'received signal SIGTRAP'
has "in the failing call" out '^#[0-9]+ .* main \(argc=4.* at sb\.c:34'
has "variables are there" out '\$1 = 1'
has "arguments with spaces" out '\$2 = .* "two words"'
has "arguments that a shell would evaluate" out '\$3 = .* "\$\(touch evil\)"'
has "arguments with a quote" out "\\\$4 = .* \"it's\""
[ ! -e evil ] && pass "nothing was evaluated" || fail "nothing was evaluated" "a file appeared"
printf 'info frame\nprint x\nkill\n' | timeout 60 "$heddle" replay --gdb sb.heddle >out 2>&1
has "the program's frame is selected" out ' in main \(sb\.c:34\)'
has "the program's frame is selected: its line is shown" out '^34[[:space:]]+.*assert'

cat >waits.c <<'EOT'
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
static void *locks(void *spins)
{
	while (spins && !atomic_load(&flag))
		;
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t t;

	pthread_create(&t, NULL, locks, argc > 1 ? argv : NULL);
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	pthread_join(t, NULL);
}
EOT
build -O0 -o waits waits.c
# stops NAME FILE PATTERN...: --gdb stops once for each, in a function and line of the program
stops() {
	local name=$1 file=$2
	shift 2
	printf 'set width 0\nbt\ncontinue\nbt\ncontinue\nbt\nkill\n' |
		timeout 60 "$heddle" replay --gdb "$file" >out 2>&1
	sed '1,/(gdb)/{/(gdb)/!d}' out | grep -oE '(main|locks) \(.* at (waits|sb)\.c:[0-9]+' | sed -E 's/ .* at / /' >where
	printf '%s\n' "$@" >expected
	same "$name: the stacks of who waits" expected where
	has "$name: as often as these" out "exited with code 01"
	[ "$(grep -c 'received signal SIGTRAP' out)" = $# ] && pass "$name: $# stops" ||
		fail "$name: $# stops" "$(grep -c SIGTRAP out)"
}
# As a graph, and on store buffers.
t "a deadlock" 1 "$heddle" run --model rc11 ./waits
has "a deadlock: it is" out '^FAILED  deadlock'
stops "deadlock" waits.heddle "main waits.c:21" "locks waits.c:10"
for model in rc11 tso; do
	t "a livelock, $model" 1 "$heddle" run --model $model ./waits spin
	has "a livelock, $model: it is" out '^FAILED  livelock'
	stops "livelock, $model" waits.heddle "locks waits.c:7" "main waits.c:24"
done
t "an assertion as a graph" 1 "$heddle" run --model rc11 ./sb
stops "assertion, rc11" sb.heddle "main sb.c:34"

# Steps of the schedule, forwards and backwards, and the state at each.
session() { # NAME FILE COMMAND...
	local name=$1 file=$2
	shift 2
	printf 'set width 0\n' >commands
	printf '%s\n' "$@" 'kill' >>commands
	timeout 60 "$heddle" replay --gdb "$file" <commands >out 2>&1
	sed -i 's|^\((gdb) \)*||' out
}
t "steps: an execution with store buffers" 1 "$heddle" run -q --model tso ./sb
session "steps" sb.heddle 'heddle where' 'heddle goto 5' 'info heddle threads' 'info heddle buffers' 'info heddle next' \
	'info threads' 'heddle step' 'heddle back 2' 'heddle step 15' 'info heddle buffers' 'heddle goto 0' 'heddle goto 22'
has "where: the failure" out '^step 21 of 21: main: fails: assertion'
grep -oE '^step [0-9]+ of 21: [a-zA-Z0-9]+' out >where
printf 'step %s\n' '21 of 21: main' '5 of 21: T1' '6 of 21: T1' '4 of 21: T1' '19 of 21: main' >expected
same "steps forwards and backwards" expected where
has "back: the program is in that step" out '^#[0-9]+ .* in writer_x .*sb\.c:13$'
has "buffers" out '^ +T1 writer_x +step 4 of 21: T1: store x = 1 '
has "buffers: empty in the end" out '^  no store waits in a buffer$'
has "threads: the next step of each" out '^ +T1 writer_x +next: step 6 of 21'
has "threads: another one" out '^ +T2 writer_y +next: step 7 of 21: T2: start'
has "the schedule" out '^  step 8 of 21: T2: store y = 1'
has "gdb's thread has the name" out '^\* 1 .*"T1"'
[ "$(grep -c '^the execution has the steps 1 to 21$' out)" = 2 ] && pass "no such step" || fail "no such step" "$(cat out)"
t "steps: a deadlock" 1 "$heddle" run -q --model rc11 ./waits
session "deadlock" waits.heddle 'info heddle threads' 'info heddle locks' 'heddle goto 4' 'info heddle locks'
has "deadlock: who waits" out '^ +T1 locks +waits to lock a, which main holds'
has "deadlock: who holds" out '^ +main +holds a, taken at step'

mkdir empty
refused "no gdb" "gdb is not installed" env PATH="$scratch/empty" "$heddle" replay --gdb sb.heddle
finish
