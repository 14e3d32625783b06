/* SPDX-License-Identifier: ISC */
/*
 * scheduling.c - calls that name a thread by its number: affinity, policy, priority.
 *
 * The numbers of gettid() are not the kernel's; they are the same in every execution. A thread's
 * own settings are kept, without an effect on the schedule. Settings for another thread are
 * accepted and dropped: otherwise the two would communicate by them. Numbers of other processes go
 * to the kernel.
 */
#include "intercept/intercept.h"
#include "intercept/file/io.h"

#include <errno.h>
#include <sys/syscall.h>

enum { HAS_CPUS = 1, HAS_POLICY = 2, HAS_NICE = 4 };

/* A thread's own settings; valid by self_of()->scheduling. */
static struct scheduling {
	cpu_set_t cpus;
	int policy, nice;
	struct sched_param param;
} schedulings[THREADS_MAX];

INTERCEPT pid_t gettid(void)
{
	NATIVELY(gettid);
	return getpid() + (pid_t)thread_id(thread_self());
}

struct thread *thread_of_tid(pid_t tid)
{
	pid_t id = tid - getpid();

	if (!tid)
		return thread_self();
	return id >= 0 && id < THREADS_MAX ? thread_by_id((unsigned)id) : NULL;
}

/* The settings of t; NULL if it has none, or is not the calling thread. */
static const struct scheduling *find_settings(const struct thread *t, u8 what)
{
	return t == thread_self() && self_of(t)->scheduling & what ? &schedulings[thread_id(t)]
								   : NULL;
}

/* The settings to change; NULL: ignore the change. */
static struct scheduling *scheduling_to_set(struct thread *t, u8 what)
{
	if (t != thread_self())
		return NULL;
	self_of(t)->scheduling |= what;
	return &schedulings[thread_id(t)];
}

/* --- affinity -------------------------------------------------------------------------------- */

/* Natively this is EINVAL if no processor is left. */
static bool can_run_on(size_t size, const cpu_set_t *cpus)
{
	cpu_set_t possible;
	size_t n = size < sizeof possible ? size : sizeof possible;
	const u8 *a = (const u8 *)cpus, *b = (const u8 *)&possible;

	if (real(sched_getaffinity)(0, sizeof possible, &possible))
		return false;
	for (size_t i = 0; i < n; i++)
		if (a[i] & b[i])
			return true;
	return false;
}

static int set_affinity(struct thread *t, size_t size, const cpu_set_t *cpus)
{
	struct scheduling *s;

	machine_drain();
	if (!can_run_on(size, cpus))
		return EINVAL;
	s = scheduling_to_set(t, HAS_CPUS);
	if (s) {
		CPU_ZERO(&s->cpus);
		memcpy(&s->cpus, cpus, size < sizeof s->cpus ? size : sizeof s->cpus);
	}
	return 0;
}

/* Like the system call: the number of bytes written, or -errno. */
static long get_affinity(const struct thread *t, size_t size, cpu_set_t *to)
{
	const struct scheduling *s = find_settings(t, HAS_CPUS);
	long n;

	machine_drain();
	io_fill(to, size);
	n = real(syscall)(SYS_sched_getaffinity, 0, size, to);
	if (n < 0)
		return -errno;
	if (s)
		memcpy(to, &s->cpus, (size_t)n < sizeof s->cpus ? (size_t)n : sizeof s->cpus);
	return n;
}

static int get_whole_affinity(const struct thread *t, size_t size, cpu_set_t *to)
{
	long n = get_affinity(t, size, to);

	if (n < 0)
		return (int)-n;
	memset((char *)to + n, 0, size - (size_t)n);
	return 0;
}

INTERCEPT int sched_setaffinity(pid_t tid, size_t size, const cpu_set_t *cpus)
{
	struct thread *t;

	NATIVELY(sched_setaffinity, tid, size, cpus);
	t = thread_of_tid(tid);
	return t ? (int)errno_return(-set_affinity(t, size, cpus))
		 : real(sched_setaffinity)(tid, size, cpus);
}

INTERCEPT int sched_getaffinity(pid_t tid, size_t size, cpu_set_t *to)
{
	struct thread *t;

	NATIVELY(sched_getaffinity, tid, size, to);
	t = thread_of_tid(tid);
	if (t)
		return (int)errno_return(-get_whole_affinity(t, size, to));
	io_fill(to, size);
	return real(sched_getaffinity)(tid, size, to);
}

INTERCEPT int pthread_setaffinity_np(pthread_t handle, size_t size, const cpu_set_t *cpus)
{
	struct thread *t;

	NATIVELY(pthread_setaffinity_np, handle, size, cpus);
	t = thread_of(handle);
	return t ? set_affinity(t, size, cpus) : ESRCH;
}

INTERCEPT int pthread_getaffinity_np(pthread_t handle, size_t size, cpu_set_t *to)
{
	struct thread *t;

	NATIVELY(pthread_getaffinity_np, handle, size, to);
	t = thread_of(handle);
	return t ? get_whole_affinity(t, size, to) : ESRCH;
}

/* The first processor in the thread's affinity mask. */
INTERCEPT int sched_getcpu(void)
{
	const struct scheduling *s;
	int cpu = 0;

	NATIVELY(sched_getcpu);
	s = find_settings(thread_self(), HAS_CPUS);
	while (s && cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, &s->cpus))
		cpu++;
	return cpu;
}

INTERCEPT int getcpu(unsigned *cpu, unsigned *node)
{
	unsigned here, first = 0;

	NATIVELY(getcpu, cpu, node);
	here = (unsigned)sched_getcpu();
	give(__builtin_return_address(0), cpu, &here, sizeof here);
	give(__builtin_return_address(0), node, &first, sizeof first);
	return 0;
}

/* --- policy ---------------------------------------------------------------------------------- */

static int set_policy(struct thread *t, int policy, const struct sched_param *param)
{
	int kind = policy & ~SCHED_RESET_ON_FORK;
	struct scheduling *s;

	if (!param || kind < 0 || sched_get_priority_max(kind) < 0)
		return EINVAL;
	machine_drain();
	if (param->sched_priority < sched_get_priority_min(kind) ||
		param->sched_priority > sched_get_priority_max(kind))
		return EINVAL;
	s = scheduling_to_set(t, HAS_POLICY);
	if (s) {
		s->policy = policy;
		s->param = *param;
	}
	return 0;
}

static int policy_of(const struct thread *t, struct sched_param *param)
{
	const struct scheduling *s = find_settings(t, HAS_POLICY);

	*param = s ? s->param : (struct sched_param){0};
	return s ? s->policy : SCHED_OTHER;
}

INTERCEPT int sched_setscheduler(pid_t tid, int policy, const struct sched_param *param)
{
	struct thread *t;

	NATIVELY(sched_setscheduler, tid, policy, param);
	t = thread_of_tid(tid);
	return t ? (int)errno_return(-set_policy(t, policy, param))
		 : real(sched_setscheduler)(tid, policy, param);
}

INTERCEPT int sched_getscheduler(pid_t tid)
{
	struct sched_param param;
	struct thread *t;

	NATIVELY(sched_getscheduler, tid);
	t = thread_of_tid(tid);
	return t ? policy_of(t, &param) : real(sched_getscheduler)(tid);
}

INTERCEPT int sched_setparam(pid_t tid, const struct sched_param *param)
{
	struct sched_param now;
	struct thread *t;

	NATIVELY(sched_setparam, tid, param);
	t = thread_of_tid(tid);
	return t ? (int)errno_return(-set_policy(t, policy_of(t, &now), param))
		 : real(sched_setparam)(tid, param);
}

INTERCEPT int sched_getparam(pid_t tid, struct sched_param *to)
{
	struct sched_param param;
	struct thread *t;

	NATIVELY(sched_getparam, tid, to);
	t = thread_of_tid(tid);
	if (!t) {
		io_fill(to, sizeof *to);
		return real(sched_getparam)(tid, to);
	}
	if (!to)
		return (int)errno_return(-EINVAL);
	policy_of(t, &param);
	give(__builtin_return_address(0), to, &param, sizeof param);
	return 0;
}

INTERCEPT int sched_rr_get_interval(pid_t tid, struct timespec *to)
{
	NATIVELY(sched_rr_get_interval, tid, to);
	machine_drain();
	io_fill(to, sizeof *to);
	return real(sched_rr_get_interval)(thread_of_tid(tid) ? 0 : tid, to);
}

INTERCEPT int pthread_setschedparam(pthread_t handle, int policy, const struct sched_param *param)
{
	struct thread *t;

	NATIVELY(pthread_setschedparam, handle, policy, param);
	t = thread_of(handle);
	return t ? set_policy(t, policy, param) : ESRCH;
}

INTERCEPT int pthread_getschedparam(pthread_t handle, int *policy, struct sched_param *to)
{
	struct sched_param param;
	struct thread *t;
	int now;

	NATIVELY(pthread_getschedparam, handle, policy, to);
	t = thread_of(handle);
	if (!t)
		return ESRCH;
	now = policy_of(t, &param);
	give(__builtin_return_address(0), policy, &now, sizeof now);
	give(__builtin_return_address(0), to, &param, sizeof param);
	return 0;
}

INTERCEPT int pthread_setschedprio(pthread_t handle, int priority)
{
	struct sched_param param;
	struct thread *t;
	int policy;

	NATIVELY(pthread_setschedprio, handle, priority);
	t = thread_of(handle);
	if (!t)
		return ESRCH;
	policy = policy_of(t, &param);
	param.sched_priority = priority;
	return t == thread_self() ? set_policy(t, policy, &param) : 0;
}

/* --- nice ------------------------------------------------------------------------------------ */

static int nice_of(const struct thread *t)
{
	const struct scheduling *s = find_settings(t, HAS_NICE);

	return s ? s->nice : real(getpriority)(PRIO_PROCESS, 0);
}

static void set_nice(struct thread *t, int nice)
{
	struct scheduling *s = scheduling_to_set(t, HAS_NICE);

	if (s)
		s->nice = nice < -20 ? -20 : nice > 19 ? 19 : nice;
}

INTERCEPT int getpriority(__priority_which_t which, id_t who)
{
	struct thread *t;

	NATIVELY(getpriority, which, who);
	t = which == PRIO_PROCESS ? thread_of_tid((pid_t)who) : NULL;
	return t ? nice_of(t) : real(getpriority)(which, who);
}

INTERCEPT int setpriority(__priority_which_t which, id_t who, int nice)
{
	struct thread *t;

	NATIVELY(setpriority, which, who, nice);
	t = which == PRIO_PROCESS ? thread_of_tid((pid_t)who) : NULL;
	if (!t)
		return real(setpriority)(which, who, nice);
	set_nice(t, nice);
	return 0;
}

INTERCEPT int nice(int more)
{
	NATIVELY(nice, more);
	set_nice(thread_self(), nice_of(thread_self()) + more);
	return nice_of(thread_self());
}

/* --- by syscall() ---------------------------------------------------------------------------- */

/* Other calls with a thread's number, which have no libc function; settings are ignored. */
static bool explored_rest(long number, const long a[6], long *result)
{
	struct thread *t =
		thread_of_tid((pid_t)a[number == SYS_ioprio_set || number == SYS_ioprio_get]);

	if (!t)
		return false;
	switch (number) {
	case SYS_sched_setattr:
	case SYS_ioprio_set: *result = 0; return true;
	case SYS_sched_getattr: *result = real(syscall)(number, 0, a[1], a[2], a[3]); return true;
	case SYS_ioprio_get: *result = real(syscall)(number, a[0], 0); return true;
	}
	return false;
}

/* The kernel's own answers: the size of the set, priorities that are not negative. */
static bool explored_getter(long number, const long a[6], long *result)
{
	struct thread *t = thread_of_tid((pid_t)a[number == SYS_getpriority]);

	if (!t || (number == SYS_getpriority && a[0] != PRIO_PROCESS))
		return false;
	if (number == SYS_getpriority)
		*result = 20 - nice_of(t);
	else
		*result = errno_return(get_affinity(t, (size_t)a[1], (cpu_set_t *)a[2]));
	return true;
}

bool scheduling_syscall(long number, const long a[6], long *result)
{
	pid_t tid = (pid_t)a[0];

	machine_drain();
	switch (number) {
	case SYS_sched_setaffinity:
		*result = sched_setaffinity(tid, (size_t)a[1], (const cpu_set_t *)a[2]);
		return true;
	case SYS_sched_setscheduler:
		*result = sched_setscheduler(tid, (int)a[1], (const struct sched_param *)a[2]);
		return true;
	case SYS_sched_getscheduler: *result = sched_getscheduler(tid); return true;
	case SYS_sched_setparam:
		*result = sched_setparam(tid, (const struct sched_param *)a[1]);
		return true;
	case SYS_sched_getparam:
		*result = sched_getparam(tid, (struct sched_param *)a[1]);
		return true;
	case SYS_sched_rr_get_interval:
		*result = sched_rr_get_interval(tid, (struct timespec *)a[1]);
		return true;
	case SYS_setpriority:
		*result = setpriority((__priority_which_t)a[0], (id_t)a[1], (int)a[2]);
		return true;
	case SYS_sched_getaffinity:
	case SYS_getpriority: return explored_getter(number, a, result);
	}
	return explored_rest(number, a, result);
}
