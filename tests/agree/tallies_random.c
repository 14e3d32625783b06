/* SPDX-License-Identifier: ISC */
/*
 * tallies_random.c - writes random loops for turns.c that count in memory, as C.
 *
 *     tallies_random SEED N
 *
 * Each function exists twice: with counters as people write them, which may be no state
 * (graph/tally.h), and, for executions with few turns (turns_bounded), with additions that the
 * compiler pass does not recognise. Three kinds of programs: the counters are not used; they are,
 * and have two values (parities), so that there are finitely many executions; or the loops end by
 * themselves. Uses are by the thread itself, another one, a copy, a byte, or an atomic operation.
 */
#include "../random.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;
static bool opaque; /* the function that is being written */

/* Of a program. */
static enum { UNUSED, FLIPPED, LIMITED } kind;
static const char *flipped;

static unsigned pick(unsigned n)
{
	return random_below(&state, n);
}

static const char *order(void)
{
	static const char *const name[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};

	return name[pick(5)];
}

static const char *variable(void)
{
	return pick(3) ? "X" : "Y";
}

/* --- counting --------------------------------------------------------------------------------- */

static const char *const kept[] = {"G", "(*H)"}; /* where counters are */

static void count_plain(const char *where)
{
	static const char *const member[] = {"i", "l", "h", "f", "v"};
	static const char *const step[] = {"+ 1", "+ 3", "- 1"};
	const char *m = kind == FLIPPED ? flipped : member[pick(5)];
	const char *s = kind == FLIPPED ? "^ 1" : step[pick(3)];

	if (opaque)
		printf("%s.%s = opaque(%s.%s) %s;\n", where, m, where, m, s);
	else
		printf("%s.%s = %s.%s %s;\n", where, m, where, m, s);
}

static void count_atomic(const char *where)
{
	const char *m = pick(2) ? "a" : "b", *o = order();
	const char *how = kind == FLIPPED ? "xor" : pick(3) ? "add" : "sub";

	if (kind == LIMITED && !pick(4))
		printf("put(&%s.a, %s(get(&%s.a)) + 1);\n", where, opaque ? "opaque" : "", where);
	else
		printf("%s(atomic_fetch_%s_explicit(&%s.%s, %u, memory_order_%s));\n",
			opaque ? "opaque" : "(void)", how, where, m,
			kind == FLIPPED ? 1 : 1 + pick(2), o);
}

/* Another thread counts in the same memory only atomically, or with the mutex. */
static void count(unsigned me)
{
	const char *where = kept[pick(2)];
	char own[24];

	snprintf(own, sizeof own, "O[%u]", me);
	switch (pick(4)) {
	case 0:
		printf("pthread_mutex_lock(&M);\n");
		count_plain(where);
		printf("pthread_mutex_unlock(&M);\n");
		break;
	case 1: count_atomic(where); break;
	default: count_plain(pick(4) ? own : "(*P)");
	}
}

/* --- uses ------------------------------------------------------------------------------------- */

static void use(unsigned me)
{
	static const char *const member[] = {"i", "l", "h"};
	const char *m = kind == FLIPPED ? flipped : member[pick(3)];

	printf("r = r * 4;\n");
	switch (pick(8)) {
	case 0: printf("r += O[%u].%s & 3;\n", me, m); return;
	case 1: printf("r += O[%u].%s > 0;\n", me, m); return;
	case 2: printf("copy = O[%u];\nr += copy.%s & 3;\n", me, m); return;
	case 3: printf("memcpy(&copy, &O[%u], sizeof copy);\nr += copy.%s & 3;\n", me, m); return;
	case 4: printf("r += ((unsigned char *)&O[%u].%s)[0] & 3;\n", me, m); return;
	case 5: printf("r += get(&%s.a) & 3;\n", kept[pick(2)]); return;
	case 6: printf("r += atomic_exchange(&%s.b, 1) & 3;\n", kept[pick(2)]); return;
	default:
		printf("pthread_mutex_lock(&M);\nr += %s.%s & 3;\npthread_mutex_unlock(&M);\n",
			kept[pick(2)], m);
	}
}

/* --- loops ------------------------------------------------------------------------------------ */

static void inside(unsigned me)
{
	count(me);
	switch (pick(7)) {
	case 0: count(me); break;
	case 1: printf("if (get(&%s) == 2)\nbreak;\n", variable()); break;
	case 2: printf("r |= atomic_load(&%s) & 1;\n", variable()); break;
	case 3: printf("if (!once) {\nonce = 1;\nput(&Z, 3);\n}\n"); break;
	case 4: printf("if (++tries == 2)\n"); count_plain("O[2]"); break;
	default: break;
	}
	printf("turn(&n);\n}\n");
}

static void loop(unsigned me)
{
	const char *x = variable();
	char limit[32] = "";
	unsigned v;

	if (kind == LIMITED)
		snprintf(limit, sizeof limit, "k++ < %u && ", 1 + pick(2));
	v = 1 + pick(2);
	switch (pick(6)) {
	case 0: printf("while (%sacquire(&%s) < %u) {\n", limit, x, v); break;
	case 1: printf("while (%satomic_load(&%s) < %u) {\n", limit, x, v); break;
	case 2: printf("while (%s!change(&%s, %u, 3) && get(&%s) < 2) {\n", limit, x, v, x); break;
	case 3: printf("while (%slocked(&%s) < %u) {\n", limit, x, v); break;
	case 4: printf("while (%sget(&%s) < %u) {\n", limit, x, v); break;
	default: printf("while (%sacquire(&%s) < %u && !get(&Z)) {\n", limit, x, v);
	}
	inside(me);
}

static void waiter(unsigned k, unsigned me)
{
	printf("static int waiter%u_%u%s(void)\n{\nint r = 0, n = 0, once = 0, k = 0, tries = 0;\n"
	       "struct counters copy;\n\n(void)n;\n(void)once;\n(void)k;\n"
	       "(void)tries;\n(void)copy;\n",
		k, me, opaque ? "_opaque" : "");
	printf("P = &own;\n");
	if (!pick(4))
		count(me);
	for (unsigned loops = pick(3) ? 1 : 2; loops; loops--) {
		loop(me);
		printf("r = r * 4 + get(&%s);\n", pick(2) ? variable() : "Z");
		if (kind != UNUSED)
			use(me);
	}
	printf("return r;\n}\n\n");
}

/* The same function twice, and one that selects it. */
static void waiters(unsigned k, unsigned me)
{
	uint64_t same = state;

	opaque = true;
	waiter(k, me);
	state = same;
	opaque = false;
	waiter(k, me);
	printf("static int body%u_%u(void)\n{\nreturn turns_bounded ? waiter%u_%u_opaque() : "
	       "waiter%u_%u();\n}\n\n", k, me, k, me, k, me);
}

static void writer(unsigned k)
{
	printf("static int writer%u(void)\n{\nint r = 0;\n\n", k);
	for (unsigned i = 0, n = 1 + pick(2); i < n; i++) {
		if (!pick(4))
			printf("r = r * 4 + get(&%s);\n", pick(2) ? variable() : "Z");
		else if (pick(4))
			printf("put(&%s, %u);\n", variable(), 1 + pick(2));
		else
			printf("pthread_mutex_lock(&M);\nput(&%s, %u);\n"
			       "pthread_mutex_unlock(&M);\n",
				variable(), 1 + pick(2));
	}
	printf("put(&X, 2);\nput(&Y, 2);\nreturn r;\n}\n\n");
}

static void prelude(void)
{
	printf("#include \"turns.h\"\n#include <pthread.h>\n"
	       "#include <stdlib.h>\n#include <string.h>\n\n"
	       "static struct counters {\nint i;\nunsigned long l;\nshort h;\n"
	       "float f;\nvolatile int v;\n"
	       "atomic_int a;\n_Atomic unsigned char b;\n} G, O[3], *H;\n"
	       "static _Thread_local struct counters own, *P;\n"
	       "static pthread_mutex_t M = PTHREAD_MUTEX_INITIALIZER;\n\n"
	       "static __attribute__((constructor)) void begin(void)\n{\n"
	       "H = calloc(1, sizeof *H);\n}\n\n"
	       "#define opaque(x) ({ __typeof__(0 + (x)) o_ = (x); "
	       "__asm__ volatile(\"\" : : \"m\"(o_)); o_; })\n\n"
	       "static inline int acquire(atomic_int *p)\n{\n"
	       "return atomic_load_explicit(p, memory_order_acquire);\n}\n\n"
	       "static int locked(atomic_int *p)\n{\nint v;\n\n"
	       "pthread_mutex_lock(&M);\nv = get(p);\n"
	       "pthread_mutex_unlock(&M);\nreturn v;\n}\n\n");
}

int main(int argc, char **argv)
{
	unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 10, two[1000];

	state = argc > 1 ? strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15u : 1;
	prelude();
	for (unsigned k = 0; k < n; k++) {
		kind = pick(3);
		flipped = &"i\0l\0h"[2 * pick(3)];
		two[k] = pick(2);
		writer(k);
		for (unsigned i = 0; i <= two[k]; i++)
			waiters(k, i);
	}
	printf("const struct turns_case turns_cases[] = {\n");
	for (unsigned k = 0; k < n; k++) {
		printf("{\"tallies %u\", {writer%u, body%u_0", k, k, k);
		printf(two[k] ? ", body%u_1}},\n" : "}},\n", k);
	}
	printf("};\nconst int turns_ncases = %u;\n", n);
	return 0;
}
