/* SPDX-License-Identifier: ISC */
/*
 * plan.h - the entry point of abi.def for each operation, and the calls that are not instrumented.
 *
 * Independent of LLVM: a second compiler would use the same plan.
 */
#ifndef INSTRUMENT_PLAN_H
#define INSTRUMENT_PLAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "heddle/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One constant per line of abi.def: ENTRY(__heddle_load1) and so on, in the order of that file. */
#define ENTRY(name) ENTRY_##name
enum entry {
#define ABI(ret, name, params) ENTRY(name),
#include "heddle/abi.def"
#undef ABI
	ENTRY_COUNT
};

/* The types that abi.def uses. */
enum abi_type { ABI_VOID, ABI_U8, ABI_U16, ABI_U32, ABI_U64, ABI_U128, ABI_INT, ABI_SIZE, ABI_PTR };

#define ENTRY_PARAMS 6

struct entry_type {
	const char *name;
	enum abi_type ret;
	unsigned n;
	enum abi_type param[ENTRY_PARAMS];
};

static inline bool text_starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* The signature of an entry point, as abi.def gives it. */
void plan_entry(enum entry entry, struct entry_type *type);

/* Whether one event can be an access of this many bytes: 1, 2, 4, 8, 16. */
bool plan_is_one_event(uint64_t size);

/* The entry point for `size` bytes, by the one for 1: plan_sized(ENTRY(__heddle_load1), 4). */
enum entry plan_sized(enum entry for_one_byte, unsigned size);

/* Library functions that are a copy or a fill of memory, by the name of the C function. */
enum memory_function { MEMORY_OTHER, MEMORY_COPY, MEMORY_MOVE, MEMORY_FILL };
enum memory_function plan_memory_function(const char *name, unsigned arguments);

/* Arguments through which a function of the runtime stores a result, directly to memory, before it
 * returns, and which it does not keep. Otherwise every pthread_t would count as shared. */
bool plan_hands_back(const char *name, unsigned argument);

/* Whether the runtime has a function __heddle_lib_<name> to be called instead (libc.def). */
bool plan_is_replaced(const char *name);

/* Does a call of this undefined function need no __heddle_extern_call? The runtime replaces it,
 * or it does not access shared memory. */
bool plan_is_known(const char *name);

/* Whether such a call may nevertheless observe another thread's actions: an attempt, a wait. */
bool plan_may_look(const char *name);

/* Width in bytes, as the last letter of an instruction's name gives (AT&T); 0: none. */
unsigned plan_suffix_width(char c);

/* setjmp and the like: nothing may be inserted next to the call. */
bool plan_returns_twice(const char *name);

/* Variables that a compiler made for itself (profile counters): no events. */
bool plan_is_compiler_data(const char *name);

/* Do volatile accesses count as relaxed atomics? Yes, unless HEDDLE_VOLATILE=plain in the
 * environment.
 */
bool plan_volatile_is_atomic(void);

/* heddle-cc --deps: HEDDLE_DEPS=1 in the environment. */
bool plan_tracks_dependencies(void);

/* Whether only a flight recorder is added (heddle-cc --recorder). */
bool plan_records(void);

#ifdef __cplusplus
}
#endif

#endif
