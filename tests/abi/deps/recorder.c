/* SPDX-License-Identifier: ISC */
/*
 * recorder.c - a runtime that does all accesses natively, and notes what they depend on: see deps.h.
 *
 * A number has a bit for each of the first 15 loads of a case, and a bit for each that it is only
 * picked by.
 */
#include "deps.h"

#include "heddle/abi.h"

#include <stdio.h>
#include <string.h>

#define LOADS 15
#define MANY  4096

typedef unsigned __int128 u128;

extern const struct deps_case __start_cases[], __stop_cases[];

atomic_int a, b, c, d, out;
_Atomic(atomic_int *) p;

uint32_t __heddle_deps[HEDDLE_DEPS_WORDS];
uint8_t __heddle_deps_kept = 1, __heddle_turns;

static const void *loaded[LOADS]; /* by the current case */
static unsigned nloads;
static uint32_t control;
static char got[4096];
static struct {
	const char *byte;
	uint32_t of;
} kept[MANY];
static unsigned nkept;

/* --- numbers ---------------------------------------------------------------------------------- */

static uint32_t plain(uint32_t of)
{
	uint32_t all = (1u << LOADS) - 1;

	return of & HEDDLE_DEPS_PICK ? (of & all) << LOADS | (of & all << LOADS)
				     : of & ~((of & all) << LOADS);
}

uint32_t __heddle_deps_union(uint32_t x, uint32_t y)
{
	return plain(plain(x) | plain(y));
}

static uint32_t take(unsigned word)
{
	uint32_t of = 0;

	for (unsigned i = word; i < word + HEDDLE_DEPS_PARTS; i++) {
		of = __heddle_deps_union(of, __heddle_deps[i]);
		__heddle_deps[i] = 0;
	}
	return of;
}

void __heddle_deps_branch(uint32_t of)
{
	of = plain(of);
	control |= (of | of >> LOADS) & ((1u << LOADS) - 1);
}

/* --- notes ------------------------------------------------------------------------------------ */

static const char *name_of(const void *x)
{
	static const struct {
		const void *at;
		size_t n;
		const char *name;
	} variables[] = {{&a, sizeof a, "a"}, {&b, sizeof b, "b"}, {&c, sizeof c, "c"},
		{&d, sizeof d, "d"}, {&out, sizeof out, "out"}, {&p, sizeof p, "p"}};

	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
		if ((uintptr_t)x - (uintptr_t)variables[i].at < variables[i].n)
			return variables[i].name;
	return NULL;
}

static void note(const char *format, const char *name)
{
	snprintf(got + strlen(got), sizeof got - strlen(got), format, name);
}

static void note_set(const char *kind, uint32_t loads, const char **separator)
{
	if (!loads)
		return;
	note(*separator, kind);
	*separator = ", %s ";
	for (unsigned i = 0; i < LOADS; i++)
		if (loads >> i & 1)
			note("%s", name_of(loaded[i]));
}

static void note_access(const void *x, uint32_t address, uint32_t data)
{
	uint32_t all = (1u << LOADS) - 1, picked = (address | data) >> LOADS & all;
	const char *separator = ": %s ";

	if (!(address | data | control) || !name_of(x))
		return;
	note(got[0] ? "; %s" : "%s", name_of(x));
	note_set("address", address & all, &separator);
	note_set("data", data & all, &separator);
	note_set("control", control & all, &separator);
	note_set("pick", picked, &separator);
}

/* --- memory that is not a, b, c, d, p or out -------------------------------------------------- */

uint32_t __heddle_deps_load(const void *x, size_t n, uint32_t address)
{
	uint32_t of = plain(address);

	for (unsigned i = 0; i < nkept; i++)
		if ((size_t)(kept[i].byte - (const char *)x) < n)
			of = __heddle_deps_union(of, kept[i].of);
	return of;
}

static void keep_byte(const char *byte, uint32_t of)
{
	unsigned i = 0;

	while (i < nkept && kept[i].byte != byte)
		i++;
	if (i == nkept && (!of || nkept == MANY))
		return;
	nkept += i == nkept;
	kept[i].byte = byte;
	kept[i].of = of;
}

void __heddle_deps_store(void *x, size_t n, uint32_t of, uint32_t address)
{
	for (size_t i = 0; i < n; i++)
		keep_byte((char *)x + i, __heddle_deps_union(of, address));
}

void __heddle_deps_copy(void *to, const void *from, size_t n)
{
	uint32_t of[MANY];

	for (size_t i = 0; i < n; i++)
		of[i] = __heddle_deps_load((const char *)from + i, 1, 0);
	for (size_t i = 0; i < n; i++)
		keep_byte((char *)to + i, of[i]);
}

/* --- accesses --------------------------------------------------------------------------------- */

static uint32_t load(const void *x, size_t n)
{
	uint32_t address = take(HEDDLE_DEPS_ADDRESS);

	take(HEDDLE_DEPS_DATA);
	note_access(x, address, 0);
	if (!name_of(x)) {
		__heddle_deps_branch(address);
		return __heddle_deps_load(x, n, address);
	}
	if (nloads == LOADS)
		return 0;
	loaded[nloads] = x;
	return 1u << nloads++;
}

static void store(void *x, size_t n)
{
	uint32_t address = take(HEDDLE_DEPS_ADDRESS), data = take(HEDDLE_DEPS_DATA);

	note_access(x, address, data);
	if (!name_of(x)) {
		__heddle_deps_branch(address);
		__heddle_deps_store(x, n, data, address);
	}
}

static uint32_t update(void *x, size_t n)
{
	uint32_t address = take(HEDDLE_DEPS_ADDRESS), data = take(HEDDLE_DEPS_DATA);

	note_access(x, address, data);
	return name_of(x) ? load(x, n) : 0;
}

#define ACCESSES(size, type)                                                                       \
	type __heddle_load##size(const void *x, int order)                                         \
	{                                                                                          \
		(void)order;                                                                       \
		__heddle_deps[HEDDLE_DEPS_RESULT] = load(x, size);                                 \
		return *(const type *)x;                                                           \
	}                                                                                          \
	type __heddle_plain_load##size(const void *x)                                              \
	{                                                                                          \
		return __heddle_load##size(x, 0);                                                  \
	}                                                                                          \
	void __heddle_store##size(void *x, type value, int order)                                  \
	{                                                                                          \
		(void)order;                                                                       \
		store(x, size);                                                                    \
		*(type *)x = value;                                                                \
	}                                                                                          \
	void __heddle_plain_store##size(void *x, type value)                                       \
	{                                                                                          \
		__heddle_store##size(x, value, 0);                                                 \
	}                                                                                          \
	type __heddle_rmw##size(void *x, type operand, int op, int order)                          \
	{                                                                                          \
		type old = *(type *)x;                                                             \
                                                                                                   \
		(void)order;                                                                       \
		__heddle_deps[HEDDLE_DEPS_RESULT] = update(x, size);                               \
		*(type *)x = op == HEDDLE_ADD ? old + operand : operand;                           \
		return old;                                                                        \
	}                                                                                          \
	int __heddle_cas##size(void *x, type *expected, type desired, int orders)                  \
	{                                                                                          \
		int ok = *(type *)x == *expected;                                                  \
                                                                                                   \
		(void)orders;                                                                      \
		__heddle_deps[HEDDLE_DEPS_RESULT] = update(x, size);                               \
		__heddle_deps_store(expected, size, __heddle_deps[HEDDLE_DEPS_RESULT], 0);         \
		if (ok)                                                                            \
			*(type *)x = desired;                                                      \
		else                                                                               \
			*expected = *(type *)x;                                                    \
		return ok;                                                                         \
	}

ACCESSES(1, uint8_t)
ACCESSES(2, uint16_t)
ACCESSES(4, uint32_t)
ACCESSES(8, uint64_t)
ACCESSES(16, u128)

#define USED(size, type)                                                                           \
	type __heddle_used_load##size(const void *x, int bytes)                                    \
	{                                                                                          \
		return __heddle_load##size(x, bytes & 0);                                          \
	}

USED(1, uint8_t)
USED(2, uint16_t)
USED(4, uint32_t)
USED(8, uint64_t)

void __heddle_plain_read(void *to, const void *x, size_t n)
{
	if (name_of(x))
		__heddle_deps_store(to, n, load(x, n), 0);
	else
		__heddle_deps_copy(to, x, n);
	memcpy(to, x, n);
}

void __heddle_plain_write(void *x, const void *from, size_t n)
{
	__heddle_deps[HEDDLE_DEPS_DATA] = __heddle_deps_load(from, n, 0);
	if (name_of(x))
		store(x, n);
	else
		__heddle_deps_copy(x, from, n);
	take(HEDDLE_DEPS_DATA);
	memcpy(x, from, n);
}

void *__heddle_memmove(void *to, const void *from, size_t n)
{
	uint32_t address = take(HEDDLE_DEPS_DATA);
	char chunk[256];

	__heddle_plain_read(chunk, from, n);
	__heddle_deps[HEDDLE_DEPS_ADDRESS] = address;
	__heddle_plain_write(to, chunk, n);
	return to;
}

void *__heddle_memcpy(void *to, const void *from, size_t n)
{
	return __heddle_memmove(to, from, n);
}

void *__heddle_memset(void *x, int byte, size_t n)
{
	store(x, n);
	return memset(x, byte, n);
}

/* --- calls ------------------------------------------------------------------------------------ */

/* Functions of the program have the pass's mark in front of them. */
uint32_t __heddle_deps_call(const void *function)
{
	uint64_t mark;
	uint32_t of = 0;

	memcpy(&mark, (const char *)function - sizeof mark, sizeof mark);
	if (mark == HEDDLE_FUNCTION_MARK)
		return HEDDLE_DEPS_TRACKED;
	for (unsigned i = 0; i < HEDDLE_DEPS_ARGUMENTS; i++)
		of = __heddle_deps_union(of, __heddle_deps[HEDDLE_DEPS_ARGUMENT + i]);
	__heddle_deps_branch(of);
	return of;
}

static uint32_t collected;

void __heddle_deps_collect(uint32_t address)
{
	collected = address;
}

uint32_t __heddle_deps_collected(void)
{
	__heddle_deps_branch(collected);
	return collected;
}

size_t __heddle_lib_strlen(const char *s)
{
	collected = __heddle_deps_load(s, strlen(s), collected);
	return strlen(s);
}

static unsigned nvariable;
static struct {
	uint32_t place, of;
} variable[8];

void __heddle_deps_variadic(void)
{
	nvariable = 0;
}

void __heddle_deps_argument(uint32_t place, uint32_t of)
{
	variable[nvariable].place = place;
	variable[nvariable++].of = of;
}

void __heddle_deps_va_start(const void *list)
{
	char *const *area = (char *const *)list + 1; /* on the stack, of registers */

	for (unsigned i = 0; i < nvariable; i++)
		__heddle_deps_store(variable[i].place < 176
					    ? area[1] + variable[i].place
					    : area[0] + (variable[i].place - 176),
			8, variable[i].of, 0);
}

void __heddle_fence(int order)
{
	(void)order;
}

void __heddle_pause(void)
{
}

void __heddle_frame_leave(const void *frame)
{
	(void)frame;
}

void __heddle_variable(void *x, size_t n)
{
	__heddle_deps_store(x, n, 0, 0);
}

void __heddle_extern_call(const void *function)
{
	(void)function;
}

int __heddle_turn(const void *loop, const void *frame, void *values, size_t n, int counters,
	int entered)
{
	(void)loop, (void)frame, (void)values, (void)n, (void)counters, (void)entered;
	return 0;
}

/* --- the cases -------------------------------------------------------------------------------- */

static int run_case(const struct deps_case *t, int optimised)
{
	const char *want = t->want_O0 && !optimised ? t->want_O0 : t->want;

	a = b = c = d = out = 0;
	p = &d;
	nloads = nkept = control = 0;
	got[0] = 0;
	memset(__heddle_deps, 0, sizeof __heddle_deps);
	t->run();
	if (!strcmp(got, want))
		return 0;
	printf("%s: wanted %s\n%s: got    %s\n", t->name, want, t->name, got);
	return 1;
}

int main(int argc, char **argv)
{
	int wrong = 0, n = 0;

	for (const struct deps_case *t = __start_cases; t < __stop_cases; t++, n++)
		wrong += run_case(t, argc > 1);
	printf("%d of %d wrong\n", wrong, n);
	return wrong || argv[argc];
}
