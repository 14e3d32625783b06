/* SPDX-License-Identifier: ISC */
/*
 * recorder.c - a runtime for the tests of the compiler pass: does every access natively and, if the
 * environment variable RECORD names a file, writes one line per call there.
 *
 *     load4 x acquire                 entry point without its prefix, variable, order
 *     rmw4 x add seq_cst 1            operation, order, operand (hex)
 *     cas4 x 5/5 2->3 ok              orders, expected -> desired, ok or the value found
 *
 * A variable is named if it is global (link with -rdynamic), as name or name+offset; `stack' stands
 * for the stack, `-' for anything else. Accesses to the variable `sink' are not recorded.
 *
 * A test states its expectations with __heddle_expect() (expect.h): that goes to the file
 * $RECORD.want, which must be equal in the end.
 */
#include "expect.h"

#include "heddle/abi.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 u128;

static FILE *out, *want;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *const order_name[] = {
	"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
static const char *const op_name[] = {"xchg", "add", "sub", "and", "nand", "or", "xor", "max",
	"min", "umax", "umin", "fadd", "fsub"};

__attribute__((constructor(101))) static void recorder_start(void)
{
	const char *path = getenv("RECORD");
	char want_path[4096];

	if (!path || !*path)
		return;
	snprintf(want_path, sizeof(want_path), "%s.want", path);
	out = fopen(path, "w");
	want = fopen(want_path, "w");
	if (!out || !want)
		abort();
}

void __heddle_expect(const char *format, ...)
{
	va_list ap;

	if (!want)
		return;
	va_start(ap, format);
	vfprintf(want, format, ap);
	va_end(ap);
	fputc('\n', want);
	fflush(want);
}

__attribute__((format(printf, 1, 2))) static void record(const char *format, ...)
{
	char line[256];
	va_list ap;

	if (!out)
		return;
	va_start(ap, format);
	vsnprintf(line, sizeof(line), format, ap);
	va_end(ap);
	if (!strstr(line, " sink"))
		fputs(line, out);
	fflush(out);
}

/* Valid for two more calls: a copy has two variables. */
static const char *variable(const void *p)
{
	static __thread char text[2][128];
	static __thread unsigned i;
	char *s = text[i++ % 2], *frame = __builtin_frame_address(0);
	Dl_info info;

	if ((char *)p > frame - 4096 && (char *)p < frame + 65536)
		return "stack";
	if (!dladdr(p, &info) || !info.dli_sname)
		return "-";
	if (p == info.dli_saddr)
		return info.dli_sname;
	snprintf(s, sizeof(text[0]), "%s+%zu", info.dli_sname,
		(size_t)((const char *)p - (const char *)info.dli_saddr));
	return s;
}

static const char *order_text(int order)
{
	static __thread char text[64];

	snprintf(text, sizeof(text), "%s%s%s", order_name[order & HEDDLE_ORDER_MASK],
		order & HEDDLE_VOLATILE ? " volatile" : "", order & HEDDLE_ASM ? " asm" : "");
	return text;
}

/* A test of results has this. */
extern __attribute__((weak)) char __heddle_expects_results;

static uint64_t compared;

/* What the result of an addition is used for, as words behind the operand. */
static const char *result_text(int order)
{
	static const char *const name[] = {"", " unused", " equal", " less", " below"};
	static __thread char text[64];
	int use = order >> HEDDLE_RESULT;

	if (!&__heddle_expects_results)
		return "";
	snprintf(text, sizeof(text), use > HEDDLE_RESULT_UNUSED ? "%s %llx" : "%s", name[use],
		(unsigned long long)compared);
	return text;
}

static const char *hex(u128 v)
{
	static __thread char text[4][40];
	static __thread unsigned i;
	char *s = text[i++ % 4];

	if (v >> 64)
		snprintf(s, 40, "%llx:%016llx", (unsigned long long)(v >> 64),
			(unsigned long long)v);
	else
		snprintf(s, 40, "%llx", (unsigned long long)v);
	return s;
}

/* The value that a read-modify-write stores; the lock makes it atomic. */
static u128 apply(u128 old, u128 v, int op, unsigned size)
{
	unsigned shift = 128 - 8 * size;
	__int128 a = (__int128)(old << shift), b = (__int128)(v << shift);
	float f, g;
	double d, h;

	switch (op) {
	case HEDDLE_XCHG: return v;
	case HEDDLE_ADD: return old + v;
	case HEDDLE_SUB: return old - v;
	case HEDDLE_AND: return old & v;
	case HEDDLE_NAND: return ~(old & v);
	case HEDDLE_OR: return old | v;
	case HEDDLE_XOR: return old ^ v;
	case HEDDLE_MAX: return a > b ? old : v;
	case HEDDLE_MIN: return a < b ? old : v;
	case HEDDLE_UMAX: return old > v ? old : v;
	case HEDDLE_UMIN: return old < v ? old : v;
	}
	if (size == 4) {
		memcpy(&f, &old, 4);
		memcpy(&g, &v, 4);
		f = op == HEDDLE_FADD ? f + g : f - g;
		old = 0;
		memcpy(&old, &f, 4);
	} else {
		memcpy(&d, &old, 8);
		memcpy(&h, &v, 8);
		d = op == HEDDLE_FADD ? d + h : d - h;
		old = 0;
		memcpy(&old, &d, 8);
	}
	return old;
}

/* All entry points for one size. memcpy because accesses may be unaligned. */
#define ACCESSES(n, type) \
	type __heddle_load##n(const void *p, int order) \
	{ \
		type v; \
\
		pthread_mutex_lock(&lock); \
		memcpy(&v, p, n); \
		record("load" #n " %s %s\n", variable(p), order_text(order)); \
		pthread_mutex_unlock(&lock); \
		return v; \
	} \
	void __heddle_store##n(void *p, type v, int order) \
	{ \
		pthread_mutex_lock(&lock); \
		memcpy(p, &v, n); \
		record("store" #n " %s %s %s\n", variable(p), order_text(order), hex(v)); \
		pthread_mutex_unlock(&lock); \
	} \
	type __heddle_rmw##n(void *p, type v, int op, int order) \
	{ \
		type old, new; \
\
		pthread_mutex_lock(&lock); \
		memcpy(&old, p, n); \
		new = apply(old, v, op, n); \
		memcpy(p, &new, n); \
		record("rmw" #n " %s %s %s %s%s\n", variable(p), op_name[op], order_text(order), \
			hex(v), result_text(order)); \
		pthread_mutex_unlock(&lock); \
		return old; \
	} \
	int __heddle_cas##n(void *p, type *expected, type desired, int orders) \
	{ \
		type old, want = *expected; \
\
		pthread_mutex_lock(&lock); \
		memcpy(&old, p, n); \
		if (old == want) \
			memcpy(p, &desired, n); \
		*expected = old; \
		record("cas" #n " %s %d/%d%s%s %s->%s %s\n", variable(p), \
			orders &HEDDLE_ORDER_MASK, orders >> 8 & HEDDLE_ORDER_MASK, \
			orders & HEDDLE_ASM ? " asm" : "", orders & HEDDLE_WEAK ? " weak" : "", \
			hex(want), hex(desired), old == want ? "ok" : hex(old)); \
		pthread_mutex_unlock(&lock); \
		return old == want; \
	} \
	type __heddle_plain_load##n(const void *p) \
	{ \
		type v; \
\
		pthread_mutex_lock(&lock); \
		memcpy(&v, p, n); \
		record("plain_load" #n " %s\n", variable(p)); \
		pthread_mutex_unlock(&lock); \
		return v; \
	} \
	void __heddle_plain_store##n(void *p, type v) \
	{ \
		pthread_mutex_lock(&lock); \
		memcpy(p, &v, n); \
		record("plain_store" #n " %s %s\n", variable(p), hex(v)); \
		pthread_mutex_unlock(&lock); \
	}

ACCESSES(1, uint8_t)
ACCESSES(2, uint16_t)
ACCESSES(4, uint32_t)
ACCESSES(8, uint64_t)
ACCESSES(16, u128)

/* The same as a plain load; the bytes used are the subject of another test. */
#define USED(n, type) \
	type __heddle_used_load##n(const void *p, int bytes) \
	{ \
		if (bytes & HEDDLE_USED_COUNTS && &__heddle_expects_results) \
			record("counts\n"); \
		return __heddle_plain_load##n(p); \
	}
USED(1, uint8_t)
USED(2, uint16_t)
USED(4, uint32_t)
USED(8, uint64_t)

void __heddle_plain_read(void *to, const void *p, size_t n)
{
	memmove(to, p, n);
	record("plain_read %s %zu\n", variable(p), n);
}

void __heddle_plain_write(void *p, const void *from, size_t n)
{
	memmove(p, from, n);
	record("plain_write %s %zu\n", variable(p), n);
}

void *__heddle_memcpy(void *to, const void *from, size_t n)
{
	record("memcpy %s %s %zu\n", variable(to), variable(from), n);
	return memcpy(to, from, n);
}

void *__heddle_memmove(void *to, const void *from, size_t n)
{
	record("memmove %s %s %zu\n", variable(to), variable(from), n);
	return memmove(to, from, n);
}

void *__heddle_memset(void *to, int byte, size_t n)
{
	record("memset %s %d %zu\n", variable(to), byte, n);
	return memset(to, byte, n);
}

/* String functions: libc's own are called; their accesses are not recorded. */
#define LIBC(ret, name, params, args) \
	ret name params; \
	ret __heddle_lib_##name params; \
	ret __heddle_lib_##name params \
	{ \
		record("lib " #name "\n"); \
		return name args; \
	}
#include "heddle/libc.def"
#undef LIBC

void __heddle_fence(int order)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	record("fence %s\n", order_text(order));
}

void __heddle_pause(void)
{
	record("pause\n");
}

uint64_t __heddle_cycles(void)
{
	record("cycles\n");
	return 1;
}

void __heddle_opaque(void)
{
	record("opaque\n");
}

void __heddle_opaque_order(void)
{
	record("opaque order\n");
}

void __heddle_extern_call(const void *function)
{
	record("extern %s\n", variable(function));
}

void __heddle_barrier_pass(void *barrier)
{
	record("barrier %s\n", variable(barrier));
}

void __heddle_frame_leave(const void *frame)
{
	if ((const char *)frame < (const char *)__builtin_frame_address(0))
		abort(); /* not in a calling function's frame */
}

/* Only if the source asks: its calls depend on the level of optimisation. */
extern int variables_are_recorded __attribute__((weak));

void __heddle_variable(void *p, size_t n)
{
	if (&variables_are_recorded)
		record("variable %s %zu\n", variable(p), n);
}

uint8_t __heddle_turns;

/* A counter is recorded by its position and its limit, to which it is moved at once. */
int __heddle_turn(const void *loop, const void *frame, void *values, size_t n, int counters,
	int entered)
{
	struct heddle_counter *c = values;
	int moved = 0;

	(void)loop;
	if ((const char *)frame < (const char *)__builtin_frame_address(0))
		abort();
	record("turn%s", entered ? " entered" : "");
	for (int i = 0; out && i < counters; i++) {
		fprintf(out, c[i].left == UINT64_MAX ? " %llx+" : " %llx+%llx",
			(unsigned long long)c[i].at, (unsigned long long)c[i].left);
		if (c[i].left < HEDDLE_COUNTER_FREE && c[i].left && !entered) {
			c[i].at += c[i].left;
			moved = 1;
		}
	}
	for (size_t i = 0; out && i < n; i++)
		fprintf(out, " %02x", ((const unsigned char *)(c + counters))[i]);
	record("\n");
	return moved;
}

void __heddle_compared(uint64_t with)
{
	compared = with;
}

uint32_t __heddle_srcu(void *domain, uint32_t reader, int kind)
{
	record("srcu %p %u %d\n", domain, reader, kind);
	return reader;
}

void __heddle_unseen(void)
{
	record("unseen\n");
}
