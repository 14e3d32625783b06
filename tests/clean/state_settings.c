/* SPDX-License-Identifier: ISC */
/* graph: rc11 tso; random: rc11 */
/* state_settings.c - settings of the process, lists that libc is in the middle of and libc's
 * variables are the same at the beginning of each execution: main() changes them all. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <locale.h>
#include <pwd.h>
#include <sched.h>
#include <search.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "two.h"

static atomic_int hits;

static void *work(void *arg)
{
	hits++;
	return arg;
}

static struct settings {
	mode_t mode;
	int slack, dumpable, personality, flags, mask, concurrency, no_privileges, death;
	long number;
	size_t stack;
	char directory[4096], locale[256];
} first;

static struct settings settings_now(void)
{
	struct settings now;
	pthread_attr_t attr;

	memset(&now, 0, sizeof now);
	now.mode = umask(0);
	umask(now.mode);
	now.number = nrand48((unsigned short[]){1, 2, 3});
	now.slack = prctl(PR_GET_TIMERSLACK);
	now.dumpable = prctl(PR_GET_DUMPABLE);
	now.no_privileges = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
	prctl(PR_GET_PDEATHSIG, &now.death);
	now.personality = personality(0xffffffff);
	now.flags = fcntl(0, F_GETFL);
	now.mask = setlogmask(0);
	now.concurrency = pthread_getconcurrency();
	pthread_getattr_default_np(&attr);
	pthread_attr_getstacksize(&attr, &now.stack);
	assert(getcwd(now.directory, sizeof now.directory));
	strcpy(now.locale, setlocale(LC_ALL, NULL));
	return now;
}

static void change_settings(void)
{
	pthread_attr_t attr;

	umask(first.mode ^ 7);
	prctl(PR_SET_TIMERSLACK, first.slack + 1000);
	prctl(PR_SET_DUMPABLE, !first.dumpable);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_PDEATHSIG, SIGUSR1);
	personality((unsigned long)first.personality ^ ADDR_COMPAT_LAYOUT);
	fcntl(0, F_SETFL, first.flags ^ O_NONBLOCK);
	setlogmask(LOG_MASK(LOG_ERR));
	pthread_setconcurrency(5);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, first.stack + (1 << 16));
	assert(!pthread_setattr_default_np(&attr));
	assert(!chdir("/") && setlocale(LC_ALL, "C.UTF-8"));
}

static void change_signal_stack(void)
{
	static char room[1 << 16];
	stack_t now, stack = {.ss_sp = room, .ss_size = sizeof room};

	assert(!sigaltstack(NULL, &now) && now.ss_flags == SS_DISABLE);
	assert(!sigaltstack(&stack, NULL) && !sigaltstack(NULL, &now) && now.ss_sp == room);
}

/* What libc remembers between calls. */
static void go_through_lists(void)
{
	ENTRY entry = {"key", NULL};
	time_t epoch = 0;

	assert(!strcmp(getpwent()->pw_name, "root") && getpwent());
	assert(!strcmp(getgrent()->gr_name, "root") && getgrent());
	lcong48((unsigned short[]){1, 2, 3, 4, 5, 6, 7});
	assert(hcreate(10) && !hsearch(entry, FIND) && hsearch(entry, ENTER));
	assert(localtime(&epoch)->tm_hour == 0 && !timezone);
	setenv("TZ", "XYZ5", 1);
	tzset();
	assert(localtime(&epoch)->tm_hour == 19 && timezone == 5 * 3600);
}

/* The test's own values, which the program finds at its beginning. */
__attribute__((constructor)) static void prepare(void)
{
	setenv("TZ", "UTC", 1);
	prctl(PR_SET_PDEATHSIG, 0);
	first = settings_now();
}

int main(void)
{
	struct settings now;

	now = settings_now();
	assert(!memcmp(&now, &first, sizeof now));
	change_settings();
	change_signal_stack();
	go_through_lists();
	two(work, NULL, work, NULL);
	assert(hits == 2);
	return 0;
}
