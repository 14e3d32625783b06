/* SPDX-License-Identifier: ISC
 *
 * faults.c - store buffering in two threads, after actions that a tool must survive.
 *
 *     faults WHAT: fail long medium short many standard kill, or a name of the table below, and then `fail'
 */
#define _GNU_SOURCE
#include <assert.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MANY 500

static atomic_int x, y;
int table[4];
static const char *what;

static int deep(int n)
{
	volatile char room[4096];

	room[0] = (char)n;
	return n > 1 << 20 ? 0 : deep(n + 1) + room[0];
}

static void handler(int signal)
{
	_exit(signal);
}

static void leave(void)
{
	_exit(3);
}

static void give_up(void)
{
	abort();
}

static void abort_at_exit(void)
{
	atexit(give_up);
}

static void close_all(void)
{
	for (int i = 3; i < 1024; i++)
		close(i);
}

static void close_from(void)
{
	closefrom(0);
}

static void close_by_range(void)
{
	close_range(0, ~0u, 0);
}

static void replace_all(void)
{
	for (int i = 0; i < 64; i++)
		dup2(2, i);
}

static void mask_all(void)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
}

static void handle_crashes(void)
{
	sigaction(SIGSEGV, &(struct sigaction){.sa_handler = handler}, NULL);
	*(volatile int *)1 = 1;
}

static void take_alternate_stack(void)
{
	stack_t other = {.ss_size = 1 << 16};

	other.ss_sp = malloc(other.ss_size);
	sigaltstack(&other, NULL);
	free(other.ss_sp);
}

static void overflow_stack(void)
{
	deep(0);
}

static void far_jump(int n, jmp_buf to)
{
	if (n)
		far_jump(n - 1, to);
	longjmp(to, 1);
}

static void jump(void)
{
	jmp_buf here;

	if (!setjmp(here))
		far_jump(10, here);
}

static void move(void)
{
	if (chdir("/proc") != 0)
		abort();
	umask(0777);
	unsetenv("TMPDIR");
}

static void limit_itself(void)
{
	static const int which[] = {RLIMIT_AS, RLIMIT_CORE, RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_STACK};
	struct rlimit none = {0, 0}, now;

	for (unsigned i = 0; i < sizeof which / sizeof *which; i++) {
		setrlimit(which[i], &none);
		getrlimit(which[i], &now);
		if (now.rlim_max)
			abort();
	}
}

static void lock_memory(void)
{
	mlockall(MCL_CURRENT | MCL_FUTURE);
}

static void forbid(void)
{
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
}

static void change_clock(void)
{
	struct timespec t = {1, 0};

	clock_settime(CLOCK_REALTIME, &t);
	alarm(1);
	sleep(3600);
}

/* The runtime's variables lie after those of this file. */
static void overflow_variable(void)
{
	volatile char *end = (volatile char *)table;

	for (int i = 0; i < 1 << 16; i++)
		end[i] = 1;
}

/* Corrupt the page that the tool reads. */
static void spoil_page(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long start, end;
	char line[512];

	while (maps && fgets(line, sizeof line, maps))
		if (strstr(line, "heddle-status") && sscanf(line, "%lx-%lx", &start, &end) == 2)
			memset((void *)start, 0xa5, 4096);
}

/* By another process, as libc's own allocations would depend on the files there. */
static void remove_temporary(void)
{
	if (getenv("TMPDIR") && system("rm -rf \"$TMPDIR\""))
		abort();
}

static const struct {
	const char *name;
	void (*fn)(void);
} faults[] = {
	{"exit", leave},
	{"aborts", abort_at_exit},
	{"closes", close_all},
	{"closefrom", close_from},
	{"ranges", close_by_range},
	{"replaces", replace_all},
	{"masks", mask_all},
	{"handles", handle_crashes},
	{"alternate", take_alternate_stack},
	{"overflows", overflow_stack},
	{"jumps", jump},
	{"moves", move},
	{"limits", limit_itself},
	{"locks", lock_memory},
	{"forbids", forbid},
	{"clock", change_clock},
	{"beyond", overflow_variable},
	{"spoils", spoil_page},
	{"removes", remove_temporary},
};

static void misbehave(void)
{
	for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++)
		if (!strcmp(what, faults[i].name))
			faults[i].fn();
}

static void *one(void *arg)
{
	misbehave();
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_load_explicit(&y, memory_order_relaxed);
	return arg;
}

static void *two(void *arg)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	atomic_load_explicit(&x, memory_order_relaxed);
	return arg;
}

static void both(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}

static void many(void)
{
	static pthread_t t[MANY];

	for (int i = 0; i < MANY; i++)
		pthread_create(&t[i], NULL, two, NULL);
	for (int i = 0; i < MANY; i++)
		pthread_join(t[i], NULL);
}

int main(int argc, char **argv)
{
	what = argc > 1 ? argv[1] : "";
	if (!strcmp(what, "many")) {
		many();
	} else if (!strcmp(what, "standard")) {
		close(1);
		close(2);
	}
	for (int i = 0; i < (!strcmp(what, "long") ? 12 : !strcmp(what, "medium") ? 8 : !strcmp(what, "short") ? 5 : 1); i++)
		both();
	if (!strcmp(what, "kill"))
		kill(1, 0);
	assert(strcmp(argc > 1 ? argv[argc - 1] : "", "fail"));
	return 0;
}
