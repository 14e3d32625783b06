/* SPDX-License-Identifier: ISC */
/*
 * intercept.h - common parts of all interceptors.
 *
 * An interceptor does one thing: natively it calls libc's function, while exploring it calls the
 * machine. It is weak, so that a program's own function of that name takes precedence.
 */
#ifndef INTERCEPT_INTERCEPT_H
#define INTERCEPT_INTERCEPT_H

#include "intercept/real.h"
#include "machine/machine.h"
#include "process/module.h"

#define INTERCEPT __attribute__((visibility("default"), weak))

/* The first line of an interceptor. */
#define NATIVELY(name, ...)                                                                        \
	do {                                                                                       \
		if (!machine_entered())                                                            \
			return real(name)(__VA_ARGS__);                                            \
	} while (0)

/* The same for functions that the runtime itself calls as well: files, memory, clocks. */
#define NATIVELY_OR_OURS(name, ...)                                                                \
	do {                                                                                       \
		if (!machine_entered() ||                                                          \
			module_calls_itself(__builtin_return_address(0)))            \
			return real(name)(__VA_ARGS__);                                            \
	} while (0)

/*
 * Functions that a program calls in a loop until they succeed come through an entry stub
 * (arch/entry.def): ATTEMPT(int, name, (parameters), (arguments)) { while exploring }
 */
#define ATTEMPT(ret, name, params, args)                                                           \
	ret native_##name params;                                                                  \
	ret explore_##name params;                                                                 \
	ret native_##name params                                                                   \
	{                                                                                          \
		return real(name) args;                                                            \
	}                                                                                          \
	ret explore_##name params

/* --- memory.c -------------------------------------------------------------------------------- */

/*
 * Store a result for the code at `caller` (a return address); `to` may be NULL. For instrumented
 * code this is a store like its own, without a fence; other code reads memory directly.
 */
void give(const void *caller, void *to, const void *answer, size_t n);
/* The opposite: read the program's memory as the code at `caller` does. If it was stored in parts,
 * the thread's buffer drains: take the members of a structure one by one. */
void take(const void *caller, void *to, const void *from, size_t n);
/* These bytes, or this string, are read as by a string function of libc. */
void read_bytes(const void *p, size_t n);
void read_text(const char *s);

/* --- pthread.c ------------------------------------------------------------------------------- */

/* Interception's data about a thread of this execution. */
struct self {
	u32 epoch;
	u16 life; /* of the slot: thread.lives */
	bool joining; /* a thread waits for it to end */
	u8 scheduling; /* its own settings (scheduling.c) */
	__pthread_unwind_buf_t *cleanup; /* the last pthread_cleanup_push() that is not popped */
	void *result; /* of pthread_exit, while handlers run */
	u64 slack; /* of timers, in nanoseconds (limits.c) */
	stack_t signal_stack; /* sigaltstack(); ss_sp NULL: none */
	char name[16];
};
struct self *self_of(const struct thread *t);

pthread_t handle_of(const struct thread *t);
struct thread *thread_of(pthread_t handle); /* NULL: not a thread of this execution */
int create_thread(pthread_t *handle, void *(*start)(void *), void *arg, bool detached);
int join_thread(pthread_t handle, void **result);
int detach_thread(pthread_t handle);
_Noreturn void finish_thread(void *result); /* run destructors, then end the calling thread */
void openmp_refuse(const void *caller); /* does code of an OpenMP library create a thread? */

/* --- process.c ------------------------------------------------------------------------------- */

_Noreturn void process_exit(int status);	/* exit() while exploring */
void process_run_thread_destructors(void); /* C++ thread_local objects of the calling thread */

/* --- unsafe.c -------------------------------------------------------------------------------- */

/* The program calls a function of libc that handlers must not call. */
void unsafe_function(const void *function, const void *caller);

/* --- abi.c ----------------------------------------------------------------------------------- */

struct foreign_range;
/* The calling thread calls this function of libc, which writes there only. site, sp: engine.h. */
void foreign_writes(const void *function, const struct foreign_range *range, u64 site, u64 sp);

/* --- silent.c -------------------------------------------------------------------------------- */

void silent_init(void); /* before executions */

/* Is this a function of libc that writes to no memory of the program, and calls nothing of it? */
bool silent_function(const void *function);

/* --- scheduling.c ---------------------------------------------------------------------------- */

struct thread *thread_of_tid(
	pid_t tid); /* 0: the calling thread; NULL: no thread of this execution */
/* syscall() with this number; false: not one of a thread of this execution. */
bool scheduling_syscall(long number, const long a[6], long *result);

/* --- time.c ---------------------------------------------------------------------------------- */

/* clock_gettime() while exploring, called from this address in the program. */
int time_gettime(const void *caller, clockid_t clock, struct timespec *to);

/* --- mapping.c ------------------------------------------------------------------------------- */

/* A descriptor or mapping that must not outlive this execution was made. */
void clean_up_at_end(void);

/* Has this execution mapped the file that is open there, shared? */
bool mapping_is_of(int fd);

/* --- io.c ------------------------------------------------------------------------------------ */

/* Close the descriptors that the execution has left open. */
void io_execution_ends(void);

/* --- signal.c -------------------------------------------------------------------------------- */

/* Act as if the calling thread had raised sig; true if it continues, false if the process ends. */
bool process_signal(int sig);
/* tgkill() while exploring. */
int signal_thread(pid_t tid, int sig);

/* Minus an error number means: set errno, return -1. */
static inline long errno_return(long result)
{
	extern int *__errno_location(void);

	if (result >= 0)
		return result;
	*__errno_location() = (int)-result;
	return -1;
}

#endif
