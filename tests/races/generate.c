/* SPDX-License-Identifier: ISC */
/*
 * generate.c - random programs that are properly synchronised by construction: generate [--weaken]
 * SEED N
 *
 * Prints N cases of races.h as C. A program is two or three threads that go through the same few
 * *protocols*, in the same order. A protocol has a region of memory and synchronisation of its own:
 * a lock, a message, a barrier, ... Waits cannot be circular, as a thread that waits in a protocol
 * waits for threads in that one or before it.
 *
 * With --weaken one protocol of each program is weakened: an order is weaker, a fence or a lock is
 * missing. Whether that is a race, and under which models, is known from that protocol alone, so
 * that no exploration is needed: an access a of protocol k in one thread is followed by protocols k
 * and later, an access b of k in another is preceded by k and earlier ones, and synchronisation
 * leads from a protocol to the same one. So a path from a to b, through any threads, uses the
 * synchronisation of k only.
 *
 * A compiler may move plain accesses over relaxed ones, and does: clang sinks stores out of a loop
 * around a relaxed compare-exchange. Then what is compiled races under all models. Weakened
 * programs prevent that (KEEP), as their subject is the machine.
 *
 * Expected is "clean", or "race MODELS: REGION": some race, and only of that region.
 */
#include "../random.h"
#include "accesses.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS	  3
#define PROTOCOLS 3

#define ALL  "rc11,tso,pso,sc"
#define RC11 "rc11"
#define WEAK "rc11,pso"	    /* models that need the release store */
#define SB   "rc11,tso,pso" /* models that need a fence between a store and a load */

static struct {
	unsigned number, nthreads;
	FILE *top, *init, *thread[THREADS], *end;
	char *text[THREADS + 3];
	size_t size[THREADS + 3];
} program;

/* Memory of a protocol. */
struct region {
	char name[24];
	unsigned kind;
};

static uint64_t state;
static bool weaken;

static unsigned below(unsigned n)
{
	return (unsigned)((random_shift(&state) * 0x2545f4914f6cdd1du) >> 33) % n;
}

static void put(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A line, or several. */
static void put(FILE *to, const char *format, ...)
{
	va_list ap;

	fputc('\t', to);
	va_start(ap, format);
	vfprintf(to, format, ap);
	va_end(ap);
	fputc('\n', to);
}

/* --- regions ---------------------------------------------------------------------------------- */

/* A line; @ stands for the name. */
static void put_named(FILE *to, const char *format, const char *name)
{
	fputc('\t', to);
	for (; *format; format++)
		if (*format == '@')
			fputs(name, to);
		else
			fputc(*format, to);
	fputc('\n', to);
}

static struct region region(unsigned k)
{
	struct region r = {.kind = below(KINDS)};

	snprintf(r.name, sizeof r.name, "r%u_%u", program.number, k);
	put_named(program.top, kinds[r.kind].declare, r.name);
	put_named(program.end, kinds[r.kind].read[below(4)], r.name);
	return r;
}

/* The compiler does not move accesses past this. */
static void keep(FILE *to, const struct region *r)
{
	if (weaken)
		put(to, "KEEP(&%s);", r->name);
}

static void writes(FILE *to, const struct region *r)
{
	keep(to, r);
	for (unsigned n = 1 + below(2); n; n--)
		put_named(to, kinds[r->kind].write[below(4)], r->name);
	keep(to, r);
}

static void reads(FILE *to, const struct region *r)
{
	keep(to, r);
	for (unsigned n = 1 + below(2); n; n--)
		put_named(to, kinds[r->kind].read[below(4)], r->name);
}

/* Write all of it: unordered reads elsewhere race with this. */
static void fills(FILE *to, const struct region *r)
{
	keep(to, r);
	put(to, "memset((void *)&%s, 0, sizeof %s);", r->name, r->name);
	if (below(2))
		put_named(to, kinds[r->kind].write[below(4)], r->name);
	keep(to, r);
}

/* --- locks ------------------------------------------------------------------------------------ */

/* One of two threads, at least, writes all, so that any two conflict. */
static void inside(FILE *to, const struct region *r, unsigned t)
{
	if (t == 0)
		fills(to, r);
	else if (below(2))
		writes(to, r);
	else
		reads(to, r);
}

static const char *mutex(unsigned k, bool weak)
{
	struct region r = region(k);
	unsigned loser = below(2), how = weak ? 1 + below(2) : 0;
	bool try = !below(3);

	put(program.top, "static pthread_mutex_t m%s = PTHREAD_MUTEX_INITIALIZER, w%s = "
			 "PTHREAD_MUTEX_INITIALIZER;", r.name, r.name);
	for (unsigned t = 0; t < program.nthreads; t++) {
		FILE *to = program.thread[t];
		char lock = how == 2 && t == loser ? 'w' : 'm';

		if (how == 1 && t == loser) {
			inside(to, &r, t);
			continue;
		}
		if (try && t && !weak)
			put(to, "if (!pthread_mutex_trylock(&%c%s)) {", lock, r.name);
		else
			put(to, "pthread_mutex_lock(&%c%s); {", lock, r.name);
		inside(to, &r, t);
		put(to, "pthread_mutex_unlock(&%c%s); }", lock, r.name);
	}
	return ALL;
}

static const char *rwlock(unsigned k, bool weak)
{
	struct region r = region(k);

	put(program.top, "static pthread_rwlock_t l%s = PTHREAD_RWLOCK_INITIALIZER;", r.name);
	for (unsigned t = 0; t < program.nthreads; t++) {
		FILE *to = program.thread[t];
		bool reader = t == 1 || (t && below(2));

		put(to, "pthread_rwlock_%slock(&l%s);", reader || weak ? "rd" : "wr", r.name);
		if (reader)
			reads(to, &r);
		else
			fills(to, &r);
		put(to, "pthread_rwlock_unlock(&l%s);", r.name);
	}
	return ALL;
}

static const char *spinlock(unsigned k, bool weak)
{
	struct region r = region(k);
	unsigned how = weak ? 1 + below(2) : 0, kind = below(3);
	const char *take = how == 1 ? "relaxed" : below(2) ? "acquire" : "seq_cst";
	const char *give = how == 2 ? "relaxed" : below(2) ? "release" : "seq_cst";

	put(program.top, "static atomic_int s%s, n%s;", r.name, r.name);
	for (unsigned t = 0; t < program.nthreads; t++) {
		FILE *to = program.thread[t];

		if (kind == 0)
			put(to, "while (XCHG(s%s, 1, %s)) ;", r.name, take);
		else if (kind == 1)
			put(to,
				"for (int z = 0; !atomic_compare_exchange_weak_explicit(&s%s, &z, "
				"1, "
				"memory_order_%s, memory_order_relaxed); z = 0) ;",
				r.name, take);
		else
			put(to,
				"{ int mine = ADD(n%s, 1, relaxed); while (LOAD(s%s, %s) != mine) "
				"; }",
				r.name, r.name, take);
		inside(to, &r, t);
		if (kind == 2)
			put(to, "STORE(s%s, LOAD(s%s, relaxed) + 1, %s);", r.name, r.name, give);
		else
			put(to, "STORE(s%s, 0, %s);", r.name, give);
	}
	return how == 2 ? WEAK : RC11;
}

static const char *semaphore_lock(unsigned k, bool weak)
{
	struct region r = region(k);

	put(program.top, "static sem_t e%s;", r.name);
	put(program.init, "sem_init(&e%s, 0, %d);", r.name, weak ? 2 : 1);
	for (unsigned t = 0; t < program.nthreads; t++) {
		put(program.thread[t], "sem_wait(&e%s);", r.name);
		inside(program.thread[t], &r, t);
		put(program.thread[t], "sem_post(&e%s);", r.name);
	}
	return ALL;
}

/* The first thread enters, the others may not. */
static const char *claims(unsigned k, bool weak)
{
	struct region r = region(k);
	bool fences = below(2);
	unsigned loser = below(2);

	put(program.top, "static atomic_int f%s[2];", r.name);
	for (unsigned t = 0; t < 2; t++) {
		FILE *to = program.thread[t];
		bool weaker = weak && t == loser;
		const char *order = fences ? "relaxed" : "seq_cst";

		put(to, "STORE(f%s[%u], 1, %s);", r.name, t, weaker ? "release" : order);
		if (fences && !weaker)
			put(to, "FENCE(seq_cst);");
		put(to, "if (!LOAD(f%s[%u], %s)) {", r.name, 1 - t, weaker ? "acquire" : order);
		fills(to, &r);
		put(to, "}");
	}
	return SB;
}

/* --- messages --------------------------------------------------------------------------------- */

static const char *post(FILE *to, const struct region *r, bool weak)
{
	switch (below(4)) {
	case 0:
		put(to, "STORE(f%s, 1, %s);", r->name, weak ? "relaxed" : "release");
		return WEAK;
	case 1:
		if (!weak)
			put(to, "FENCE(release);");
		put(to, "STORE(f%s, 1, relaxed);", r->name);
		return WEAK;
	case 2:
		put(to, "ADD(f%s, 1, %s);", r->name,
			weak	   ? "relaxed"
			: below(2) ? "release"
				   : "acq_rel");
		return RC11;
	default:
		put(to, "STORE(f%s, 1, %s);", r->name, weak ? "relaxed" : "seq_cst");
		return WEAK;
	}
}

static void receive(FILE *to, const struct region *r, bool weak)
{
	unsigned how = below(4);

	if (how == 0) {
		put(to, "while (!LOAD(f%s, %s)) ;", r->name, weak ? "relaxed" : "acquire");
		put(to, "{");
	} else if (how == 1) {
		put(to, "if (LOAD(f%s, relaxed)) {", r->name);
		if (!weak)
			put(to, "FENCE(acquire);");
	} else if (how == 2) {
		put(to, "if (LOAD(f%s, %s)) {", r->name, weak ? "relaxed" : "seq_cst");
	} else {
		put(to, "if (XCHG(f%s, 0, %s)) {", r->name, weak ? "relaxed" : "acquire");
	}
}

static const char *message(unsigned k, bool weak)
{
	struct region r = region(k);
	unsigned from = below(program.nthreads),
		 to = (from + 1 + below(program.nthreads - 1)) % program.nthreads;
	unsigned loser = below(2);
	const char *models;

	put(program.top, "static atomic_int f%s;", r.name);
	fills(program.thread[from], &r);
	models = post(program.thread[from], &r, weak && !loser);
	receive(program.thread[to], &r, weak && loser);
	if (below(2))
		writes(program.thread[to], &r);
	else
		reads(program.thread[to], &r);
	put(program.thread[to], "}");
	return loser ? RC11 : models;
}

/* The data passes through a third thread, which only reads and forwards; with two threads, back again. */
static const char *chain(unsigned k, bool weak)
{
	struct region r = region(k);
	unsigned last = program.nthreads - 1 == 1 ? 0 : 2;

	put(program.top, "static atomic_int f%s, g%s;", r.name, r.name);
	fills(program.thread[0], &r);
	put(program.thread[0], "STORE(f%s, 1, release);", r.name);
	put(program.thread[1], "if (LOAD(f%s, %s)) {", r.name, weak ? "relaxed" : "acquire");
	if (!weak || last == 0)
		reads(program.thread[1], &r);
	put(program.thread[1], "STORE(g%s, 1, release); }", r.name);
	put(program.thread[last], "if (LOAD(g%s, acquire)) {", r.name);
	writes(program.thread[last], &r);
	put(program.thread[last], "}");
	return RC11;
}

/* A release sequence continues with a read-modify-write of another thread. */
static const char *sequence(unsigned k, bool weak)
{
	struct region r = region(k);
	unsigned last = program.nthreads - 1;

	put(program.top, "static atomic_int f%s;", r.name);
	fills(program.thread[0], &r);
	put(program.thread[0], "STORE(f%s, 1, %s);", r.name, weak ? "relaxed" : "release");
	put(program.thread[last - 1], "ADD(f%s, 2, relaxed);", r.name);
	put(program.thread[last], "if (LOAD(f%s, acquire) == 3) {", r.name);
	reads(program.thread[last], &r);
	put(program.thread[last], "}");
	return last == 1 ? RC11
			 : WEAK; /* pso: the thread's own read-modify-write empties its buffer */
}

static const char *semaphore(unsigned k, bool weak)
{
	struct region r = region(k);
	unsigned from = below(2);

	put(program.top, "static sem_t e%s;", r.name);
	put(program.init, "sem_init(&e%s, 0, 0);", r.name);
	if (weak)
		put(program.thread[from], "sem_post(&e%s);", r.name);
	fills(program.thread[from], &r);
	if (!weak)
		put(program.thread[from], "sem_post(&e%s);", r.name);
	put(program.thread[1 - from], "sem_wait(&e%s);", r.name);
	reads(program.thread[1 - from], &r);
	return ALL;
}

static const char *condition(unsigned k, bool weak)
{
	struct region r = region(k);
	FILE *a = program.thread[0], *b = program.thread[1];

	put(program.top,
		"static pthread_mutex_t m%s = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c%s "
		"= "
		"PTHREAD_COND_INITIALIZER; static bool b%s;",
		r.name, r.name, r.name);
	if (!weak)
		fills(a, &r);
	put(a,
		"pthread_mutex_lock(&m%s); b%s = true; pthread_cond_%s(&c%s); "
		"pthread_mutex_unlock(&m%s);",
		r.name, r.name, below(2) ? "signal" : "broadcast", r.name, r.name);
	if (weak)
		fills(a, &r);
	put(b, "pthread_mutex_lock(&m%s); while (!b%s) pthread_cond_wait(&c%s, &m%s); "
	       "pthread_mutex_unlock(&m%s);", r.name, r.name, r.name, r.name, r.name);
	reads(b, &r);
	return ALL;
}

/* --- phases, ownership ------------------------------------------------------------------------ */

static const char *barrier(unsigned k, bool weak)
{
	struct region r = region(k);

	put(program.top, "static pthread_barrier_t y%s;", r.name);
	put(program.init, "pthread_barrier_init(&y%s, NULL, %u);", r.name, program.nthreads);
	for (unsigned t = 0; t < program.nthreads; t++) {
		if (t == 0)
			fills(program.thread[t], &r);
		if (!weak)
			put(program.thread[t], "pthread_barrier_wait(&y%s);", r.name);
		if (t)
			reads(program.thread[t], &r);
	}
	return ALL;
}

static const char *once(unsigned k, bool weak)
{
	struct region r = region(k);

	put(program.top, "static pthread_once_t o%s = PTHREAD_ONCE_INIT; static atomic_int f%s;",
		r.name, r.name);
	fprintf(program.top, "static void make%s(void)\n{\n", r.name);
	fills(program.top, &r);
	put(program.top, "(void)o%s; (void)f%s;\n}", r.name, r.name);
	for (unsigned t = 0; t < program.nthreads; t++) {
		if (weak)
			put(program.thread[t], "if (!XCHG(f%s, 1, acq_rel)) make%s();", r.name,
				r.name);
		else
			put(program.thread[t], "pthread_once(&o%s, make%s);", r.name, r.name);
		reads(program.thread[t], &r);
	}
	return ALL;
}

/* A thread's own, and main's before and after it. */
static const char *handed(unsigned k, bool weak)
{
	struct region r = region(k);
	unsigned t = below(program.nthreads);

	fills(program.init, &r);
	writes(program.thread[t], &r);
	if (weak)
		fills(program.thread[(t + 1) % program.nthreads], &r);
	return ALL;
}

static const char *reference_count(unsigned k, bool weak)
{
	unsigned how = weak ? 1 + below(2) : 0;
	char name[24];

	snprintf(name, sizeof name, "r%u_%u", program.number, k);
	put(program.top,
		"struct %s { int value; char text[12]; }; static struct %s *h%s; static atomic_int "
		"n%s;",
		name, name, name, name);
	put(program.init, "h%s = calloc(1, sizeof *h%s); n%s = %u;", name, name, name,
		program.nthreads);
	for (unsigned t = 0; t < program.nthreads; t++) {
		FILE *to = program.thread[t];

		put(to, "USE(h%s->value);", name);
		put(to, "if (ADD(n%s, -1, %s) == 1) {", name, how == 1 ? "relaxed" : "release");
		if (how != 2)
			put(to, "FENCE(acquire);");
		put(to, "h%s->value = 1; KEEP(h%s); free(h%s); }", name, name, name);
	}
	return RC11;
}

/* Blocks are pushed; one thread takes all of them and frees them. */
static const char *list(unsigned k, bool weak)
{
	unsigned taker = below(program.nthreads), how = weak ? 1 + below(2) : 0;
	char name[24];

	snprintf(name, sizeof name, "r%u_%u", program.number, k);
	put(program.top,
		"struct %s { struct %s *next; int value; char text[5]; }; static _Atomic(struct %s "
		"*) h%s;",
		name, name, name, name);
	for (unsigned t = 0; t < program.nthreads; t++) {
		FILE *to = program.thread[t];

		if (t == taker)
			put(to,
				"for (struct %s *n = XCHG(h%s, NULL, %s), *next; n; n = next) { "
				"next = n->next; "
				"USE(n->value + n->text[2]); free(n); }",
				name, name, how == 1 ? "relaxed" : "acquire");
		else
			put(to,
				"{ struct %s *n = malloc(sizeof *n); n->value = 1; strcpy(n->text, "
				"\"abc\"); "
				"struct %s *old = LOAD(h%s, relaxed); do { n->next = old;%s } "
				"while (!atomic_"
				"compare_exchange_strong_explicit(&h%s, &old, n, memory_order_%s, "
				"memory_order_relaxed)); }",
				name, name, name, weaken ? " KEEP(n);" : "", name,
				how == 2 ? "relaxed" : "release");
	}
	put(program.end,
		"for (struct %s *n = h%s, *next; n; n = next) { next = n->next; free(n); }", name,
		name);
	return RC11;
}

/* A variable of one thread's stack, or of its thread-local storage, used by another while it
 * waits. */
static const char *lent(unsigned k, bool weak)
{
	FILE *a = program.thread[0], *b = program.thread[1];
	bool local = below(2);
	char name[24];

	snprintf(name, sizeof name, "r%u_%u", program.number, k);
	put(program.top, "static _Atomic(int *) p%s; static atomic_int f%s;", name, name);
	if (!local)
		put(program.top, "static _Thread_local int %s;", name);
	put(a, "{");
	if (local)
		put(a, "int %s = 1;", name);
	put(a, "%s = 2;", name);
	put(a, "STORE(p%s, &%s, release); while (!LOAD(f%s, acquire)) ;", name, name, name);
	put(a, "%s++; USE(%s); }", name, name);
	put(b, "{ int *p; while (!(p = LOAD(p%s, acquire))) ;", name);
	if (weak)
		put(b, "STORE(f%s, 1, release); ++*p; }", name);
	else
		put(b, "++*p; STORE(f%s, 1, release); }", name);
	return ALL;
}

/* --- programs --------------------------------------------------------------------------------- */

static const char *(*const protocols[])(unsigned k, bool weak) = {mutex, rwlock, spinlock,
	semaphore_lock, claims, message, message, chain, sequence, semaphore, condition, barrier,
	once, handed, reference_count, list, lent};

static void open_parts(void)
{
	FILE **parts[] = {&program.top, &program.init, &program.end, &program.thread[0],
		&program.thread[1], &program.thread[2]};

	for (unsigned i = 0; i < THREADS + 3; i++) {
		*parts[i] = open_memstream(&program.text[i], &program.size[i]);
		if (!*parts[i])
			exit(2);
	}
}

static void close_parts(void)
{
	fclose(program.top);
	fclose(program.init);
	fclose(program.end);
	for (unsigned t = 0; t < THREADS; t++)
		fclose(program.thread[t]);
}

static void print(const char *models, unsigned weakened)
{
	fputs(program.text[0], stdout);
	for (unsigned t = 0; t < program.nthreads; t++)
		printf("static void p%u_t%u(void)\n{\n%s}\n", program.number, t,
			program.text[3 + t]);
	if (models)
		printf("/* race %s: r%u_%u */\n", models, program.number, weakened);
	else
		printf("/* clean */\n");
	printf("CASE(p%u)\n{\n%s\tpthread_t t[%u];\n", program.number, program.text[1],
		program.nthreads);
	for (unsigned t = 0; t < program.nthreads; t++)
		printf("\tt[%u] = start(p%u_t%u);\n", t, program.number, t);
	for (unsigned t = 0; t < program.nthreads; t++)
		printf("\tend(t[%u]);\n", t);
	printf("%s}\n\n", program.text[2]);
	for (unsigned i = 0; i < THREADS + 3; i++)
		free(program.text[i]);
}

static void generate(unsigned number)
{
	unsigned n = 1 + below(PROTOCOLS), weakened = weaken ? below(n) : n;
	const char *models = NULL;

	program.number = number;
	program.nthreads = 2 + !below(3);
	open_parts();
	for (unsigned k = 0; k < n; k++) {
		const char *m =
			protocols[below(sizeof protocols / sizeof *protocols)](k, k == weakened);

		if (k == weakened)
			models = m;
	}
	close_parts();
	print(models, weakened);
}

int main(int argc, char **argv)
{
	weaken = argc > 1 && !strcmp(argv[1], "--weaken");

	if (argc != 3 + weaken) {
		fprintf(stderr, "generate [--weaken] SEED N\n");
		return 2;
	}
	state = strtoull(argv[1 + weaken], NULL, 10) * 0x9e3779b97f4a7c15u + 1;
	printf("#include \"races.h\"\n\n");
	for (unsigned i = 0, n = (unsigned)atoi(argv[2 + weaken]); i < n; i++)
		generate(i);
	return 0;
}
