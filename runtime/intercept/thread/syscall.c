/* SPDX-License-Identifier: ISC */
/*
 * syscall.c - syscall(): most calls become those of the C library (intercept/thread/syscall.def);
 * futexes, barriers and calls with a thread's number (scheduling.c) are simulated; the rest passes
 * through.
 *
 * A system call that passes through sees memory as the calling thread sees it (its buffer drains).
 * One that would create a process or thread is refused.
 */
#include "intercept/file/descriptor_io.h"
#include "intercept/file/io.h"
#include "intercept/intercept.h"
#include "machine/wait/vtime.h"
#include "object/waiters.h"
#include "process/snapshot.h"
#include "sync/futex.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <utime.h>

#define KERNEL_SET 8 /* bytes of a set of signals */

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
	case SYS_rt_sigaction: refuse_syscall(number, "a handler: sigaction() is simulated");
	case SYS_rt_sigpending: refuse_syscall(number, "pending signals");
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
	case SYS_timer_create: refuse_syscall(number, "timer_create");
	case SYS_preadv2: refuse_syscall(number, "preadv2");
	case SYS_pwritev2: refuse_syscall(number, "pwritev2");
	case SYS_io_setup: refuse_syscall(number, "io_setup");
	case SYS_io_uring_setup: refuse_syscall(number, "io_uring_setup");
	case SYS_brk: refuse_syscall(number, "brk");
	}
}

/* --- calls that a function of the C library makes -------------------------------------------- */

/* Argument i; intercept/thread/syscall.def. */
#define NUM(i)	   ((int)a[i])
#define SIZE(i)	   ((size_t)a[i])
#define POINTER(i) ((void *)a[i])
#define SET(i)	   signal_set(a[i], &set)
#define MASK(i)	   (a[i] ? SET(i) : NULL)

/* The C library's sets are longer than the kernel's. */
static const sigset_t *signal_set(long kernel, sigset_t *set)
{
	sigemptyset(set);
	memcpy(set, (const void *)kernel, KERNEL_SET);
	return set;
}

/* Its interceptor is called from a section of its own, for which it is the program that calls.
 * False: there is none, or the program's own function is in its place, which may be the caller. */
__attribute__((section("heddle_syscall"), noinline)) static bool call_function(
	long number, const long a[6], long *result)
{
	sigset_t set;

	switch (number) {
#define CALL(name, function, arguments) \
	case SYS_##name: \
		if (!module_in_runtime((u64)(uintptr_t)(function))) \
			return false; \
		*result = (long)function arguments; \
		return true;
#include "intercept/thread/syscall.def"
#undef CALL
	}
	return false;
}

/* The program's own read() and the like use its descriptors, too. */
static bool use_descriptor(long number, const long a[6], const void *caller, long *result)
{
	struct iovec one = {POINTER(1), SIZE(2)};
	int fd = NUM(0);

	if (number == SYS_close) {
		*result = io_close(fd);
		return true;
	}
	if (!descriptor_is_ours(fd))
		return false;
	switch (number) {
	case SYS_read: *result = descriptor_readv(caller, fd, &one, 1, 0); break;
	case SYS_write: *result = descriptor_writev(caller, fd, &one, 1, 0); break;
	case SYS_readv: *result = descriptor_readv(caller, fd, POINTER(1), NUM(2), 0); break;
	case SYS_writev: *result = descriptor_writev(caller, fd, POINTER(1), NUM(2), 0); break;
	default: return false;
	}
	return true;
}

/* The last argument of pselect6() is a set with its size. */
static long wait_in_pselect(const long a[6])
{
	const long *with = POINTER(5);
	sigset_t set;

	return pselect(NUM(0), POINTER(1), POINTER(2), POINTER(3), POINTER(4),
		with && with[0] ? signal_set(with[0], &set) : NULL);
}

static long change_mask(const long a[6], const void *caller)
{
	sigset_t set, before;
	int error = pthread_sigmask(NUM(0), MASK(1), &before);

	if (error)
		return -error;
	if (a[2])
		give(caller, POINTER(2), &before, KERNEL_SET);
	return 0;
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
	case SYS_rseq: return errno_return(-ENOSYS);
	case SYS_clock_gettime: return time_gettime(caller, (clockid_t)a[0], POINTER(1));
	case SYS_clock_nanosleep:
		return errno_return(
			-clock_nanosleep((clockid_t)a[0], NUM(1), POINTER(2), POINTER(3)));
	case SYS_utimensat:
		if (!a[1])
			return futimens(NUM(0), POINTER(2));
		break;
	case SYS_getcwd: return getcwd(POINTER(0), SIZE(1)) ? (long)strlen(POINTER(0)) + 1 : -1;
	case SYS_pselect6: return wait_in_pselect(a);
	case SYS_rt_sigprocmask: return errno_return(change_mask(a, caller));
	case SYS_tkill: return signal_thread((pid_t)a[0], NUM(1));
	case SYS_exit: pthread_exit(NULL);
	case SYS_exit_group: _exit(NUM(0));
	}
	refuse_escape(number);
	if (call_function(number, a, &result) || use_descriptor(number, a, caller, &result) ||
		scheduling_syscall(number, a, &result))
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
