/* SPDX-License-Identifier: ISC */
/*
 * syscall.c - syscall(): futexes, clocks, sleeping, random numbers and calls with a thread's number
 * (scheduling.c) are simulated; the rest passes through.
 *
 * A system call that passes through sees memory as the calling thread sees it (its buffer drains).
 * One that would create a process or thread is refused.
 */
#include "intercept/file/descriptor_io.h"
#include "intercept/intercept.h"
#include "intercept/file/io.h"
#include "machine/wait/vtime.h"
#include "process/snapshot.h"
#include "sync/futex.h"
#include "object/waiters.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>

/* FUTEX_WAIT has a relative time-out, FUTEX_WAIT_BITSET a deadline. */
static bool futex_deadline(int op, bool relative, const struct timespec *t, u64 *deadline)
{
	if (!relative)
		return vtime_deadline(
			op & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, t, deadline);
	if (!vtime_deadline(CLOCK_PROCESS_CPUTIME_ID, t, deadline) || t->tv_sec < 0)
		return false;
	*deadline += vtime_now();
	return true;
}

static long wait_for_futex(const u32 *word, int op, u32 expected, const struct timespec *t,
	u32 bits)
{
	bool relative = (op & FUTEX_CMD_MASK) == FUTEX_WAIT;
	u64 deadline;

	if (!bits)
		return -EINVAL;
	if (!t)
		return futex_wait(word, expected, bits, NULL);
	if (!futex_deadline(op, relative, t, &deadline))
		return -EINVAL;
	return futex_wait(word, expected, bits, &deadline);
}

static long futex(const long a[6])
{
	const u32 *word = (const u32 *)a[0];
	const struct timespec *t = (const struct timespec *)a[3];
	int op = (int)a[1];

	if ((uintptr_t)word % sizeof *word)
		return -EINVAL;
	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_WAIT: return wait_for_futex(word, op, (u32)a[2], t, WAITERS_ANY);
	case FUTEX_WAIT_BITSET: return wait_for_futex(word, op, (u32)a[2], t, (u32)a[5]);
	case FUTEX_WAKE: return futex_wake(word, (int)a[2] < 1 ? 1 : (u32)a[2], WAITERS_ANY);
	case FUTEX_WAKE_BITSET:
		if (!(u32)a[5])
			return -EINVAL;
		return futex_wake(word, (int)a[2] < 1 ? 1 : (u32)a[2], (u32)a[5]);
	default:
		machine_refuse("the program calls futex() with operation %d: only FUTEX_WAIT, "
			       "FUTEX_WAKE and their BITSET forms are simulated",
			op & FUTEX_CMD_MASK);
	}
}

/* The supported operations are the same on every machine. */
static long membarrier(int command)
{
	const int barriers = MEMBARRIER_CMD_GLOBAL | MEMBARRIER_CMD_GLOBAL_EXPEDITED |
			     MEMBARRIER_CMD_PRIVATE_EXPEDITED;
	const int registrations = MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED |
				  MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;

	if (command == MEMBARRIER_CMD_QUERY)
		return barriers | registrations;
	if (command & (command - 1) || !(command & (barriers | registrations)))
		return -EINVAL;
	if (command & barriers)
		machine_fence_all();
	return 0;
}

static _Noreturn void refuse_syscall(long number, const char *name)
{
	machine_refuse("the program calls syscall(%ld), %s: it would escape the exploration",
		number, name);
}

/* Refuse calls that create a process or a thread, or register one with the kernel. */
static void refuse_escape(long number)
{
	switch (number) {
	case SYS_clone: refuse_syscall(number, "clone");
#ifdef SYS_clone3
	case SYS_clone3: refuse_syscall(number, "clone3");
#endif
#ifdef SYS_fork
	case SYS_fork: refuse_syscall(number, "fork");
	case SYS_vfork: refuse_syscall(number, "vfork");
#endif
	case SYS_seccomp: refuse_syscall(number, "seccomp");
	case SYS_execve: refuse_syscall(number, "execve");
	case SYS_set_robust_list: refuse_syscall(number, "set_robust_list");
	case SYS_rt_sigqueueinfo:
	case SYS_rt_tgsigqueueinfo: refuse_syscall(number, "a signal");
	case SYS_rt_sigtimedwait:
	case SYS_rt_sigsuspend: refuse_syscall(number, "a wait for signals");
#ifdef SYS_futex_waitv
	case SYS_futex_waitv: refuse_syscall(number, "futex_waitv");
#endif
	case SYS_ptrace: refuse_syscall(number, "ptrace");
	case SYS_userfaultfd: refuse_syscall(number, "userfaultfd");
	case SYS_pidfd_send_signal: refuse_syscall(number, "a signal");
	case SYS_shmget: refuse_syscall(number, "shmget");
	case SYS_semget: refuse_syscall(number, "semget");
	case SYS_msgget: refuse_syscall(number, "msgget");
	case SYS_mq_open: refuse_syscall(number, "mq_open");
	case SYS_signalfd4: refuse_syscall(number, "signalfd");
	case SYS_setitimer: refuse_syscall(number, "setitimer");
	case SYS_timer_settime: refuse_syscall(number, "timer_settime");
#ifdef SYS_alarm
	case SYS_alarm: refuse_syscall(number, "alarm");
	case SYS_pause: refuse_syscall(number, "pause");
#endif
	}
}

/* Calls on the file that is open there; the interceptors return libc's results. */
static bool transfer(long number, const long a[6], const void *caller, long *result)
{
	struct iovec v = {(void *)a[1], (size_t)a[2]};
	int fd = (int)a[0];

	switch (number) {
	case SYS_read: *result = descriptor_readv(caller, fd, &v, 1, 0); return true;
	case SYS_write: *result = descriptor_writev(caller, fd, &v, 1, 0); return true;
	case SYS_readv:
		*result = descriptor_readv(caller, fd, (const struct iovec *)a[1], (int)a[2], 0);
		return true;
	case SYS_writev:
		*result = descriptor_writev(caller, fd, (const struct iovec *)a[1], (int)a[2], 0);
		return true;
	case SYS_sendmmsg:
		*result = sendmmsg(fd, (struct mmsghdr *)a[1], (unsigned)a[2], (int)a[3]);
		return true;
	case SYS_recvmmsg:
		*result = recvmmsg(fd, (struct mmsghdr *)a[1], (unsigned)a[2], (int)a[3],
			(struct timespec *)a[4]);
		return true;
	case SYS_sendmsg:
		*result = sendmsg(fd, (const struct msghdr *)a[1], (int)a[2]);
		return true;
	case SYS_recvmsg: *result = recvmsg(fd, (struct msghdr *)a[1], (int)a[2]); return true;
	case SYS_fcntl: *result = descriptor_control(fd, (int)a[1], a[2]); return true;
	case SYS_ioctl:
		*result = descriptor_ioctl(caller, fd, (unsigned long)a[1], (void *)a[2]);
		return true;
	case SYS_dup: *result = descriptor_dup(fd, DESCRIPTOR_FIRST); return true;
	}
	return false;
}

/* Calls that would create or use descriptors for threads without the simulation. */
static void refuse_descriptors(long number, int fd)
{
	switch (number) {
	case SYS_sendto:
	case SYS_recvfrom:
	case SYS_dup3:
	case SYS_preadv2:
	case SYS_pwritev2:
	case SYS_splice:
	case SYS_tee:
		if (!descriptor_is_ours(fd))
			return;
		refuse_syscall(number, "on a pipe or socket between threads");
	case SYS_pipe2: refuse_syscall(number, "pipe2");
	case SYS_timerfd_create: refuse_syscall(number, "timerfd_create");
	case SYS_io_setup: refuse_syscall(number, "io_setup");
	case SYS_io_uring_setup: refuse_syscall(number, "io_uring_setup");
	}
}

/* Waits, and calls that make descriptors: the interceptors do the same. */
static bool wait_or_make(long number, const long a[6], long *result)
{
	switch (number) {
#ifdef SYS_poll
	case SYS_poll: *result = poll((struct pollfd *)a[0], (nfds_t)a[1], (int)a[2]); return true;
	case SYS_select:
		*result = select((int)a[0], (fd_set *)a[1], (fd_set *)a[2], (fd_set *)a[3],
			(struct timeval *)a[4]);
		return true;
	case SYS_epoll_wait:
		*result = epoll_wait(
			(int)a[0], (struct epoll_event *)a[1], (int)a[2], (int)a[3]);
		return true;
#endif
	case SYS_ppoll:
		*result = ppoll((struct pollfd *)a[0], (nfds_t)a[1], (const struct timespec *)a[2],
			(const sigset_t *)a[3]);
		return true;
	case SYS_epoll_pwait:
		*result = epoll_pwait((int)a[0], (struct epoll_event *)a[1], (int)a[2], (int)a[3],
			(const sigset_t *)a[4]);
		return true;
	case SYS_epoll_ctl:
		*result = epoll_ctl(
			(int)a[0], (int)a[1], (int)a[2], (struct epoll_event *)a[3]);
		return true;
	case SYS_epoll_create1: *result = epoll_create1((int)a[0]); return true;
	case SYS_eventfd2: *result = eventfd((unsigned)a[0], (int)a[1]); return true;
	case SYS_socket: *result = socket((int)a[0], (int)a[1], (int)a[2]); return true;
	case SYS_socketpair:
		*result = socketpair((int)a[0], (int)a[1], (int)a[2], (int *)a[3]);
		return true;
	case SYS_accept4:
		*result = accept4(
			(int)a[0], (struct sockaddr *)a[1], (socklen_t *)a[2], (int)a[3]);
		return true;
	case SYS_flock: *result = flock((int)a[0], (int)a[1]); return true;
	case SYS_wait4:
		*result = wait4((pid_t)a[0], (int *)a[1], (int)a[2], (struct rusage *)a[3]);
		return true;
	case SYS_pselect6: refuse_syscall(number, "pselect6");
	}
	return false;
}

#define ANSWER_MAX 65536 /* bytes that the kernel may write where an argument points */

static long explored(long number, const long a[6], const void *caller)
{
	long result;

	switch (number) {
	case SYS_futex: return errno_return(futex(a));
	case SYS_membarrier: return errno_return(membarrier((int)a[0]));
	case SYS_gettid:
	case SYS_set_tid_address: return gettid();
	case SYS_getcpu: return getcpu((unsigned *)a[0], (unsigned *)a[1]);
	case SYS_prctl: return prctl((int)a[0], a[1], a[2], a[3], a[4]);
	case SYS_prlimit64:
		return prlimit((pid_t)a[0], (enum __rlimit_resource)a[1],
			(const struct rlimit *)a[2], (struct rlimit *)a[3]);
	case SYS_sched_yield: return sched_yield();
	case SYS_rseq: return errno_return(-ENOSYS);
	case SYS_getrandom: return getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
	case SYS_clock_gettime:
		return time_gettime(caller, (clockid_t)a[0], (struct timespec *)a[1]);
	case SYS_nanosleep:
		return nanosleep((const struct timespec *)a[0], (struct timespec *)a[1]);
	case SYS_clock_nanosleep:
		return errno_return(-clock_nanosleep((clockid_t)a[0], (int)a[1],
			(const struct timespec *)a[2], (struct timespec *)a[3]));
	case SYS_close: return io_close((int)a[0]);
	case SYS_tgkill: return tgkill((pid_t)a[0], (pid_t)a[1], (int)a[2]);
	case SYS_tkill: return signal_thread((pid_t)a[0], (int)a[1]);
	case SYS_kill: return kill((pid_t)a[0], (int)a[1]);
	case SYS_exit: pthread_exit(NULL);
	case SYS_exit_group: _exit((int)a[0]);
	}
	refuse_escape(number);
	if (descriptor_is_ours((int)a[0]) && transfer(number, a, caller, &result))
		return result;
	refuse_descriptors(number, (int)a[0]);
	if (wait_or_make(number, a, &result))
		return result;
	if (scheduling_syscall(number, a, &result))
		return result;
	machine_drain();
	coverage_note("system call %ld by syscall() passed through: its effects on memory are not "
		      "explored",
		number);
	for (int i = 0; i < 6; i++)
		snapshot_touch((void *)a[i], ANSWER_MAX);
	return real(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Six arguments are read, passed or not, as the kernel does. */
INTERCEPT long syscall(long number, ...)
{
	va_list ap;
	long a[6];

	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (!machine_entered())
		return real(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	return explored(number, a, __builtin_return_address(0));
}
