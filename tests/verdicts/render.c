/* SPDX-License-Identifier: ISC */
/*
 * render.c - programs of counted.h as C, of as many kinds as C has: render [--gcc] <PROGRAMS
 *
 * A plain place is a scalar, a structure, bit-fields, an array, a union, a block, a variable of
 * main's stack, ...: each store writes all of it, each load reads some part of that. (--gcc: no
 * bit-fields, which gcc's instrumentation does not announce.) Locks, threads, atomic types and the
 * ways to write an atomic access vary, too. A condition variable stands for a flag under a lock,
 * pthread_once() for its protocol, where these are not weakened.
 *
 * A compiler may move plain accesses over relaxed ones, and does. Then the compiled code races
 * under all models. Weakened programs prevent that, as their subject is the machine.
 */
#include "counted.h"
#include "../random.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct counted *c;
static const struct gprogram *p;
static uint64_t state;
static bool gcc;

static unsigned below(unsigned n)
{
	return (unsigned)((random_shift(&state) * 0x2545f4914f6cdd1du) >> 33) % n;
}

static bool weakened(void)
{
	return *c->change;
}

/* --- names ------------------------------------------------------------------------------------ */

/* A line: @ stands for the name of the place, $ for `value`. */
static void line(const char *format, const char *name, const char *value)
{
	putchar('\t');
	for (; *format; format++)
		if (*format == '@')
			fputs(name, stdout);
		else if (*format == '$')
			fputs(value, stdout);
		else
			putchar(*format);
	putchar('\n');
}

static const char *name_of(int place)
{
	static char text[64];

	snprintf(text, sizeof text, "p%s_%s", p->name, gp_place_name(place));
	return text;
}

static const char *order_name(int order)
{
	static const char *const names[] = {
		"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};

	return names[order];
}

static const char *operand(const struct gp_op *o)
{
	static char text[64];

	if (o->source < 0)
		snprintf(text, sizeof text, "%d", o->value);
	else
		snprintf(text, sizeof text, "(r%d + %d)", o->source, o->value);
	return text;
}

/* --- plain memory ----------------------------------------------------------------------------- */

static const struct kind {
	const char *declare, *begin; /* in main, before there are threads */
	const char *write[2], *read[3], *end;
} kinds[] = {
	{"static int @;", "", {"@ = $;", "{ int v = $; memcpy(&@, &v, sizeof v); }"},
		{"@", "*(char *)&@", "@ + 0"}, ""},
	{"static struct { char a; short b; int c; long d; } @;", "",
		{"@ = (typeof(@)){$, $, $, $};", "@.a = $; @.b = $; @.c = $; @.d = $;"},
		{"@.a", "@.d", "(&@)->c"}, ""},
	{"static char @[12];", "memset(@, 0, sizeof @);",
		{"memset(@, $, sizeof @);", "for (int i = 0; i < 12; i++) @[i] = $;"},
		{"@[7]", "({ char v[12]; memcpy(v, @, sizeof v); v[11]; })", "(@[3] & @[9])"}, ""},
	{"static int @[4];", "",
		{"for (int i = 0; i < 4; i++) @[i] = $;", "@[0] = @[1] = @[2] = @[3] = $;"},
		{"@[2]", "(@[1] & @[3])", "((char *)&@[1])[0]"}, ""},
	{"static union { uint64_t all; uint32_t half[2]; uint8_t byte[8]; } @;", "",
		{"@.all = BYTES($);", "@.half[0] = @.half[1] = (uint32_t)BYTES($);"},
		{"@.byte[6]", "(@.half[1] & 255)", "(int)(@.all >> 56)"}, ""},
	{"static double @;", "", {"@ = $;", "{ double v = $; @ = v; }"},
		{"(int)@", "(@ > 0 ? (int)@ : 0)", "(int)(@ * 1)"}, ""},
	{"static __int128 @;", "", {"@ = $; ", "@ = (__int128)($);"},
		{"(int)@", "(int)*(long *)&@", "(int)(@ << 1 >> 1)"}, ""},
	{"static int *@;", "@ = calloc(1, sizeof *@);", {"*@ = $;", "@[0] = $;"},
		{"*@", "@[0]", "*(char *)@"}, "free(@);"},
	{"static struct { void *next; struct { short x, y; } pair[2]; } *@;",
		"@ = malloc(sizeof *@); memset(@, 0, sizeof *@);",
		{"@->pair[1].x = @->pair[1].y = $;", "@->pair[1].y = $; @->pair[1].x = $;"},
		{"@->pair[1].x", "@->pair[1].y", "(@->pair + 1)->x"}, "free(@);"},
	{"static int *@;", "int v_@ = 0; @ = &v_@;", {"*@ = $;", "@[0] = $;"},
		{"*@", "@[0]", "*(char *)@"}, ""},
	{"static _Thread_local int v_@; static int *@;", "v_@ = 0; @ = &v_@;",
		{"*@ = $;", "@[0] = $;"}, {"*@", "@[0]", "*(char *)@"}, ""},
	{"static struct { short v, of_nobody; } a_@[3], *@;", "@ = &a_@[1];",
		{"@->v = $;", "a_@[1].v = $;"}, {"@->v", "a_@[1].v", "(&a_@[1])->v"}, ""},
	{"static struct { unsigned a : 3, b : 7, c : 11; char d; unsigned long e : 40; } @;", "",
		{"@.a = @.b = @.c = $; @.d = $; @.e = $;", "@ = (typeof(@)){$, $, $, $, $};"},
		{"@.a", "@.c", "(int)@.e"}, ""},
};

#define KINDS	 (sizeof kinds / sizeof *kinds)
#define BITFIELDS (KINDS - 1)

static const struct kind *kind[GP_MEMORY];

/* --- atomics ---------------------------------------------------------------------------------- */

static const char *const types[] = {"atomic_int", "atomic_uchar", "_Atomic short", "_Atomic(long)",
	"atomic_uint", "_Atomic uint64_t", "atomic_intptr_t", "atomic_schar"};
static const char *type[GP_MEMORY];

static void load(char *to, size_t n, int place, int order)
{
	const char *x = name_of(place);

	if (order == SEQ && below(2))
		snprintf(to, n, "(int)%s", x);
	else if (below(2))
		snprintf(to, n, "(int)atomic_load_explicit(&%s, memory_order_%s)", x,
			order_name(order));
	else
		snprintf(to, n, "(int)__c11_atomic_load(&%s, memory_order_%s)", x,
			order_name(order));
	if (gcc && strstr(to, "c11"))
		snprintf(to, n, "(int)atomic_load_explicit(&%s, memory_order_%s)", x,
			order_name(order));
}

static void store(int place, int order, const char *value)
{
	const char *x = name_of(place);

	if (order == SEQ && below(2))
		printf("\t%s = %s;\n", x, value);
	else
		printf("\tatomic_store_explicit(&%s, %s, memory_order_%s);\n", x, value,
			order_name(order));
}

static void rmw(char *to, size_t n, const struct gp_op *o)
{
	const char *x = name_of(o->place), *order = order_name(o->order);

	if (o->kind == GP_XCHG || o->kind == GP_AWAIT_XCHG)
		snprintf(to, n, "(int)atomic_exchange_explicit(&%s, %s, memory_order_%s)", x,
			o->kind == GP_XCHG ? operand(o) : "1", order);
	else if (o->order == SEQ && o->source < 0 && o->value == 1 && below(2))
		snprintf(to, n, "(int)%s++", x);
	else if (o->source < 0 && below(3) == 0)
		snprintf(to, n, "(int)atomic_fetch_sub_explicit(&%s, -%d, memory_order_%s)", x,
			o->value, order);
	else
		snprintf(to, n, "(int)atomic_fetch_add_explicit(&%s, %s, memory_order_%s)", x,
			operand(o), order);
}

/* As an expression whose value is the old one. */
static void cas(char *to, size_t n, const struct gp_op *o, bool weak)
{
	snprintf(to, n,
		"({ typeof(atomic_load(&%s)) old = %d; atomic_compare_exchange_%s_explicit(&%s, "
		"&old, %s, "
		"memory_order_%s, memory_order_%s); (int)old; })",
		name_of(o->place), o->expected, weak ? "weak" : "strong", name_of(o->place),
		operand(o), order_name(o->order), order_name(o->fail));
}

/* A loop, until the condition holds. */
static void wait_for(const char *condition)
{
	switch (below(5)) {
	case 0: printf("\tdo KEEP(); while (!(%s));\n", condition); break;
	case 1: printf("\tfor (;;) { if (%s) break; sched_yield(); }\n", condition); break;
	case 2: printf("\twhile (!(%s)) thrd_yield();\n", condition); break;
	default: printf("\twhile (!(%s)) ;\n", condition);
	}
}

static void await(int i, const struct gp_op *o)
{
	char look[400], condition[500];

	if (o->kind == GP_AWAIT_CAS) {
		snprintf(condition, sizeof condition,
			"({ typeof(atomic_load(&%s)) old = %d; "
			"atomic_compare_exchange_%s_explicit(&%s, &old, %s, "
			"memory_order_%s, memory_order_%s); })",
			name_of(o->place), o->expected, below(2) ? "weak" : "strong",
			name_of(o->place), operand(o), order_name(o->order), order_name(o->fail));
	} else if (o->kind == GP_AWAIT_XCHG) {
		rmw(look, sizeof look, o);
		snprintf(condition, sizeof condition, "!%s", look);
	} else {
		load(look, sizeof look, o->place, o->order);
		snprintf(condition, sizeof condition, "(r%d = %s) == %s", i, look, operand(o));
	}
	wait_for(condition);
}

/* --- objects ---------------------------------------------------------------------------------- */

static const struct lock {
	const char *declare, *begin, *lock, *try, *unlock;
} locks[] = {
	{"static pthread_mutex_t @ = PTHREAD_MUTEX_INITIALIZER;", "", "pthread_mutex_lock(&@);",
		"!pthread_mutex_trylock(&@)", "pthread_mutex_unlock(&@);"},
	{"static pthread_mutex_t @;",
		"{ pthread_mutexattr_t a; pthread_mutexattr_init(&a); "
		"pthread_mutexattr_settype(&a, "
		"PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_init(&@, &a); "
		"pthread_mutexattr_destroy(&a); }",
		"pthread_mutex_lock(&@);", "!pthread_mutex_trylock(&@)",
		"pthread_mutex_unlock(&@);"},
	{"static mtx_t @;", "mtx_init(&@, mtx_plain);", "mtx_lock(&@);",
		"mtx_trylock(&@) == thrd_success", "mtx_unlock(&@);"},
	{"static pthread_spinlock_t @;", "pthread_spin_init(&@, 0);", "pthread_spin_lock(&@);",
		"!pthread_spin_trylock(&@)", "pthread_spin_unlock(&@);"},
	{"static pthread_rwlock_t @ = PTHREAD_RWLOCK_INITIALIZER;", "",
		"pthread_rwlock_wrlock(&@);", "!pthread_rwlock_trywrlock(&@)",
		"pthread_rwlock_unlock(&@);"},
	{"static sem_t @;", "sem_init(&@, 0, 1);", "sem_wait(&@);", "!sem_trywait(&@)",
		"sem_post(&@);"},
};

#define MUTEXES 3 /* those that a condition variable can be used with: of pthread, then of C11 */

static const struct lock *lock[GP_MUTEXES];
static bool condition[GP_MUTEXES]; /* there is one that goes with it */

static bool is_op(int t, int i, enum gp_kind k)
{
	return i >= 0 && i < p->nops[t] && p->op[t][i].kind == k;
}

/* Are flag and lock used so that waiting for a condition is equivalent? */
static void find_conditions(void)
{
	unsigned good[GP_MUTEXES] = {0};

	for (int t = 0; t < p->nthreads; t++)
		for (int i = 0; i < p->nops[t]; i++) {
			int r = c->role[t][i];

			if ((r == ROLE_WAIT || r == ROLE_SIGNAL) && is_op(t, i - 1, GP_LOCK) &&
				is_op(t, i + 1, GP_UNLOCK))
				good[p->op[t][i - 1].place - GP_MEMORY] |= 1u << r;
		}
	for (int m = 0; m < GP_MUTEXES; m++)
		condition[m] = good[m] == (1 << ROLE_WAIT | 1 << ROLE_SIGNAL) && below(3);
}

static const char *sync_text(const struct gp_op *o)
{
	switch (o->kind) {
	case GP_RDLOCK: return "pthread_rwlock_rdlock(&@);";
	case GP_WRLOCK: return "pthread_rwlock_wrlock(&@);";
	case GP_RWUNLOCK: return "pthread_rwlock_unlock(&@);";
	case GP_SEM_WAIT: return "sem_wait(&@);";
	case GP_SEM_POST: return "sem_post(&@);";
	case GP_LOCK: return lock[o->place - GP_MEMORY]->lock;
	default: return lock[o->place - GP_MEMORY]->unlock;
	}
}

static void declare_objects(void)
{
	const char *how[GP_MUTEXES] = {NULL};

	for (int t = 0; t < p->nthreads; t++)
		for (int i = 0; i < p->nops[t]; i++) {
			const struct gp_op *o = &p->op[t][i];
			int m = o->place - GP_MEMORY;

			if (m >= 0 && o->kind >= GP_RDLOCK && o->kind <= GP_SEM_POST)
				how[m] = o->kind >= GP_SEM_WAIT ? "static sem_t @;"
								: "static pthread_rwlock_t @ = "
								  "PTHREAD_RWLOCK_INITIALIZER;";
		}
	for (int m = 0; m < GP_MUTEXES - 1; m++) {
		lock[m] = &locks[below(
			condition[m] ? MUTEXES : (unsigned)(sizeof locks / sizeof *locks))];
		line(how[m] ? how[m] : lock[m]->declare, name_of(GP_MEMORY + m), "");
		if (condition[m])
			line(lock[m] == &locks[2]
					? "static cnd_t c_@;"
					: "static pthread_cond_t c_@ = PTHREAD_COND_INITIALIZER;",
				name_of(GP_MEMORY + m), "");
		if (how[m] && strstr(how[m], "sem_t"))
			lock[m] = NULL; /* begun with what it has at the beginning */
		else if (how[m])
			lock[m] = &locks[0]; /* nothing to begin */
	}
	line("static pthread_barrier_t @;", name_of(GP_BARRIER_PLACE), "");
}

static void begin_objects(void)
{
	char value[8];

	for (int m = 0; m < GP_MUTEXES - 1; m++) {
		snprintf(value, sizeof value, "%d", p->initial[GP_MEMORY + m]);
		line(lock[m] ? lock[m]->begin : "sem_init(&@, 0, $);", name_of(GP_MEMORY + m),
			value);
		if (condition[m] && lock[m] == &locks[2])
			line("cnd_init(&c_@);", name_of(GP_MEMORY + m), "");
	}
	snprintf(value, sizeof value, "%d", p->nthreads);
	line("pthread_barrier_init(&@, NULL, $);", name_of(GP_BARRIER_PLACE), value);
}

/* --- threads ---------------------------------------------------------------------------------- */

static bool c11[GP_THREADS]; /* by thrd_create() */

static void begin_thread(int t)
{
	if (c11[t])
		printf("\tthrd_create(&p%s_thread%d, p%s_t%d, NULL);\n", p->name, t, p->name, t);
	else
		printf("\tpthread_create(&p%s_thread%d, NULL, p%s_t%d, NULL);\n", p->name, t,
			p->name, t);
}

static void end_thread(int t)
{
	printf("\t%s(p%s_thread%d, NULL);\n", c11[t] ? "thrd_join" : "pthread_join", p->name, t);
}

static bool is_joined(int t)
{
	for (int u = 0; u < p->nthreads; u++)
		for (int i = 0; i < p->nops[u]; i++)
			if (is_op(u, i, GP_JOIN) && p->op[u][i].value == t)
				return true;
	return false;
}

/* --- operations ------------------------------------------------------------------------------- */

static void plain(int i, const struct gp_op *o)
{
	const struct kind *k = kind[o->place];

	if (weakened())
		line("KEEP();", "", "");
	if (o->kind == GP_PLAIN_STORE) {
		line(k->write[below(2)], name_of(o->place), operand(o));
	} else {
		printf("\tr%d =", i);
		line(k->read[below(3)], name_of(o->place), "");
		printf("\t;\n");
	}
	if (weakened())
		line("KEEP();", "", "");
}

static void waiting(int t, int i, const struct gp_op *o)
{
	char m[40];
	bool mtx;

	snprintf(m, sizeof m, "%s", name_of(p->op[t][i - 1].place));
	mtx = lock[p->op[t][i - 1].place - GP_MEMORY] == &locks[2];
	printf("\twhile (!(");
	line(kind[o->place]->read[below(3)], name_of(o->place), "");
	line(mtx ? "\t)) cnd_wait(&c_@, &@);" : "\t)) pthread_cond_wait(&c_@, &@);", m, "");
	printf("\tr%d = 1;\n", i);
}

static void signalling(int t, int i)
{
	bool mtx = lock[p->op[t][i - 1].place - GP_MEMORY] == &locks[2], all = below(2);

	line(mtx ? all ? "cnd_broadcast(&c_@);" : "cnd_signal(&c_@);"
		 : all ? "pthread_cond_broadcast(&c_@);" : "pthread_cond_signal(&c_@);",
		name_of(p->op[t][i - 1].place), "");
}

static void operation(int t, int i, const struct gp_op *o)
{
	char text[500];

	switch (o->kind) {
	case GP_PLAIN_LOAD:
		if (c->role[t][i] == ROLE_WAIT && is_op(t, i - 1, GP_LOCK) &&
			condition[p->op[t][i - 1].place - GP_MEMORY]) {
			waiting(t, i, o);
			return;
		}
		plain(i, o);
		return;
	case GP_PLAIN_STORE:
		plain(i, o);
		if (c->role[t][i] == ROLE_SIGNAL && is_op(t, i - 1, GP_LOCK) &&
			condition[p->op[t][i - 1].place - GP_MEMORY])
			signalling(t, i);
		return;
	case GP_LOAD: load(text, sizeof text, o->place, o->order); break;
	case GP_STORE: store(o->place, o->order, operand(o)); return;
	case GP_ADD:
	case GP_XCHG: rmw(text, sizeof text, o); break;
	case GP_CAS: cas(text, sizeof text, o, false); break;
	case GP_FENCE:
		printf("\tatomic_thread_fence(memory_order_%s);\n", order_name(o->order));
		return;
	case GP_AWAIT:
	case GP_AWAIT_CAS:
	case GP_AWAIT_XCHG: await(i, o); return;
	case GP_SPAWN: begin_thread(o->value); return;
	case GP_JOIN: end_thread(o->value); return;
	case GP_BARRIER: line("pthread_barrier_wait(&@);", name_of(o->place), ""); return;
	case GP_ASSERT: printf("\tassert(!\"as it must be\");\n"); return;
	case GP_TRYLOCK:
		printf("\tr%d =", i);
		line(lock[o->place - GP_MEMORY]->try, name_of(o->place), "");
		printf("\t;\n");
		return;
	default: line(sync_text(o), name_of(o->place), ""); return;
	}
	printf("\tr%d = %s;\n", i, text);
}

static void guarded(int t, int i, const struct gp_op *o)
{
	if (o->kind == GP_NOTHING)
		return;
	if (o->guard >= 0)
		printf("\tif (r%d %s %d)", o->guard, o->guard_not ? "!=" : "==", o->guard_value);
	if (o->also)
		printf("\tif (r%d == %d)", o->also - 1, o->also_value);
	printf("\t{\n");
	operation(t, i, o);
	printf("\t}\n");
}

/* --- once ------------------------------------------------------------------------------------- */

/* The AWAIT that ends the protocol that begins here, or -1 if it is weakened. */
static int once_end(int t, int i)
{
	int place = p->op[t][i].place;

	for (; i < p->nops[t]; i++) {
		const struct gp_op *o = &p->op[t][i];

		if (o->kind == GP_AWAIT && o->place == place)
			return o->order == RLX ? -1 : i;
		if (o->kind == GP_NOTHING ||
			(o->kind == GP_STORE && o->place == place && o->order == RLX))
			return -1;
	}
	return -1;
}

/* Each thread's first one. */
static int once_of(int t)
{
	for (int i = 0; i < p->nops[t]; i++)
		if (c->role[t][i] == ROLE_ONCE)
			return i;
	return -1;
}

static bool once; /* the protocol occurs, once, and is rendered as such */

static void find_once(void)
{
	int users = 0;

	once = below(3);
	for (int t = 0; t < p->nthreads; t++) {
		int first = once_of(t);

		if (first < 0)
			continue;
		users++;
		once &= once_end(t, first) >= 0;
		for (int i = first + 1; i < p->nops[t]; i++)
			once &= c->role[t][i] != ROLE_ONCE;
	}
	once &= users > 0;
	if (!once)
		return;
	printf("static pthread_once_t p%s_once = PTHREAD_ONCE_INIT;\nstatic void "
	       "p%s_make(void)\n{\n",
		p->name, p->name);
	for (int i = once_of(0) + 1; i < once_end(0, once_of(0)); i++)
		if (!(p->op[0][i].kind == GP_STORE &&
			    p->op[0][i].place == p->op[0][once_of(0)].place))
			operation(0, i, &p->op[0][i]);
	printf("}\n");
}

/* --- programs --------------------------------------------------------------------------------- */

static void thread(int t)
{
	printf("static %s p%s_t%d(void *unused)\n{\n", c11[t] ? "int" : "void *", p->name, t);
	for (int i = 0; i < p->nops[t]; i++)
		printf("\tint r%d = 0;\n", i);
	for (int i = 0; i < p->nops[t]; i++) {
		if (once && i == once_of(t)) {
			printf("\tpthread_once(&p%s_once, p%s_make);\n", p->name, p->name);
			i = once_end(t, i);
			continue;
		}
		guarded(t, i, &p->op[t][i]);
	}
	for (int i = 0; i < p->nops[t]; i++)
		printf("\tUSE(r%d);\n", i);
	printf("\treturn 0;\n}\n");
}

static void declare(void)
{
	for (int l = 0; l < p->nplaces; l++) {
		kind[l] = &kinds[below(gcc ? BITFIELDS : KINDS)];
		type[l] = types[below(sizeof types / sizeof *types)];
		if (c->plain[l])
			line(kind[l]->declare, name_of(l), "");
		else
			line("static $ @;", name_of(l), type[l]);
	}
	find_conditions();
	declare_objects();
	for (int t = 0; t < p->nthreads; t++) {
		c11[t] = below(3) == 0;
		printf("static %s p%s_thread%d;\n", c11[t] ? "thrd_t" : "pthread_t", p->name, t);
		printf("static %s p%s_t%d(void *);\n", c11[t] ? "int" : "void *", p->name, t);
	}
}

/* Compilers remove stores that are never read. */
static void check_end(int l)
{
	char text[200];

	printf("\t{ int v =");
	if (c->plain[l]) {
		line(kind[l]->read[below(3)], name_of(l), "");
	} else {
		load(text, sizeof text, l, SEQ);
		printf("%s", text);
	}
	printf("\t; USE(v);");
	if (c->final[l] != COUNT_ANY)
		printf(" assert(v == %d);", c->final[l]);
	printf(" }\n");
}

static void run(void)
{
	printf("PROGRAM(%s", p->name);
	for (int m = 0; m < GP_MODELS; m++)
		printf(", %d", c->verdict[m]);
	printf(")\n{\n");
	for (int l = 0; l < p->nplaces; l++)
		if (c->plain[l])
			line(kind[l]->begin, name_of(l), "");
	begin_objects();
	for (int t = 0; t < p->nthreads; t++)
		if (!gp_is_spawned(p, t))
			begin_thread(t);
	for (int t = 0; t < p->nthreads; t++)
		if (!gp_is_spawned(p, t))
			end_thread(t);
	for (int t = 0; t < p->nthreads; t++)
		if (gp_is_spawned(p, t) && !is_joined(t))
			end_thread(t);
	for (int l = 0; l < p->nplaces; l++)
		check_end(l);
	for (int l = 0; l < p->nplaces; l++)
		if (c->plain[l])
			line(kind[l]->end, name_of(l), "");
	printf("}\n\n");
}

int main(int argc, char **argv)
{
	static struct counted now;

	gcc = argc == 2 && !strcmp(argv[1], "--gcc");
	if (argc > 1 + gcc) {
		fprintf(stderr, "render [--gcc] <PROGRAMS\n");
		return 2;
	}
	c = &now;
	p = &now.program;
	printf("#include \"compiled.h\"\n\n");
	while (fread(&now, sizeof now, 1, stdin) == 1) {
		state = now.seed * 0x9e3779b97f4a7c15u + 1;
		if (*now.change)
			printf("/* %s */\n", now.change);
		declare();
		find_once();
		for (int t = 0; t < p->nthreads; t++)
			thread(t);
		run();
	}
	return 0;
}
