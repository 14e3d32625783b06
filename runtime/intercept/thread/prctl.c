/* SPDX-License-Identifier: ISC */
/*
 * prctl.c - prctl(): names and timers of threads are simulated, settings of the process are undone
 * at the end of the execution; settings that cannot be undone are refused.
 */
#include "intercept/intercept.h"
#include "intercept/file/io.h"
#include "intercept/libc/settings.h"

#include <errno.h>
#include <sys/prctl.h>

/* --- simulated ------------------------------------------------------------------------------- */

static int set_thread_name(const char *from)
{
	char name[16];

	strncpy(name, from, sizeof name - 1);
	name[sizeof name - 1] = 0;
	return (int)errno_return(-pthread_setname_np(pthread_self(), name));
}

/* 0: the process's. Nothing depends on it, as sleeps take virtual time. */
static int set_slack(unsigned long ns)
{
	self_of(thread_self())->slack = ns;
	return 0;
}

static int get_slack(void)
{
	u64 own = self_of(thread_self())->slack;

	return own ? (int)own : real(prctl)(PR_GET_TIMERSLACK, 0, 0, 0, 0);
}

/* The real one is that of the process that has started us. */
static PER_EXECUTION int death_signal;

static int set_death_signal(unsigned long sig)
{
	if (sig >= NSIG)
		return (int)errno_return(-EINVAL);
	death_signal = (int)sig;
	return 0;
}

static int get_death_signal(int *to)
{
	*to = death_signal;
	return 0;
}

/* Programs cannot be executed, so it would have no other effect. */
static PER_EXECUTION bool no_new_privileges;

static int set_no_new_privileges(const unsigned long a[4])
{
	if (a[0] != 1 || a[1] || a[2] || a[3])
		return (int)errno_return(-EINVAL);
	no_new_privileges = true;
	return 0;
}

/* False: it is left to the kernel. */
static bool prctl_simulated(int what, const unsigned long a[4], int *result)
{
	switch (what) {
	case PR_SET_NAME: *result = set_thread_name((const char *)a[0]); return true;
	case PR_GET_NAME:
		*result = (int)errno_return(
			-pthread_getname_np(pthread_self(), (char *)a[0], 16));
		return true;
	case PR_SET_TIMERSLACK: *result = set_slack(a[0]); return true;
	case PR_GET_TIMERSLACK: *result = get_slack(); return true;
	case PR_SET_PDEATHSIG: *result = set_death_signal(a[0]); return true;
	case PR_GET_PDEATHSIG: *result = get_death_signal((int *)a[0]); return true;
	case PR_SET_NO_NEW_PRIVS: *result = set_no_new_privileges(a); return true;
	case PR_GET_NO_NEW_PRIVS: *result = 1; return no_new_privileges;
	}
	return false;
}

/* --- undone ---------------------------------------------------------------------------------- */

static const struct setting {
	int set, get;
	bool answers; /* to where its argument points */
} process_settings[] = {{PR_SET_DUMPABLE, PR_GET_DUMPABLE}, {PR_SET_KEEPCAPS, PR_GET_KEEPCAPS},
	{PR_SET_THP_DISABLE, PR_GET_THP_DISABLE},
	{PR_SET_CHILD_SUBREAPER, PR_GET_CHILD_SUBREAPER, true},
	{PR_SET_TSC, PR_GET_TSC, true}};

static void undo_process_setting(long which, long before)
{
	real(prctl)((int)which, before, 0, 0, 0);
}

static void keep_process_setting(int what)
{
	for (size_t i = 0; i < array_size(process_settings); i++) {
		const struct setting *s = &process_settings[i];
		long *before = s->set == what ? settings_undo(undo_process_setting, what) : NULL;
		int answer = 0;

		if (!before)
			continue;
		*before = real(prctl)(s->get, s->answers ? &answer : NULL, 0, 0, 0);
		if (s->answers)
			*before = answer;
	}
}

/* --- the call -------------------------------------------------------------------------------- */

static void refuse_for_ever(int what)
{
	if (what == PR_SET_SECCOMP)
		machine_refuse("the program restricts its own system calls (seccomp): that cannot "
			       "be undone for the next execution");
	if (what == PR_CAPBSET_DROP || what == PR_SET_SECUREBITS)
		machine_refuse("the program gives up privileges (prctl): that cannot be undone for "
			       "the next execution");
}

/* Does the kernel write a number to where the first argument points? */
static bool prctl_answers(int what)
{
	return what == PR_GET_ENDIAN || what == PR_GET_FPEMU ||
	       what == PR_GET_FPEXC || what == PR_GET_UNALIGN || what == PR_GET_TSC ||
	       what == PR_GET_CHILD_SUBREAPER || what == PR_GET_TID_ADDRESS;
}

/* Five arguments are read, passed or not, as the kernel does. */
INTERCEPT int prctl(int what, ...)
{
	unsigned long a[4];
	int result;
	va_list ap;

	va_start(ap, what);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(ap, unsigned long);
	va_end(ap);
	NATIVELY(prctl, what, a[0], a[1], a[2], a[3]);
	refuse_for_ever(what);
	machine_drain();
	if (prctl_simulated(what, a, &result))
		return result;
	settings_step(process_settings);
	keep_process_setting(what);
	if (prctl_answers(what))
		io_fill((void *)a[0], sizeof(long));
	return real(prctl)(what, a[0], a[1], a[2], a[3]);
}
