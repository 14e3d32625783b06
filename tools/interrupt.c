/* SPDX-License-Identifier: ISC */
/* interrupt.c - see interrupt.h. */
#include "interrupt.h"

#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/base.h"

#define PATIENCE 600000 /* microseconds of CPU time, for what remains to be done after the first */

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
static volatile sig_atomic_t count;
static const char *volatile last_words;
static volatile int exit_code;

static _Noreturn void give_up(int sig)
{
	const char *words = last_words;

	if (words && write(STDERR_FILENO, words, strlen(words)) >= 0)
		_exit(exit_code);
	signal(sig == SIGPROF ? SIGTERM : sig, SIG_DFL);
	raise(sig == SIGPROF ? SIGTERM : sig);
	_exit(exit_code);
}

void interrupt_note(void)
{
	struct itimerval left = {{0, 0}, {0, PATIENCE}};

	if (!count++)
		setitimer(ITIMER_PROF, &left, NULL);
}

static void on_signal(int sig)
{
	if (sig == SIGPROF || count)
		give_up(sig);
	interrupt_note();
}

int interrupt_count(void)
{
	return count;
}

void interrupt_words(const char *words, int code)
{
	exit_code = code;
	last_words = words;
}

sigset_t interrupt_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < array_size(signals); i++)
		sigaddset(&set, signals[i]);
	return set;
}

/* What is ignored stays so: nohup, and a shell's background. */
void interrupt_begin(void)
{
	struct sigaction here = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, was;

	sigfillset(&here.sa_mask);
	sigaction(SIGPROF, &here, NULL);
	for (size_t i = 0; i < array_size(signals); i++)
		if (sigaction(signals[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN)
			sigaction(signals[i], &here, NULL);
}
