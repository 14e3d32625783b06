/* SPDX-License-Identifier: ISC */
/*
 * plan.c - the tables of the instrumentation: entry points, and names of functions that are not
 * announced.
 */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *ret, *params;
} entries[ENTRY_COUNT] = {
#define ABI(ret, name, params) {#name, #ret, #params},
#include "heddle/abi.def"
#undef ABI
};

#define IN_ORDER(one, sixteen) \
	_Static_assert(ENTRY(sixteen) == ENTRY(one) + 4, "abi.def: sizes 1 to 16 stand in a row")
IN_ORDER(__heddle_load1, __heddle_load16);
IN_ORDER(__heddle_store1, __heddle_store16);
IN_ORDER(__heddle_rmw1, __heddle_rmw16);
IN_ORDER(__heddle_cas1, __heddle_cas16);
IN_ORDER(__heddle_plain_load1, __heddle_plain_load16);
_Static_assert(ENTRY(__heddle_used_load8) == ENTRY(__heddle_used_load1) + 3, "likewise");
IN_ORDER(__heddle_plain_store1, __heddle_plain_store16);

/* One parameter or a return type: the text up to `end`. */
static enum abi_type parse_type(const char *text, const char *end)
{
	static const struct {
		const char *word;
		enum abi_type type;
	} words[] = {{"u8", ABI_U8}, {"u16", ABI_U16}, {"u32", ABI_U32}, {"u64", ABI_U64},
		{"u128", ABI_U128}, {"int", ABI_INT}, {"size_t", ABI_SIZE}, {"void", ABI_VOID}};
	size_t n;

	if (memchr(text, '*', end - text))
		return ABI_PTR;
	while (text < end && *text == ' ')
		text++;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		n = strlen(words[i].word);
		if ((size_t)(end - text) >= n && !memcmp(text, words[i].word, n) &&
			(text + n == end || text[n] == ' '))
			return words[i].type;
	}
	abort(); /* abi.def uses a type that is not in the table above */
}

void plan_entry(enum entry entry, struct entry_type *type)
{
	const char *p = entries[entry].params + 1; /* after the parenthesis */
	const char *end;

	type->name = entries[entry].name;
	type->ret = parse_type(entries[entry].ret, entries[entry].ret + strlen(entries[entry].ret));
	type->n = 0;
	if (!strcmp(p, "void)"))
		return;
	while (*p && *p != ')') {
		end = p + strcspn(p, ",)");
		if (type->n == ENTRY_PARAMS)
			abort();
		type->param[type->n++] = parse_type(p, end);
		p = *end == ',' ? end + 1 : end;
	}
}

bool plan_is_one_event(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

enum entry plan_sized(enum entry for_one_byte, unsigned size)
{
	return for_one_byte + __builtin_ctz(size);
}

enum memory_function plan_memory_function(const char *name, unsigned arguments)
{
	static const struct {
		const char *name;
		unsigned arguments;
		enum memory_function what;
	} functions[] = {
		{"memcpy", 3, MEMORY_COPY},
		{"__memcpy_chk", 4, MEMORY_COPY},
		{"memmove", 3, MEMORY_MOVE},
		{"__memmove_chk", 4, MEMORY_MOVE},
		{"memset", 3, MEMORY_FILL},
		{"__memset_chk", 4, MEMORY_FILL},
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (functions[i].arguments == arguments && !strcmp(functions[i].name, name))
			return functions[i].what;
	return MEMORY_OTHER;
}

/* A star at the end matches any ending. */
static bool matches(const char *const *list, const char *name)
{
	size_t n;

	for (; *list; list++) {
		n = strlen(*list);
		if ((*list)[n - 1] == '*' ? !strncmp(*list, name, n - 1) : !strcmp(*list, name))
			return true;
	}
	return false;
}

bool plan_is_replaced(const char *name)
{
	static const char *const replaced[] = {
#define LIBC(ret, name, params, args) #name,
#include "heddle/libc.def"
#undef LIBC
		0};

	return matches(replaced, name);
}

bool plan_is_known(const char *name)
{
	/* libc's own: they fill in the attribute objects directly */
	static const char *const unknown[] = {"pthread_attr_*", "pthread_mutexattr_*",
		"pthread_condattr_*", "pthread_rwlockattr_*", "pthread_barrierattr_*", 0};
	static const char *const known[] = {/* ours */
		"__heddle_*", "heddle_*",
		/* synchronisation: the runtime defines them */
		"pthread_*", "sem_*", "mtx_*", "cnd_*", "thrd_*", "tss_*", "call_once",
		"__atomic_*", "__pthread_*",
		/* the heap */
		"malloc", "calloc", "realloc", "reallocarray", "free", "cfree", "memalign",
		"valloc", "pvalloc", "aligned_alloc", "posix_memalign", "malloc_usable_size",
		"_Znw*", "_Zna*", "_Zdl*", "_Zda*",
		/* scheduling and time */
		"sched_yield", "sleep", "usleep", "nanosleep", "clock_nanosleep", "clock", "time",
		"clock_gettime", "gettimeofday", "rand", "srand", "random", "srandom",
		/* ends */
		"exit", "_exit", "_Exit", "quick_exit", "abort", "__assert_fail", "__assert",
		"__assert_perror_fail", "__stack_chk_fail",
		/* no memory but the caller's own, or none */
		"__errno_location", "getpid", "gettid", "sched_getcpu", "abs", "labs", "llabs",
		"__cxa_atexit", "__tls_get_addr", "_Unwind_Resume", 0};

	return matches(known, name) && !matches(unknown, name);
}

bool plan_hands_back(const char *name, unsigned argument)
{
	return (argument == 0 && !strcmp(name, "pthread_create")) ||
	       (argument == 1 && !strcmp(name, "pthread_join"));
}

bool plan_may_look(const char *name)
{
	static const char *const looks[] = {"pthread_mutex_trylock", "pthread_rwlock_tryrdlock",
		"pthread_rwlock_trywrlock", "pthread_spin_trylock", "mtx_trylock", "sem_trywait",
		"pthread_mutex_lock", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock",
		"pthread_spin_lock", "mtx_lock", "__atomic_*", "pthread_cond_wait", "cnd_wait",
		"g_cond_wait", "pthread_testcancel", 0};

	return matches(looks, name);
}

bool plan_returns_twice(const char *name)
{
	static const char *const twice[] = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp",
		"savectx", "getcontext", "vfork", 0};

	return matches(twice, name);
}

bool plan_is_compiler_data(const char *name)
{
	static const char *const data[] = {"__llvm_gcov_ctr*", "__profc_*", "__llvm_prf_*",
		"__sancov_*", "__llvm_coverage_*", 0};

	return matches(data, name);
}

bool plan_volatile_is_atomic(void)
{
	const char *how = getenv("HEDDLE_VOLATILE");

	return !how || strcmp(how, "plain");
}

bool plan_tracks_dependencies(void)
{
	const char *how = getenv("HEDDLE_DEPS");

	return how && !strcmp(how, "1");
}

bool plan_records(void)
{
	const char *how = getenv("HEDDLE_RECORDER");

	return how && !strcmp(how, "1");
}

unsigned plan_suffix_width(char c)
{
	switch (c) {
	case 'b': return 1;
	case 'w': return 2;
	case 'l': return 4;
	case 'q': return 8;
	default: return 0;
	}
}
