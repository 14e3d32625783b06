/* SPDX-License-Identifier: ISC */
/* Calls that name a thread by its number behave as natively: affinity, policy, priority, name, a signal
 * to itself. random: tso; graph: sc rc11 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "two.h"

static cpu_set_t possible;
static _Thread_local int caught;

static void handler(int sig)
{
	caught = sig;
}

static int some_cpu(void)
{
	int cpu = 0;

	while (!CPU_ISSET(cpu, &possible))
		cpu++;
	return cpu;
}

static void affinity(pid_t tid)
{
	cpu_set_t one, got;
	unsigned cpu;

	CPU_ZERO(&one);
	assert(sched_setaffinity(tid, sizeof one, &one) == -1 && errno == EINVAL);
	CPU_SET(some_cpu(), &one);
	assert(!sched_setaffinity(tid, sizeof one, &one));
	assert(!sched_getaffinity(tid, sizeof got, &got) && CPU_EQUAL(&one, &got));
	assert(!pthread_getaffinity_np(pthread_self(), sizeof got, &got) && CPU_EQUAL(&one, &got));
	assert(sched_getcpu() == some_cpu() && !getcpu(&cpu, NULL) && (int)cpu == some_cpu());
	assert(syscall(SYS_sched_getaffinity, tid, sizeof got, &got) > 0 && CPU_EQUAL(&one, &got));
	assert(!syscall(SYS_sched_setaffinity, tid, sizeof possible, &possible));
	assert(!sched_getaffinity(0, sizeof got, &got) && CPU_EQUAL(&possible, &got));
}

static void policy(pid_t tid)
{
	struct sched_param param = {0};

	assert(!sched_setscheduler(tid, SCHED_BATCH, &param) &&
		sched_getscheduler(tid) == SCHED_BATCH);
	assert(!sched_setscheduler(tid, SCHED_OTHER, &param) &&
		sched_getscheduler(0) == SCHED_OTHER);
	param.sched_priority = 1;
	assert(sched_setparam(tid, &param) == -1 && errno == EINVAL);
	assert(!sched_getparam(tid, &param) && param.sched_priority == 0);
	assert(!setpriority(PRIO_PROCESS, (id_t)tid, 5) &&
		getpriority(PRIO_PROCESS, (id_t)tid) == 5);
	assert(syscall(SYS_getpriority, PRIO_PROCESS, tid) == 15 && nice(2) == 7);
}

static void *worker(void *arg)
{
	pid_t tid = (pid_t)syscall(SYS_gettid);
	char name[16], same[16];

	assert(tid == gettid() && (tid != getpid() || arg == &possible));
	affinity(tid);
	policy(tid);
	assert(!prctl(PR_SET_NAME, "a long name is truncated") && !prctl(PR_GET_NAME, name));
	assert(!strcmp(name, "a long name is ") && !pthread_getname_np(pthread_self(), same, 16) &&
		!strcmp(name, same));
	assert(!syscall(SYS_tgkill, getpid(), tid, SIGUSR1) && caught == SIGUSR1);
	caught = 0;
	assert(!tgkill(getpid(), tid, SIGUSR1) && caught == SIGUSR1 && !tgkill(getpid(), tid, 0));
	assert(tgkill(getpid(), -1, 0) == -1 && errno == EINVAL);
	return NULL;
}

int main(void)
{
	signal(SIGUSR1, handler);
	assert(!sched_getaffinity(0, sizeof possible, &possible));
	two(worker, NULL, worker, NULL);
	worker(&possible);
	puts("ok");
	return 0;
}
