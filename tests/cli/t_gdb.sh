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

mkdir empty
refused "no gdb" "gdb is not installed" env PATH="$scratch/empty" "$heddle" replay --gdb sb.heddle
finish
