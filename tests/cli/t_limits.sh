# SPDX-License-Identifier: ISC
# t_limits.sh - programs that heddle cannot test, and programs that exceed a limit.
. "$(dirname "$0")/lib.sh"

build -O0 -o limits "$here/limits.c"

t "fork" 0 "$heddle" run ./limits fork
has "fork" out '^note: forked processes are not explored: .heddle run --suite. explores those'
refused "exec" "the program calls execle\(\): only one process can be explored" "$heddle" run ./limits exec
t "exec, native" 42 ./limits exec
refused "dup2 of a pipe" "calls dup2\([0-9]+, 100\): only one of them is a pipe or socket between threads" "$heddle" run ./limits pipe
refused "files of a thread" "opens /proc/self/task/[0-9]+/comm: the files of a single thread are not simulated" \
	"$heddle" run ./limits file
compile mapped_file tests/clean/mapped_file.c
refused "a mapped file that is written" "a file that the program has mapped is written by a system call .--model tso can" \
	"$heddle" run --model rc11 ./mapped_file
cat >not_simulated.c <<'EOT'
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	timer_t timer;

	timer_create(CLOCK_PROCESS_CPUTIME_ID, NULL, &timer);
	if (argc > 1)
		syscall(SYS_timer_create, 0, NULL, NULL);
	return timer_settime(timer, 0, &(struct itimerspec){.it_value = {1, 0}}, NULL);
}
EOT
build -o not_simulated not_simulated.c
refused "a timer by syscall()" "the program calls syscall\([0-9]+\), timer_create: it would escape" "$heddle" run ./not_simulated x
refused "timers of CPU time" "the program calls timer_settime\(\): timers of CPU time are not simulated" \
	"$heddle" run ./not_simulated

# A function of libc finds an empty store buffer, which no processor promises: graphs know better.
cat >foreign.c <<'EOT'
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void *run(void *arg)
{
	sigset_t set;

	atomic_store_explicit(arg ? &x : &y, 1, memory_order_relaxed);
	sigemptyset(&set);
	*(arg ? &a : &b) = atomic_load_explicit(arg ? &y : &x, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, run, &t);
	run(NULL);
	pthread_join(t, NULL);
	assert(a || b);
	return 0;
}
EOT
build -o foreign foreign.c
t "a foreign call, dfs" 3 "$heddle" run --model tso --strategy dfs ./foreign
has "a foreign call, dfs" out 'not complete: calls of code that is not instrumented empty the store buffer, 0 failing'
sed 's/^#include <signal.h>/&\n#include <stdio.h>/; s/sigemptyset(&set)/puts("")/' foreign.c >printing.c
build -o printing printing.c
t "a call of an interceptor, dfs" 3 "$heddle" run --model tso --strategy dfs ./printing
has "a call of an interceptor, dfs" out 'calls of code that is not instrumented empty the store buffer, 0 failing'
t "a foreign call, sc" 0 "$heddle" run --model sc --strategy dfs ./foreign
t "a foreign call, graph" 1 "$heddle" run --model tso ./foreign
has "a foreign call, graph" out 'needs reordering'
cat >urgent.c <<'EOT'
#include <sys/socket.h>
int main(void)
{
	int s[2];

	socketpair(AF_UNIX, SOCK_STREAM, 0, s);
	return send(s[0], "!", 1, MSG_OOB) != 1;
}
EOT
build -o urgent urgent.c
refused "urgent data" "the program sends urgent data: not simulated" "$heddle" run ./urgent

cat >outside.c <<'EOT'
#define _GNU_SOURCE
#include <aio.h>
#include <fcntl.h>
#include <ftw.h>
#include <mqueue.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

static int visit(const char *path, const struct stat *s, int kind)
{
	return 0;
}

int main(int argc, char **argv)
{
	struct flock l = {.l_type = F_WRLCK};
	int p[2];

	switch (pipe(p) + atoi(argv[argc - 1])) {
	case 0: return (int)splice(p[0], NULL, p[1], NULL, 1, 0);
	case 1: return (int)tee(p[0], p[1], 1, 0);
	case 2: return inotify_init1(0) < 0;
	case 3: return fcntl(open("outside.c", O_RDWR), F_OFD_SETLKW, &l);
	case 4: return mq_open("/heddle", O_RDWR | O_CREAT, 0600, NULL) < 0;
	case 5: return msgget(IPC_PRIVATE, 0600) < 0;
	case 6: return semget(IPC_PRIVATE, 1, 0600) < 0;
	case 7: return shmget(IPC_PRIVATE, 4096, 0600) < 0;
	case 8: return aio_read(&(struct aiocb){.aio_fildes = 0}) < 0;
	case 9: return posix_openpt(O_RDWR) < 0;
	case 10: return (int)process_vm_readv(getpid(), NULL, 0, NULL, 0, 0);
	case 11: return setxattr("outside.c", "user.heddle", "", 0, 0) < 0;
	case 12: return (int)syscall(SYS_futex_waitv, NULL, 0, 0, NULL, 0);
	default:
		close(creat("outside.made", 0600));
		return ftw(".", visit, 8);
	}
}
EOT
build -o outside outside.c
refused "splice" "calls splice\(\) on a pipe or socket between threads: not simulated" "$heddle" run ./outside 0
refused "tee" "calls tee\(\) on a pipe or socket between threads: not simulated" "$heddle" run ./outside 1
refused "inotify" "calls inotify_init1\(\): events of files are not simulated" "$heddle" run ./outside 2
refused "locks of open files" "locks an open file by fcntl\(F_OFD_SETLK\): not simulated" "$heddle" run ./outside 3
refused "message queues" "calls mq_open\(\): message queues of the kernel are not simulated" "$heddle" run ./outside 4
refused "message queues, System V" "calls msgget\(\): message queues of the kernel are not simulated" "$heddle" run ./outside 5
refused "sets of semaphores" "calls semget\(\): sets of semaphores of the kernel are not simulated" "$heddle" run ./outside 6
refused "memory segments" "calls shmget\(\): memory segments of the kernel are not simulated" "$heddle" run ./outside 7
refused "asynchronous reads" "calls aio_read\(\): asynchronous reads and writes, by threads of the C library, are not" \
	"$heddle" run ./outside 8
refused "pseudo-terminals" "calls posix_openpt\(\): pseudo-terminals are not simulated" "$heddle" run ./outside 9
refused "a process from outside" "calls process_vm_readv\(\): accesses to a process from outside are not simulated" \
	"$heddle" run ./outside 10
refused "extended attributes" "calls setxattr\(\): not simulated" "$heddle" run ./outside 11
refused "several futexes" "calls syscall\([0-9]+\), futex_waitv: it would escape" "$heddle" run ./outside 12
refused "ftw" "calls ftw\(\) after it has made, renamed or removed files: not simulated" "$heddle" run ./outside 13
t "a signal to another thread" 1 "$heddle" run ./limits signal
has "a signal to another thread" out '^FAILED  nothing handles signal 10 '
for how in graph random dfs; do
	t "pause, $how" 1 "$heddle" run --model tso --strategy $how ./limits pause
	has "pause, $how" out '^FAILED  deadlock: T1 waits for ever for a signal'
done

t "out of memory" 3 "$heddle" run --strategy dfs --executions 1 ./limits memory
has "out of memory: says so" out '^note: an allocation of [0-9]+ bytes failed: '
for mib in 300 400 1000 2000 4000; do
	grep -q __asan_init "$heddle" && pass "address space # SKIP: AddressSanitizer wants all of it" && break
	(ulimit -v $((mib * 1024)) && exec "$heddle" run --strategy dfs --executions 1 ./limits memory) >out 2>err
	code=$?
	if [ $code = 3 ] && grep -q '^note: an allocation of' out ||
		{ [ $code = 2 ] && [ "$(wc -l <err)" = 1 ] && grep -q '^heddle: .*memory' err; }; then
		pass "address space of $mib MiB"
	else
		fail "address space of $mib MiB" "exit code $code
$(cat out err)"
	fi
done
t "too many threads" 3 "$heddle" run --strategy dfs --executions 1 ./limits threads
has "too many threads: says so" out '^note: limit: more than 512 threads at once: pthread_create\(\) fails'
for strategy in random pct; do
	t "many threads in turn, $strategy" 3 "$heddle" run --strategy $strategy --executions 5 ./limits turns
	has "many threads in turn, $strategy: executions" out '^heddle: tso, .*, 5 executions, .* 0 failing'
done
t "many threads in turn: a failure" 1 "$heddle" run --strategy random ./limits turns failing
sed -n "/^FAILED/,\$p" out | grep -vE '^(heddle|note): ' >run.txt
t "many threads in turn: replay" 1 "$heddle" replay limits.heddle
same "many threads in turn: replay says what run said" run.txt out
t "stack overflow" 1 "$heddle" run --strategy dfs ./limits stack
has "stack overflow: of which thread" out '^FAILED  stack overflow of T1 \(32 MiB: --stack\), '
has "stack overflow: where" out '#0  deep .*limits\.c:'
t "stack of 16 MiB" 1 "$heddle" run ./limits recursion
has "stack of 16 MiB: the option is named" out '^FAILED  stack overflow of main \(16 MiB: --stack\), '
t "stack of 64 MiB" 0 "$heddle" run --stack 64m ./limits recursion
t "main's status" 1 "$heddle" run --strategy dfs ./limits
has "main's status: says so" out '^FAILED  .*status 9|^FAILED  .*exit.* 9'
finish
