/* SPDX-License-Identifier: ISC */
/*
 * interpret.c - see interpret.h.
 *
 * Thread 0 creates the threads of the program and joins them. The next label of a thread is found
 * by going through its events in the graph. A bug or a crash of the explorer ends the
 * exploration, not the test: the program is then reduced and printed.
 */
#include "interpret.h"
#include "files.h"

#include "rf/rf.h"
#include "trust/random/random_graph.h"
#include "heddle/abi.h"
#include "object/object.h"
#include "model/pieces.h"
#include "locks.h"
#include "portable.h"
#include "twins.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

static const struct gprogram *p;
static struct exploration *result;
static unsigned long most;
static bool behaviours; /* CREATE names the threads with equal operations */

/* --- places ----------------------------------------------------------------------------------- */

static u32 place(const struct graph *g, int i)
{
	if (p->mixed && !gp_is_mutex(i))
		return place_intern(g->places, 64 + (u64)i, 1, 0);
	if (gp_is_mutex(i))
		return place_intern(g->places, 64 + 64 * (u64)i, 0, p->initial[i]);
	return place_intern(g->places, 64 + 64 * (u64)i, 4, 0);
}

/* Of an operation on several. */
static u32 range(const struct graph *g, const struct gp_op *o)
{
	u32 loc;

	if (o->pieces <= 1)
		return place(g, o->place);
	for (int i = 0; i < o->pieces; i++)
		place(g, o->place + i);
	loc = place_intern(g->places, 64 + (u64)o->place, o->pieces, 0);
	g->places->place[loc].cuts = (u16)((1 << o->pieces) - 1);
	((struct graph *)g)->mixed = g->places->mixed = g->places->contended = true;
	return loc;
}

/* --- kinds of operations ---------------------------------------------------------------------- */

static const struct {
	u8 type, op;
} kinds[] = {
	[GP_LOAD] = {LABEL_READ, 0},
	[GP_STORE] = {LABEL_WRITE, 0},
	[GP_ADD] = {LABEL_RMW, HEDDLE_ADD},
	[GP_XCHG] = {LABEL_RMW, HEDDLE_XCHG},
	[GP_CAS] = {LABEL_CAS, 0},
	[GP_WEAK_CAS] = {LABEL_CAS, 0},
	[GP_FENCE] = {LABEL_FENCE, 0},
	[GP_PLAIN_LOAD] = {LABEL_PLAIN_READ, 0},
	[GP_PLAIN_STORE] = {LABEL_PLAIN_WRITE, 0},
	[GP_LOCK] = {LABEL_SYNC, OBJECT_LOCK},
	[GP_TRYLOCK] = {LABEL_SYNC, OBJECT_TRYLOCK},
	[GP_UNLOCK] = {LABEL_SYNC, OBJECT_UNLOCK},
	[GP_CHOOSE] = {LABEL_CHOOSE, 0},
	[GP_ASSUME] = {LABEL_BLOCK, 0},
	[GP_AWAIT] = {LABEL_READ, 0},
	[GP_AWAIT_ANY] = {LABEL_READ, 0},
	[GP_SPAWN] = {LABEL_CREATE, 0},
	[GP_JOIN] = {LABEL_JOIN, 0},
	[GP_BARRIER] = {LABEL_ARRIVE, 0},
	[GP_ASSERT] = {LABEL_FAIL, 0},
	[GP_AWAIT_XCHG] = {LABEL_RMW, HEDDLE_XCHG},
	[GP_AWAIT_CAS] = {LABEL_CAS, 0},
	[GP_RDLOCK] = {LABEL_SYNC, OBJECT_RDLOCK},
	[GP_WRLOCK] = {LABEL_SYNC, OBJECT_WRLOCK},
	[GP_RWUNLOCK] = {LABEL_SYNC, OBJECT_RWUNLOCK},
	[GP_SEM_WAIT] = {LABEL_SYNC, OBJECT_SEM_WAIT},
	[GP_SEM_POST] = {LABEL_SYNC, OBJECT_SEM_POST},
	[GP_TRYRDLOCK] = {LABEL_SYNC, OBJECT_TRYRDLOCK},
	[GP_TRYWRLOCK] = {LABEL_SYNC, OBJECT_TRYWRLOCK},
	[GP_TRYWAIT] = {LABEL_SYNC, OBJECT_SEM_TRYWAIT},
	[GP_SEM_VALUE] = {LABEL_SYNC, OBJECT_SEM_VALUE},
	[GP_ONCE] = {LABEL_SYNC, OBJECT_ONCE_ENTER},
	[GP_ONCE_DONE] = {LABEL_SYNC, OBJECT_ONCE_DONE},
	[GP_DIE] = {LABEL_SYNC, OBJECT_UNLOCK},
};

/* The kind of object at a place; operations of others have none there. */
static enum gp_object object_at(int place)
{
	for (int t = 0; t < p->nthreads; t++)
		for (int i = 0; i < p->nops[t]; i++)
			if (p->op[t][i].place == place && gp_object_of(p->op[t][i].kind))
				return gp_object_of(p->op[t][i].kind);
	return GP_NO_OBJECT;
}

/* --- where a thread stands -------------------------------------------------------------------- */

struct place_in {
	int pc, sub;
	bool spins, refused;
	uint8_t reg[GP_OPS];
};

/* Advance to an operation with an event, or to an assumption that fails. */
static void settle(int t, struct place_in *s)
{
	while (s->pc < p->nops[t]) {
		const struct gp_op *o = &p->op[t][s->pc];

		bool passes = (o->kind == GP_ASSUME && s->reg[o->source] == o->value) ||
			      (o->kind == GP_ASSERT && s->reg[o->source] != o->value);

		if (!gp_skipped(o, s->reg) && !passes)
			return;
		s->pc++;
	}
}

/* The value that the thread learns from a read, by the label's type. */
static uint8_t learned(const struct gp_op *o, int thread, const struct gevent *e, u64 value)
{
	struct object_step s;

	if (e->type != LABEL_SYNC)
		return gp_digest(o, value);
	s = object_step((enum object_op)kinds[o->kind].op, 0, (u32)thread, e->value);
	if (s.result >= OBJECT_OWNER_DEAD && gp_object_of(o->kind) == GP_MUTEX)
		return s.result == OBJECT_OWNER_DEAD ? GP_OWNER_DIED : GP_NOT_RECOVERABLE;
	return o->kind == GP_SEM_VALUE ? (uint8_t)s.result : s.writes;
}

enum { IN_TIME = 1, LATE }; /* sub, of a timed attempt */

/* The thread has passed this event, the read of an RMW or an operation of one event. */
static void pass(const struct graph *g, int t, struct place_in *s, u32 id)
{
	const struct gevent *e = &g->event[id];
	const struct gp_op *o = &p->op[t][s->pc];
	u64 value = e->flags & E_PIECE ? graph_access_value(g, id, range(g, o)) : e->value;
	bool got;

	if (o->timed && !s->sub) {
		s->sub = e->value ? LATE : IN_TIME;
		return;
	}
	if (e->flags & E_READ || e->type == LABEL_CHOOSE)
		s->reg[s->pc] = learned(o, t + 1, e, value);
	got = s->reg[s->pc] == gp_operand(o, s->reg);
	if (o->pieces > 1)
		got = value == gp_repeat(o, gp_operand(o, s->reg));
	if (o->kind == GP_AWAIT_CAS || o->kind == GP_AWAIT_XCHG)
		got = value == gp_repeat(o, o->expected);
	if (o->timed && s->sub == LATE && s->reg[s->pc]) {
		s->refused = true; /* the same as in time */
	} else if ((o->kind == GP_AWAIT_ANY && !s->sub && !got) || e->type == LABEL_ARRIVE) {
		s->sub = 1;
	} else if ((o->kind == GP_AWAIT || o->kind == GP_AWAIT_ANY || o->kind == GP_AWAIT_CAS ||
			   o->kind == GP_AWAIT_XCHG) &&
		   !got) {
		s->spins = true;
	} else {
		s->sub = 0;
		s->pc++;
	}
	settle(t, s);
}

/* Is the event an operation's, and not the write of its RMW or a mark? */
static bool counts(const struct gevent *e)
{
	return e->type != LABEL_START && e->type != LABEL_END && !(e->flags & E_WAIT) &&
	       !(e->flags & E_EXCL && e->flags & E_WRITE);
}

static struct place_in stands(const struct graph *g, int t)
{
	struct place_in s = {.pc = 0};

	settle(t, &s);
	for (u32 e = g->thread[t + 1].first; e; e = g->event[e].po_next)
		if (counts(&g->event[e]) && graph_first(g, e) == e)
			pass(g, t, &s, e);
	return s;
}

/* --- labels ----------------------------------------------------------------------------------- */

/* Stands for a thread's function and argument: the first thread with the same operations, or
 * nothing. */
static u64 function_of(u32 t)
{
	for (u32 u = 0; behaviours && u < t; u++)
		if (twins_are(p, (int)u, (int)t))
			return u;
	return behaviours ? t : 0;
}

static void label_main(const struct graph *g, struct label *l)
{
	u32 n = g->thread[0].n, threads = 0, all, mine[2 * GP_THREADS];

	for (int t = 0; t < p->nthreads; t++)
		if (!gp_is_spawned(p, t))
			mine[threads++] = (u32)t + 1;
	all = threads;
	for (int t = 0; t < p->nthreads; t++)
		if (!gp_is_spawned(p, t) && !(p->detached >> t & 1))
			mine[all++] = (u32)t + 1;
	if (n == 0) {
		l->type = LABEL_START;
	} else if (n <= all) {
		l->type = n <= threads ? LABEL_CREATE : LABEL_JOIN;
		l->other = (u16)mine[n - 1];
		if (l->type == LABEL_CREATE)
			l->value = function_of(mine[n - 1] - 1u);
	} else {
		l->type = LABEL_END;
	}
}

/* Of memory, and of mutexes. */
static void label_access(
	const struct graph *g, const struct gp_op *o, const struct place_in *s, struct label *l)
{
	l->order = o->order;
	if (l->type == LABEL_CAS) {
		l->fail = o->fail;
		l->expected = gp_repeat(o, o->expected);
		l->flags = o->kind == GP_WEAK_CAS ? LABEL_WEAK : 0;
	}
	if (l->type != LABEL_READ && l->type != LABEL_SYNC)
		l->value =
			p->mixed ? gp_repeat(o, gp_operand(o, s->reg)) : (u64)gp_operand(o, s->reg);
	if (o->kind == GP_UNLOCK || o->kind == GP_DIE)
		l->value = o->kind == GP_DIE ? OBJECT_DEAD : o->value ? OBJECT_GONE : 0;
	l->loc = s->sub && !o->timed ? place(g, gp_other(p, o->place)) : range(g, o);
	l->size = gp_is_mutex(o->place) ? 0 : (u8)(p->mixed ? gp_pieces(o) : 4);
	l->flags |= o->pieces > 1 ? LABEL_PIECES : 0;
}

static void label_op(
	const struct graph *g, const struct gp_op *o, const struct place_in *s, struct label *l)
{
	l->type = kinds[o->kind].type;
	l->op = kinds[o->kind].op;
	switch (l->type) {
	case LABEL_BLOCK:
	case LABEL_FAIL: break;
	case LABEL_CREATE:
	case LABEL_JOIN: l->other = (u16)(o->value + 1); break;
	case LABEL_ARRIVE:
		l->type = s->sub ? LABEL_LEAVE : LABEL_ARRIVE;
		l->value = (u64)p->nthreads;
		l->loc = place(g, o->place);
		break;
	case LABEL_CHOOSE:
		l->order = o->order;
		l->value = o->value;
		break;
	case LABEL_FENCE: l->order = o->order; break;
	default: label_access(g, o, s, l);
	}
}

/* It waits, or comes too late: then it must not be possible. */
static void label_timed(const struct gp_op *o, const struct place_in *s, struct label *l)
{
	static const u8 waits[] = {[GP_TRYLOCK] = OBJECT_LOCK,
		[GP_TRYRDLOCK] = OBJECT_RDLOCK,
		[GP_TRYWRLOCK] = OBJECT_WRLOCK,
		[GP_TRYWAIT] = OBJECT_SEM_WAIT};

	if (!s->sub) {
		*l = (struct label){.type = LABEL_CHOOSE, .value = 2};
	} else if (s->sub == IN_TIME) {
		l->op = waits[o->kind];
		l->flags |= LABEL_TIMED;
	}
}

static enum answer next(struct program *unused, struct graph *g, u32 t, struct label *out)
{
	struct place_in s;

	*out = (struct label){.type = LABEL_END};
	if (t == 0) {
		label_main(g, out);
		return ANSWER_LABEL;
	}
	s = stands(g, (int)t - 1);
	if (!g->thread[t].first) {
		out->type = LABEL_START;
	} else if (s.refused) {
		out->type = LABEL_BLOCK;
	} else if (s.spins) {
		out->type = LABEL_SPIN;
		out->value = p->op[t - 1][s.pc].kind == GP_AWAIT_ANY ? 2 : 1;
	} else if (s.pc < p->nops[t - 1]) {
		label_op(g, &p->op[t - 1][s.pc], &s, out);
		if (p->op[t - 1][s.pc].timed)
			label_timed(&p->op[t - 1][s.pc], &s, out);
	}
	return ANSWER_LABEL;
}

/* --- executions ------------------------------------------------------------------------------- */

static bool by_rf; /* executions that differ in co only are one */
static uint8_t slots[GRAPH_EVENTS + 1]; /* of events */
static int waiting[GP_THREADS]; /* slots of operations that are not at their ends; 0 = none */

static void describe_thread(const struct graph *g, int t, struct execution *x)
{
	struct place_in s = {.pc = 0};

	settle(t, &s);
	for (u32 e = g->thread[t + 1].first; e; e = g->event[e].po_next) {
		const struct gevent *ev = &g->event[e];

		if (ev->flags & E_EXCL && ev->flags & E_WRITE)
			slots[e] = slots[ev->po_prev];
		if (!counts(ev))
			continue;
		if (graph_first(g, e) != e) {
			slots[e] = slots[ev->po_prev];
			continue;
		}
		slots[e] = (uint8_t)gp_slot(t, s.pc);
		x->rare[gp_slot(t, s.pc) - 1] = !!(ev->flags & E_RARE);
		pass(g, t, &s, e);
	}
	memcpy(x->reg + gp_slot(t, 0) - 1, s.reg, sizeof s.reg);
	if (s.pc < p->nops[t])
		waiting[t] = gp_slot(t, s.pc);
}

static bool is_timed(int slot)
{
	return p->op[(slot - 1) / GP_OPS][(slot - 1) % GP_OPS].timed;
}

/* In the form of locks.h: there a holder has our number, here the graph's. */
static uint8_t object_value(int place, u64 value)
{
	switch (object_at(place)) {
	case GP_MUTEX:
		return (uint8_t)(value == OBJECT_DEAD	? OWNER_DIED
				 : value == OBJECT_GONE ? GONE
				 : value		? value - 1
							: 0);
	case GP_RWLOCK:
		return (uint8_t)((value & 0xffff ? (value & 0xffff) - 1 : 0) +
				 READER * (value >> 16 & 0xffff));
	default: return (uint8_t)value;
	}
}

static void describe_sources(const struct graph *g, int t, struct execution *x)
{
	for (u32 e = g->thread[t + 1].first; e; e = g->event[e].po_next) {
		const struct gevent *ev = &g->event[e];
		uint8_t *rf;

		if (!counts(ev))
			continue;
		rf = x->rf[slots[e] - 1];
		if (ev->flags & E_READ)
			rf[ev->flags & E_PIECE ? ev->index - g->event[graph_first(g, e)].index
					       : rf[0] != SLOT_NONE] =
				ev->rf ? slots[ev->rf] : SLOT_INIT;
		if (ev->type == LABEL_CHOOSE && !is_timed(slots[e]))
			rf[0] = (uint8_t)ev->value;
	}
}

static void describe(const struct graph *g, struct execution *x)
{
	execution_clear(x);
	memset(waiting, 0, sizeof waiting);
	for (int t = 0; t < p->nthreads; t++)
		describe_thread(g, t, x);
	for (int t = 0; t < p->nthreads; t++)
		describe_sources(g, t, x);
	for (int t = 0; t < p->nthreads; t++)
		if (waiting[t])
			execution_waits(x, waiting[t]);
	for (int l = 0; l < GP_PLACES; l++) {
		u32 at = place(g, l), n = 0, w = at < g->nplaces ? g->place[at].co_first : 0;

		x->memory[l] = p->initial[l];
		for (; w && n < CO_MAX; w = g->event[w].co_next) {
			x->co[l][n++] = slots[w];
			x->memory[l] = gp_is_mutex(l) ? object_value(l, g->event[w].value)
						      : (uint8_t)g->event[w].value;
		}
	}
}

/* A thread whose wait has a time limit continues. */
static bool some_time_ends(const struct graph *g)
{
	for (int t = 0; t < p->nthreads; t++) {
		struct place_in s = stands(g, t);

		if (s.pc < p->nops[t] && p->op[t][s.pc].timed && s.sub == IN_TIME)
			return true;
	}
	return false;
}

static bool leaf(struct program *program, const struct graph *g, enum leaf how, u32 t, u32 other)
{
	struct execution x;

	if (++result->leaves > most) {
		result->wrong = "it does not come to an end";
		return false;
	}
	if (how == LEAF_STUCK && some_time_ends(g))
		return true;
	switch (how) {
	case LEAF_COMPLETE:
	case LEAF_STUCK:
		describe(g, &x);
		if (how == LEAF_COMPLETE && result->look)
			result->look(g, &x);
		if (how == LEAF_STUCK && result->look_stuck)
			result->look_stuck(g, &x);
		if (how == LEAF_COMPLETE && result->look_sc) {
			trust_prefer_sc(program->context);
			describe(g, &x);
			result->look_sc(g, &x);
		}
		if (!executions_add(how == LEAF_STUCK ? &result->stuck : &result->complete, &x,
			    by_rf ? PART_RF : PART_ALL) &&
			how == LEAF_COMPLETE) {
			result->duplicates++;
			result->again = x;
		}
		return true;
	case LEAF_RACE: result->race = true; return false;
	case LEAF_FAIL:
		result->failure = true;
		return false;
	default: return true;
	}
}

/* --- running ---------------------------------------------------------------------------------- */

static sigjmp_buf out;
static char bug[300];

_Noreturn void stop_bug(const char *file, int line, const char *what)
{
	snprintf(bug, sizeof bug, "%s:%d: %s", file, line, what);
	siglongjmp(out, 1);
}

static void crashed(int signal)
{
	snprintf(bug, sizeof bug, signal == SIGVTALRM ? "it does not come back (2 s)" : "signal %d",
		signal);
	siglongjmp(out, 1);
}

static void limit_time(int seconds)
{
	struct itimerval t = {.it_value.tv_sec = seconds};

	setitimer(ITIMER_VIRTUAL, &t, NULL);
}

struct trust *interpret_trust(enum model_id model, struct program *program)
{
	static struct trust trust;
	static void *memory;

	if (!memory) {
		memory = mmap(NULL, TRUST_MEMORY, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (memory == MAP_FAILED)
			exit(2);
		signal(SIGSEGV, crashed);
		signal(SIGVTALRM, crashed);
	}
	memset(memory, 0, sizeof(struct places)); /* the rest may be as a restart finds it */
	trust_init(&trust, memory, TRUST_MEMORY, model, program);
	return &trust;
}

const char *interpret_guarded(void (*run)(void))
{
	const char *volatile what = NULL;

	limit_time(2);
	if (sigsetjmp(out, 1))
		what = bug;
	else
		run();
	limit_time(0);
	return what;
}

static struct trust *explored;
static struct rf smc;

static void run_smc(void)
{
	rf_run(&smc);
}

static void run_trust(void)
{
	trust_run(explored);
}

static struct manner sampled;

static void run_walks(void)
{
	struct prng prng;
	struct pctwm guide;

	prng_seed(&prng, sampled.depth * 100 + sampled.history);
	pctwm_init(&guide, sampled.depth, sampled.history);
	for (unsigned i = 0; i < sampled.walks; i++)
		if (!walk(explored, &prng, sampled.depth ? &guide : NULL))
			return;
}

void interpret(const struct gprogram *program, enum gp_model m, struct manner how,
	unsigned long limit, struct exploration *x)
{
	static struct program asked = {.next = next, .leaf = leaf};
	struct cat_model *file = files_model(gp_model_names[m], false, false);
	struct trust *trust = explored =
		interpret_trust(file ? MODEL_CAT : portable_model(m), &asked);

	asked.context = trust;
	trust->places->cat = file;
	trust->races &= !file;
	p = program;
	behaviours = !how.alike;
	result = x;
	most = limit;
	executions_clear(&x->complete);
	executions_clear(&x->stuck);
	x->leaves = x->duplicates = 0;
	x->race = x->failure = false;
	x->wrong = NULL;
	trust->no_cache = how.no_cache;
	trust->rf = how.rf;
	trust->symmetric = how.symmetric;
	by_rf = how.rf || how.smc;
	trust->order = how.order;
	trust->weak_cas = p->weak_cas == GP_ANY ? TRUST_ANY : (u64)p->weak_cas;
	if (how.smc) {
		rf_init(&smc, trust);
		smc.check = how.order;
	}
	trust->own_awaits.different = 0;
	sampled = how;
	x->wrong = interpret_guarded(how.walks ? run_walks : how.smc ? run_smc : run_trust);
	x->different = trust->own_awaits.different;
	if (!x->wrong && !how.walks && !trust->over && !x->race && !x->failure)
		x->wrong = "it ends before it is over";
}
