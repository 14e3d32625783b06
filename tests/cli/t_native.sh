# SPDX-License-Identifier: ISC
# t_native.sh - an instrumented program that is not explored behaves as without Heddle: its output and its end. Signals,
# fork, exec, dlopen, C++ exceptions, thread-local destructors, cancellation.
. "$(dirname "$0")/lib.sh"

folder=$here/../native
cxx=$B/bin/heddle-c++

# outcome PROGRAM: its output and its end.
outcome() {
	timeout 30 "$1" </dev/null 2>&1
	echo "ends with $?"
}

# compare TITLE COMPILER DRIVER FILE FLAGS...: at two levels, with the output of the plain compiler.
compare() {
	local title=$1 plain=$2 driver=$3 file=$4 level
	shift 4
	$plain -w -O1 -o program "$folder/$file" "$@" -pthread 2>err || fail "$title with $plain" "$(cat err)"
	outcome ./program >want 2>/dev/null
	[ "$(wc -l <want)" -gt 3 ] || fail "$title with $plain says something" "$(cat want)"
	for level in -O0 -O2; do
		$driver -g $level -w -o program "$folder/$file" "$@" -pthread 2>err || fail "$title $level" "$(cat err)"
		outcome ./program >got 2>/dev/null
		same "$title $level: as with $plain" want got
	done
}

compare "signals" gcc "$cc" signals.c
compare "fork, exec, spawn" gcc "$cc" fork.c
gcc -w -shared -fPIC -o plugin.so "$folder/plugin.c"
compare "dlopen of a plain library" gcc "$cc" dlopen.c -DPLUGIN='"./plugin.so"'
"$cc" -w -shared -fPIC -O1 -o instrumented.so "$folder/plugin.c"
cp plugin.so plain.so
compare "dlopen" gcc "$cc" dlopen.c -DPLUGIN='"./plugin.so"'
cp instrumented.so plugin.so
outcome ./program >got
same "dlopen of an instrumented library" want got
compare "C++ exceptions and threads" g++ "$cxx" exceptions.cc
compare "thread-local data" gcc "$cc" tls.c
compare "cancellation" gcc "$cc" cancel.c

# An exploration in the same process has no lasting effects: signals, timers, streams are as before.
cat >after.c <<'EOT'
#include <heddle/heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static int x;
static volatile sig_atomic_t handled;
static void on_usr1(int sig) { handled++; }
static void *add(void *arg) { __atomic_fetch_add(&x, 1, 0); return NULL; }
static void two(void *arg)
{
	pthread_t t;
	pthread_create(&t, NULL, add, NULL);
	add(NULL);
	pthread_join(t, NULL);
	printf("from within\n");
	fclose(stdin);
	signal(SIGUSR1, SIG_IGN);
	heddle_assert(x != 2 || !arg);
}
int main(void)
{
	pthread_t t;
	signal(SIGUSR1, on_usr1);
	printf("%d\n", heddle_check(two, NULL, NULL, NULL));
	printf("%d\n", heddle_check(two, &x, &(struct heddle_options){.quiet = true}, NULL));
	raise(SIGUSR1);
	pthread_create(&t, NULL, add, NULL);
	pthread_join(t, NULL);
	printf("%d %d %d\n", x, handled, getchar());
	return !!fork() + 3;
}
EOT
sed -i 's/#include <stdlib.h>/#include <stdlib.h>\n#include <unistd.h>/' after.c
build -o after after.c
printf 'A' >input
./after <input >out 2>err
code=$?
has "after heddle_check: the handler, the stream" out '^1 1 65$'
[ $code = 4 ] && pass "after heddle_check: the exit status" || fail "after heddle_check: the exit status" "$code $(cat out err)"
finish
