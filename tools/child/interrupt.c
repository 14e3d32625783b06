/* SPDX-License-Identifier: ISC */
/* interrupt.c - see interrupt.h. */
#include "child/interrupt.h"

#include <sys/time.h>
#include <unistd.h>

#include "base/base.h"

#define PATIENCE 600000 /* microseconds of CPU time for the remaining work after the first signal */

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
static volatile sig_atomic_t count, at_once;

/* End by the signal itself, which is blocked here. */
static _Noreturn void give_up(int sig)
{
	int by = sig == SIGPROF ? SIGTERM : sig;
	sigset_t set;

	signal(by, SIG_DFL);
	raise(by);
	sigemptyset(&set);
	sigaddset(&set, by);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	_exit(128 + by);
}

void interrupt_note(void)
{
	struct itimerval left = {{0, 0}, {0, PATIENCE}};

	if (!count++)
		setitimer(ITIMER_PROF, &left, NULL);
}

static void on_signal(int sig)
{
	if (sig == SIGPROF || count || at_once)
		give_up(sig);
	interrupt_note();
}

void interrupt_at_once(bool on)
{
	at_once = on;
}

int interrupt_count(void)
{
	return count;
}

sigset_t interrupt_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < array_size(signals); i++)
		sigaddset(&set, signals[i]);
	return set;
}

/* Ignored signals stay ignored: nohup, and a shell's background. */
void interrupt_begin(void)
{
	struct sigaction here = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, was;

	sigfillset(&here.sa_mask);
	sigaction(SIGPROF, &here, NULL);
	for (size_t i = 0; i < array_size(signals); i++)
		if (sigaction(signals[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN)
			sigaction(signals[i], &here, NULL);
}
