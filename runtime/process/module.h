/* SPDX-License-Identifier: ISC */
/*
 * module.h - loaded modules: the program, its libraries, libc.
 *
 * The table is made when first needed and again by modules_refresh(). It is changed only while
 * there is one thread, so it needs no lock.
 */
#ifndef PROCESS_MODULE_H
#define PROCESS_MODULE_H

#include "base/base.h"

#define MODULES_MAX	   256
#define MODULE_SEGMENTS	   8  /* of each of the kinds kept */
#define MODULE_LIBC_RANGES 32

struct module_range {
	u64 start, end;
};

struct module {
	u64 base;	      /* load base */
	u64 start, end;	      /* of all segments */
	u64 text, text_end;   /* of the executable segments */
	char path[256];
	u8 build_id[20];
	u8 build_id_len;
	bool instrumented;    /* contains our ELF note */
	u16 tracked, untracked; /* objects in it that track dependencies (heddle-cc --deps), or do
				 * not */
	bool is_libc;	      /* libc, ld.so, libm, libunwind...: never restored */
	bool is_program;      /* the executable; the runtime is part of it */
	bool stack_runs;      /* needs executable stacks: gcc's trampolines */
	const char *names;    /* of its symbols: names_size bytes */
	u64 names_size;
	unsigned nwritable;
	struct module_range
		writable[MODULE_SEGMENTS]; /* without relro */
	struct module_range got_plt; /* filled in by ld.so as functions are first called */
	const void *tls_image;	     /* initial contents of its thread-local variables */
	u64 tls_image_size, tls_size; /* tls_size 0 = has none */
	u64 tls; /* the calling thread's block (of modules_refresh()), 0 = none yet */
	u64 tls_index; /* of its block in each thread, for __tls_get_addr() */
};

/* Update the table: after dlopen(), before a snapshot. */
void modules_refresh(void);

/* Add the modules that libc has loaded since, for itself. The others keep their places. */
void modules_add(void);

unsigned modules_count(void);
const struct module *module_at(unsigned i);
const struct module *module_find(u64 address); /* by any address in it, or NULL */
u64 module_code_at(u32 low); /* the code address with this lower half; 0: in no module */

/* Do all objects that heddle-cc has compiled track dependencies, and is there one? */
bool modules_track_dependencies(void);

/* Is it not libc, and has this text among its names? Then it may refer to it. / Does any? */
bool module_refers_to(const struct module *m, const char *name);
bool modules_refer_to(const char *name);

/* Does any module need executable stacks? */
bool modules_stack_runs(void);

struct trace;

/* A code address of the recorded process as one of this process; 0 if its module is absent. */
u64 module_code(const struct trace *t, u64 code);
/* Any address of it; outside of modules it is unchanged. */
u64 module_address(const struct trace *t, u64 address);

/* Is it in a variable of the program, or of a library that is not libc's? */
bool module_has_variable(u64 address);

/* Is this code address in libc or one of the libraries that count as libc? Fast. */
struct modules_libc {
	bool ready;
	unsigned n;
	struct {
		u64 start, size;
	} text[MODULE_LIBC_RANGES];
};
extern struct modules_libc modules_libc;

static inline bool module_in_libc(const void *address)
{
	u64 a = (u64)(uintptr_t)address;

	if (unlikely(!modules_libc.ready))
		modules_refresh();
	for (unsigned i = 0; i < modules_libc.n; i++)
		if (a - modules_libc.text[i].start < modules_libc.text[i].size)
			return true;
	return false;
}

/* Where the program is loaded. */
u64 module_program_base(void);

/* Is this code address in the runtime itself? */
extern const char heddle_text_start[] __asm__("__start_heddle_text") __attribute__((weak));
extern const char heddle_text_stop[] __asm__("__stop_heddle_text") __attribute__((weak));
extern const char heddle_syscall_start[] __asm__("__start_heddle_syscall") __attribute__((weak));
extern const char heddle_syscall_stop[] __asm__("__stop_heddle_syscall") __attribute__((weak));

/* Does the runtime call for itself from there, not in syscall() for the program? */
static inline bool module_calls_itself(const void *caller)
{
	return (const char *)caller >= heddle_text_start &&
	       (const char *)caller < heddle_text_stop;
}

static inline bool module_in_runtime(u64 a)
{
	return module_calls_itself((const void *)(uintptr_t)a) ||
	       a - (u64)(uintptr_t)heddle_syscall_start <
		       (u64)(heddle_syscall_stop - heddle_syscall_start);
}

/* Has heddle-cc compiled this function, or is it the runtime's? A module may be instrumented in
 * part: an object that another compiler made, assembly. */
bool module_is_instrumented(u64 function);

/* Does [a, a + n) overlap variables of the runtime? They follow the program's own: some after the
 * initialised ones (heddle_data and others), most after the others (heddle_bss; Makefile). */
extern struct module_range module_runtime_data; /* from modules_refresh() */
extern const char heddle_bss_first[] __asm__("__start_heddle_bss") __attribute__((weak));
extern const char heddle_bss_last[] __asm__("__stop_heddle_bss") __attribute__((weak));

static inline bool module_is_runtime_data(u64 a, u64 n)
{
	if (likely(a >= (u64)(uintptr_t)heddle_bss_last)) /* heaps and stacks do */
		return false;
	return a + n > (u64)(uintptr_t)heddle_bss_first ||
	       (a < module_runtime_data.end && a + n > module_runtime_data.start);
}

#endif
