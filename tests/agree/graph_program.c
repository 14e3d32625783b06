/* SPDX-License-Identifier: ISC */
/* graph_program.c - the generator of graph_program.h, and the printer of its programs. */
#include "graph_program.h"

#include "base/prng.h"

#include <stdio.h>
#include <string.h>

const char *const gp_mode_names[GP_MODES] = {
	"plain", "await", "locks", "choose", "races", "threads", "mixed", "objects"};
const char *const gp_model_names[GP_MODELS] = {"sc", "tso", "pso", "sra", "ra", "rc11"};

static struct prng prng;
static bool wide, awaits; /* mixed: there are four bytes, not two; threads wait */

static int below(int n)
{
	return (int)prng_below(&prng, (u32)n);
}

static bool percent(int n)
{
	return below(100) < n;
}

/* --- orders: a program is mostly of one flavour, so that each shows what it can do ------------ */

static enum { MIXED, RELAXED, RELEASE_ACQUIRE, SEQUENTIAL, HALF_SEQUENTIAL, FLAVOURS } flavour;

static const int load_orders[] = {RLX, ACQ, SEQ}, store_orders[] = {RLX, REL, SEQ};
static const int rmw_orders[] = {RLX, ACQ, REL, AR, SEQ}, fence_orders[] = {ACQ, REL, AR, SEQ};

static int order(const int *from, int n)
{
	bool last = flavour == SEQUENTIAL || (flavour == HALF_SEQUENTIAL && percent(50));

	if (last)
		return from[n - 1];
	if (flavour == RELAXED && percent(80))
		return from[0];
	if (flavour == RELEASE_ACQUIRE && percent(80))
		return from[n - 2];
	return from[below(n)];
}

static int fence_order(void)
{
	return flavour == MIXED || percent(50) ? fence_orders[below(4)] : SEQ;
}

/* --- operations ------------------------------------------------------------------------------ */

bool gp_is_spawned(const struct gprogram *p, int t)
{
	for (int u = 0; u < p->nthreads; u++)
		for (int i = 0; i < p->nops[u]; i++)
			if (p->op[u][i].kind == GP_SPAWN && p->op[u][i].value == t)
				return true;
	return false;
}

static bool learns(const struct gp_op *o)
{
	if ((o->kind >= GP_SPAWN && o->kind <= GP_ASSERT) ||
		(o->kind >= GP_RDLOCK && o->kind <= GP_SEM_POST) || gp_ends_section(o->kind))
		return false;
	return o->kind != GP_STORE && o->kind != GP_PLAIN_STORE && o->kind != GP_FENCE &&
	       o->kind != GP_LOCK && o->kind != GP_UNLOCK && o->kind != GP_ASSUME;
}

/* A register that an earlier operation of the thread sets, or -1. */
static int learned(const struct gprogram *p, int t)
{
	int found[GP_OPS], n = 0;

	for (int i = 0; i < p->nops[t]; i++)
		if (learns(&p->op[t][i]))
			found[n++] = i;
	return n ? found[below(n)] : -1;
}

static struct gp_op *append(struct gprogram *p, int t, enum gp_kind kind, int place)
{
	struct gp_op *o = &p->op[t][p->nops[t]++];

	*o = (struct gp_op){
		.kind = (uint8_t)kind, .place = (uint8_t)place, .source = -1, .guard = -1};
	return o;
}

static void add_access(struct gprogram *p, int t, enum gp_kind kind)
{
	struct gp_op *o = append(p, t, kind, below(p->nplaces));

	o->value = (uint8_t)(1 + below(2));
	o->expected = (uint8_t)below(2);
	o->fail = (uint8_t)load_orders[below(3)];
	switch (kind) {
	case GP_LOAD: o->order = (uint8_t)order(load_orders, 3); break;
	case GP_STORE: o->order = (uint8_t)order(store_orders, 3); break;
	case GP_FENCE: o->order = (uint8_t)fence_order(); break;
	case GP_PLAIN_LOAD:
	case GP_PLAIN_STORE: break;
	case GP_AWAIT:
	case GP_AWAIT_ANY: o->order = (uint8_t)order(load_orders, 3); break;
	default: o->order = (uint8_t)order(rmw_orders, 5);
	}
}

/* Perhaps make it an access of all bytes, or of half of them. */
static void widen(struct gp_op *o)
{
	if (o->kind == GP_FENCE || percent(50))
		return;
	o->pieces = wide && percent(40) ? 4 : 2;
	o->place = (uint8_t)(o->place / o->pieces * o->pieces);
}

static void add_random(struct gprogram *p, int t)
{
	static const enum gp_kind kinds[] = {GP_LOAD, GP_LOAD, GP_LOAD, GP_LOAD, GP_LOAD, GP_LOAD,
		GP_STORE, GP_STORE, GP_STORE, GP_STORE, GP_STORE, GP_STORE, GP_ADD, GP_XCHG, GP_CAS,
		GP_CAS, GP_WEAK_CAS, GP_FENCE, GP_FENCE, GP_FENCE};
	int from = learned(p, t);

	add_access(p, t, kinds[below(20)]);
	if (p->mixed)
		widen(&p->op[t][p->nops[t] - 1]);
	if (from < 0)
		return;
	if (percent(20)) {
		struct gp_op *o = &p->op[t][p->nops[t] - 1];

		o->guard = (int8_t)from;
		o->guard_value = (uint8_t)below(3);
		o->guard_not = percent(50);
	}
	if (percent(20))
		p->op[t][p->nops[t] - 1].source = (int8_t)from;
}

/* --- what the modes add ------------------------------------------------------------------------
 */

/* p as a spin lock: it is 1 while taken. */
static void add_spin_lock(struct gprogram *p, int t)
{
	struct gp_op *o = append(p, t, GP_AWAIT_XCHG, 3);

	o->value = 1;
	o->order = (uint8_t)order(rmw_orders, 5);
	add_random(p, t);
	o = append(p, t, GP_STORE, 3);
	o->order = (uint8_t)order(store_orders, 3);
}

static void add_await(struct gprogram *p, int t)
{
	static const enum gp_kind kinds[] = {
		GP_AWAIT, GP_AWAIT, GP_AWAIT, GP_AWAIT_ANY, GP_AWAIT_CAS};

	add_access(p, t, p->mixed && percent(60) ? GP_AWAIT : kinds[below(5)]);
	p->op[t][p->nops[t] - 1].value = (uint8_t)below(3);
	if (p->mixed && p->op[t][p->nops[t] - 1].kind != GP_AWAIT_ANY)
		widen(&p->op[t][p->nops[t] - 1]);
}

static void add_choice(struct gprogram *p, int t)
{
	int from = learned(p, t);

	if (from >= 0 && percent(50)) {
		struct gp_op *o = append(p, t, percent(10) ? GP_ASSERT : GP_ASSUME, 0);

		o->source = (int8_t)from;
		o->value = (uint8_t)below(2);
	} else {
		append(p, t, GP_CHOOSE, 0)->value = (uint8_t)(1 + below(3));
	}
}

/* A critical section; every access of p in it is protected by mutex m, except by accident. */
static void add_section(struct gprogram *p, int t)
{
	int mutex = percent(85) ? GP_MEMORY : GP_MEMORY + 1, first = p->nops[t], inner = -1;
	bool try = percent(25);

	append(p, t, try ? GP_TRYLOCK : GP_LOCK, mutex);
	if (percent(15) && first + 6 <= GP_OPS) {
		inner = mutex == GP_MEMORY ? GP_MEMORY + 1 : GP_MEMORY;
		append(p, t, GP_LOCK, inner);
	}
	for (int n = 1 + below(2), i = 0; i < n; i++) {
		if (percent(60)) {
			add_access(p, t, percent(40) ? GP_PLAIN_LOAD : GP_PLAIN_STORE);
			p->op[t][p->nops[t] - 1].place = 3;
		} else {
			add_random(p, t);
		}
	}
	if (inner >= 0)
		append(p, t, GP_UNLOCK, inner);
	append(p, t, GP_UNLOCK, mutex);
	for (int i = first + 1; try && i < p->nops[t]; i++) {
		p->op[t][i].guard = (int8_t)first;
		p->op[t][i].guard_value = 1;
		p->op[t][i].guard_not = false;
	}
}

static enum gp_object object[2]; /* of the program */

/* Operations on the object at `place`, and what they guard. */
struct section {
	int begin, first, last; /* operation that begins it, those inside */
	enum gp_kind end;
};

static void guard(struct gp_op *o, int reg, int value)
{
	o->guard = (int8_t)reg;
	o->guard_value = (uint8_t)value;
	o->guard_not = false;
}

static enum gp_kind begin_kind(enum gp_object what)
{
	static const enum gp_kind kinds[][4] = {
		[GP_MUTEX] = {GP_LOCK, GP_LOCK, GP_TRYLOCK, GP_TRYLOCK},
		[GP_ROBUST] = {GP_LOCK, GP_LOCK, GP_LOCK, GP_TRYLOCK},
		[GP_RWLOCK] = {GP_RDLOCK, GP_WRLOCK, GP_TRYRDLOCK, GP_TRYWRLOCK},
		[GP_SEMAPHORE] = {GP_SEM_WAIT, GP_SEM_WAIT, GP_TRYWAIT, GP_TRYWAIT},
		[GP_ONCE_FLAG] = {GP_ONCE, GP_ONCE, GP_ONCE, GP_ONCE},
	};

	return kinds[what][below(4)];
}

static enum gp_kind end_kind(enum gp_object what)
{
	return what == GP_RWLOCK      ? GP_RWUNLOCK
	       : what == GP_SEMAPHORE ? GP_SEM_POST
	       : what == GP_ONCE_FLAG ? GP_ONCE_DONE
				      : GP_UNLOCK;
}

/* The state left by a robust mutex's owner: after taking it from a dead owner, it is made
 * consistent or not. Or the thread dies. */
static void end_robust(struct gprogram *p, int t, int place, int begin)
{
	struct gp_op *o;

	if (p->op[t][begin].kind == GP_LOCK && percent(30)) {
		o = append(p, t, GP_DIE, place);
		guard(o, begin, GP_NOT_RECOVERABLE);
		o->guard_not = true;
		return;
	}
	o = append(p, t, GP_UNLOCK, place);
	guard(o, begin, 1);
	o = append(p, t, GP_UNLOCK, place);
	guard(o, begin, GP_OWNER_DIED);
	o->value = percent(40);
}

static bool has_died(const struct gprogram *p, int t)
{
	return p->nops[t] && p->op[t][p->nops[t] - 1].kind == GP_DIE;
}

static void add_object(struct gprogram *p, int t)
{
	int which = below(2), place = GP_MEMORY + which, begin = p->nops[t];
	enum gp_object what = object[which];
	bool tries;

	if (p->nops[t] + 4 > GP_OPS || has_died(p, t))
		return;
	if (what == GP_SEMAPHORE && percent(50)) {
		append(p, t, percent(70) ? GP_SEM_POST : GP_SEM_VALUE, place);
		return;
	}
	append(p, t, begin_kind(what), place);
	tries = learns(&p->op[t][begin]);
	p->op[t][begin].timed = tries && what != GP_ONCE_FLAG && percent(50);
	if (percent(85)) {
		add_access(p, t, percent(40) ? GP_PLAIN_LOAD : GP_PLAIN_STORE);
		p->op[t][p->nops[t] - 1].place = 3;
		if (percent(40))
			p->op[t][p->nops[t] - 1].kind = percent(50) ? GP_STORE : GP_LOAD;
		if (tries || (what == GP_ROBUST && percent(80)))
			guard(&p->op[t][p->nops[t] - 1], begin, 1);
	}
	if (what == GP_ROBUST) {
		end_robust(p, t, place, begin);
		return;
	}
	if (what == GP_SEMAPHORE && percent(30))
		return;
	append(p, t, end_kind(what), place);
	if (tries)
		guard(&p->op[t][p->nops[t] - 1], begin, 1);
}

static void generate_objects(struct gprogram *p)
{
	for (int i = 0; i < 2; i++) {
		object[i] = (enum gp_object)(GP_MUTEX + below(GP_ROBUST));
		if (object[i] == GP_SEMAPHORE)
			p->initial[GP_MEMORY + i] = (uint8_t)below(3);
	}
	for (int t = 0; t < p->nthreads; t++) {
		if (percent(30))
			add_random(p, t);
		for (int n = p->nthreads == 2 ? 1 + below(2) : 1; n > 0; n--)
			add_object(p, t);
		if (percent(p->nthreads == 2 ? 50 : 25) && p->nops[t] < GP_OPS && !has_died(p, t))
			add_random(p, t);
	}
}

static void add_racy(struct gprogram *p, int t)
{
	int from = learned(p, t);
	struct gp_op *o;

	add_access(p, t, percent(50) ? GP_PLAIN_LOAD : GP_PLAIN_STORE);
	o = &p->op[t][p->nops[t] - 1];
	if (percent(80))
		o->place = 3;
	if (from >= 0 && percent(80)) {
		o->guard = (int8_t)from;
		o->guard_value = (uint8_t)(1 + below(2));
	}
}

static void add(struct gprogram *p, int t, enum gp_mode mode)
{
	if (p->nops[t] == GP_OPS)
		return;
	if (mode == GP_AWAITS && percent(10) && p->nops[t] + 3 <= GP_OPS) {
		add_spin_lock(p, t);
		return;
	}
	if (percent(mode == GP_AWAITS ? 25 : mode == GP_MIXED && awaits ? 15 : 0))
		add_await(p, t);
	else if (mode == GP_CHOICES && percent(40))
		add_choice(p, t);
	else if (mode == GP_LOCKS && percent(70) && p->nops[t] + 4 <= GP_OPS)
		add_section(p, t);
	else if (mode == GP_RACES ? percent(40) : mode == GP_THREADED && percent(25))
		add_racy(p, t);
	else
		add_random(p, t);
}

/* Threads that meet; the last one is started, and perhaps joined, by one of the others. */
static void generate_threads(struct gprogram *p, bool meets, bool spawns)
{
	int parent = below(p->nthreads - 1), child = p->nthreads - 1;
	bool again = p->nthreads == 2 || (p->nthreads == 3 && percent(30));

	for (int t = 0; t < p->nthreads; t++) {
		for (int n = below(p->nthreads == 2 ? 3 : 2); n > 0; n--)
			add(p, t, GP_THREADED);
		if (spawns && t == parent)
			append(p, t, GP_SPAWN, 0)->value = (uint8_t)child;
		if (meets)
			append(p, t, GP_BARRIER, GP_BARRIER_PLACE);
		add(p, t, GP_THREADED);
		if (meets && again)
			append(p, t, GP_BARRIER, GP_BARRIER_PLACE);
		if (spawns && t == parent && percent(70))
			append(p, t, GP_JOIN, 0)->value = (uint8_t)child;
		if (percent(40))
			add(p, t, GP_THREADED);
	}
}

void gprogram_generate(struct gprogram *p, enum gp_mode mode, uint64_t seed, int larger)
{
	static const int most[] = {0, 0, 4, 3, 2}, threads[] = {2, 2, 2, 2, 2, 3, 3, 3, 3, 4};

	prng_seed(&prng, seed * GP_MODES + mode);
	memset(p, 0, sizeof *p);
	snprintf(p->name, sizeof p->name, "%s %llu", gp_mode_names[mode], (unsigned long long)seed);
	flavour = below(FLAVOURS);
	p->nthreads = threads[below(10)];
	p->nplaces = 1 + below(mode == GP_LOCKS ? 2 : 3);
	p->weak_cas = below(4);
	if (p->weak_cas == 3)
		p->weak_cas = GP_ANY;
	p->mixed = mode == GP_MIXED;
	wide = p->mixed && percent(20);
	awaits = percent(25);
	if (p->mixed)
		p->nplaces = wide ? 4 : 2;
	p->detached = seed % 5 == 4 ? (uint8_t)(seed / 5) : 0;
	if (mode == GP_OBJECTS) {
		generate_objects(p);
		return;
	}
	if (mode == GP_THREADED) {
		bool meets = percent(50);

		generate_threads(p, meets, !meets || percent(30));
		return;
	}
	for (int t = 0; t < p->nthreads; t++) {
		int n = 1 + below(most[p->nthreads] + larger);

		if (p->nthreads == 2 && n == 1)
			n = 3;
		if (mode == GP_LOCKS)
			n = (p->nthreads == 2 ? 1 + below(2) : 1) + below(1 + larger);
		for (int i = 0; i < n; i++)
			add(p, t, mode);
	}
}

/* --- printing --------------------------------------------------------------------------------- */

const char *gp_place_name(int place)
{
	static const char *const memory[] = {
		"x", "y", "z", "p", "q", "r", "s", "t", "u", "v", "w", "a"};
	static const char *const mutexes[] = {"m", "n", "o", "k", "l"};

	if (place == GP_BARRIER_PLACE)
		return "b";
	return place < GP_MEMORY ? memory[place] : mutexes[place - GP_MEMORY];
}

static const char *order_name(int order)
{
	static const char *const names[] = {"rlx", "con", "acq", "rel", "acq_rel", "sc"};

	return names[order];
}

static void operand_text(const struct gp_op *o, char to[24])
{
	if (o->source >= 0)
		snprintf(to, 24, o->value ? "r%d + %d" : "r%d", o->source, o->value);
	else
		snprintf(to, 24, "%d", o->value);
}

/* Returns its length. */
static size_t guard_text(const struct gp_op *o, char *to, size_t n)
{
	size_t length = 0;

	if (o->guard >= 0)
		length = (size_t)snprintf(to, n, "if (r%d %s %d) ", o->guard,
			o->guard_not ? "!=" : "==", o->guard_value);
	if (o->also)
		length += (size_t)snprintf(
			to + length, n - length, "if (r%d == %d) ", o->also - 1, o->also_value);
	return length;
}

/* long: a line for each kind */
void gp_op_text(const struct gprogram *p, int thread, int i, char *to, size_t n)
{
	const struct gp_op *o = &p->op[thread][i];
	const char *order = order_name(o->order);
	size_t guard = guard_text(o, to, n);
	char x[16] = "";
	char v[24];

	operand_text(o, v);
	for (int k = 0; k < gp_pieces(o); k++)
		strcat(x, gp_place_name(o->place + k));
	to += guard;
	n -= guard;
	switch (o->kind) {
	case GP_NOTHING: snprintf(to, n, "-"); break;
	case GP_LOAD: snprintf(to, n, "r%d = %s.load(%s)", i, x, order); break;
	case GP_STORE: snprintf(to, n, "%s.store(%s, %s)", x, v, order); break;
	case GP_ADD: snprintf(to, n, "r%d = %s.fetch_add(%s, %s)", i, x, v, order); break;
	case GP_XCHG: snprintf(to, n, "r%d = %s.exchange(%s, %s)", i, x, v, order); break;
	case GP_CAS:
	case GP_WEAK_CAS:
	case GP_AWAIT_CAS:
		snprintf(to, n, "r%d = %s%s.cas%s(%d -> %s, %s, %s)", i,
			o->kind == GP_AWAIT_CAS ? "until " : "", x,
			o->kind == GP_WEAK_CAS ? "_weak" : "", o->expected, v, order,
			order_name(o->fail));
		break;
	case GP_FENCE: snprintf(to, n, "fence(%s)", order); break;
	case GP_PLAIN_LOAD: snprintf(to, n, "r%d = %s", i, x); break;
	case GP_PLAIN_STORE: snprintf(to, n, "%s = %s", x, v); break;
	case GP_AWAIT_XCHG:
		snprintf(to, n, "r%d = until %s.exchange(1, %s) == 0", i, x, order);
		break;
	case GP_SPAWN: snprintf(to, n, "spawn(T%d)", o->value + 1); break;
	case GP_JOIN: snprintf(to, n, "join(T%d)", o->value + 1); break;
	case GP_BARRIER: snprintf(to, n, "barrier()"); break;
	case GP_ASSERT: snprintf(to, n, "assert(r%d != %d)", o->source, o->value); break;
	case GP_LOCK: snprintf(to, n, "lock(%s)", x); break;
	case GP_TRYLOCK:
	case GP_TRYRDLOCK:
	case GP_TRYWRLOCK:
	case GP_TRYWAIT:
		snprintf(to, n, "r%d = %s%s(%s)", i, o->timed ? "timed" : "try",
			o->kind == GP_TRYLOCK	  ? "lock"
			: o->kind == GP_TRYRDLOCK ? "rdlock"
			: o->kind == GP_TRYWRLOCK ? "wrlock"
						  : "wait",
			x);
		break;
	case GP_UNLOCK:
		snprintf(to, n, "unlock(%s%s)", x, o->value ? ", not recoverable" : "");
		break;
	case GP_ONCE: snprintf(to, n, "r%d = once(%s)", i, x); break;
	case GP_ONCE_DONE: snprintf(to, n, "once_done(%s)", x); break;
	case GP_SEM_VALUE: snprintf(to, n, "r%d = sem_value(%s)", i, x); break;
	case GP_DIE: snprintf(to, n, "exit with %s", x); break;
	case GP_RDLOCK: snprintf(to, n, "rdlock(%s)", x); break;
	case GP_WRLOCK: snprintf(to, n, "wrlock(%s)", x); break;
	case GP_RWUNLOCK: snprintf(to, n, "rwunlock(%s)", x); break;
	case GP_SEM_WAIT: snprintf(to, n, "sem_wait(%s)", x); break;
	case GP_SEM_POST: snprintf(to, n, "sem_post(%s)", x); break;
	case GP_CHOOSE: snprintf(to, n, "r%d = choose(%d)", i, o->value); break;
	case GP_ASSUME: snprintf(to, n, "assume(r%d == %d)", o->source, o->value); break;
	case GP_AWAIT: snprintf(to, n, "r%d = await %s.load(%s) == %s", i, x, order, v); break;
	case GP_AWAIT_ANY:
		snprintf(to, n, "r%d = await %s or %s .load(%s) == %s", i, x,
			gp_place_name(gp_other(p, o->place)), order, v);
		break;
	}
}

void gprogram_print(const struct gprogram *p)
{
	char text[120];

	printf("# program %s (weak CAS fails at most %d times)\n", p->name, p->weak_cas);
	for (int t = 0; t < p->nthreads; t++) {
		printf("#   T%d:", t + 1);
		for (int i = 0; i < p->nops[t]; i++) {
			if (p->op[t][i].kind == GP_NOTHING)
				continue;
			gp_op_text(p, t, i, text, sizeof text);
			printf("  %d: %s;", i, text);
		}
		printf("\n");
	}
}
