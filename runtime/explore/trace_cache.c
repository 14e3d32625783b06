/* SPDX-License-Identifier: ISC */
/* trace_cache.c - see trace_cache.h. */
#include "explore/trace_cache.h"
#include "base/table.h"

#define LOCATIONS    (1u << 14) /* of an execution */
#define GRANULE_BITS 3	  /* a location: so many bits of an address */
#define RANGE_MOST   4096 /* bytes; a larger access may conflict with any */
#define STATES	     (1u << 18)
#define PLACES	     4 /* of a state */

/* The last step. */
enum { STEP_READS = 1, STEP_WRITES, STEP_ANY, STEP_CREATES, STEP_CHOOSES };

struct hash {
	u64 a, b;
};

bool traces_noted;

static struct {
	u64 search, execution; /* numbers, so that tables need not be cleared */
	struct hash all, any; /* the sum over threads; the last step that conflicts with all */
	struct hash thread[TRACE_THREADS];
	u32 nlocations;
	struct cached_location {
		u64 execution, granule;
		struct hash write, reads; /* the last one; the sum of those since */
	} location[LOCATIONS];
} T;

static struct cached_state {
	u64 a, b;
	u64 left;
} states[STATES];

/* --- hashes ----------------------------------------------------------------------------------- */

static struct hash mix_hashes(struct hash x, struct hash y)
{
	return (struct hash){prng_mix(x.a + prng_mix(y.a)), prng_mix(x.b ^ prng_mix(~y.b))};
}

static struct hash mix_number(struct hash x, u64 y)
{
	return mix_hashes(x, (struct hash){y, y});
}

static void add(struct hash *sum, struct hash x)
{
	sum->a += x.a;
	sum->b += x.b;
}

static void set_thread(u32 slot, struct hash h)
{
	T.all.a += h.a - T.thread[slot].a;
	T.all.b += h.b - T.thread[slot].b;
	T.thread[slot] = h;
}

/* --- steps ------------------------------------------------------------------------------------ */

void trace_cache_clear(void)
{
	T.search++;
}

void trace_cache_begin(bool on)
{
	traces_noted = on;
	if (!on)
		return;
	T.execution++;
	T.nlocations = 0;
	T.all = T.any = (struct hash){0};
	for (u32 i = 0; i < TRACE_THREADS; i++)
		T.thread[i] = (struct hash){i, ~(u64)i};
}

void trace_give_up(void)
{
	traces_noted = false;
}

/* NULL: there are too many. */
static struct cached_location *find_location(u64 granule)
{
	struct cached_location *l;
	u32 i;

	TABLE_FIND(i, prng_mix(granule), LOCATIONS,
		T.location[i].execution != T.execution || T.location[i].granule == granule);
	l = &T.location[i];
	if (l->execution == T.execution)
		return l;
	if (++T.nlocations > LOCATIONS / 2)
		return NULL;
	*l = (struct cached_location){.execution = T.execution, .granule = granule};
	return l;
}

/* The hash of a step at a: of those before it that conflict with it. */
static struct hash hash_trace_step(u32 slot, const struct agent_access *a, u64 first, u64 last)
{
	struct hash h = mix_number(T.thread[slot], a->writes ? STEP_WRITES : STEP_READS);

	h = mix_hashes(h, T.any);
	for (u64 g = first; g <= last; g++) {
		const struct cached_location *l = find_location(g);

		if (!l) {
			trace_give_up();
			return h;
		}
		h = mix_hashes(mix_number(h, g), l->write);
		if (a->writes)
			h = mix_hashes(h, l->reads);
	}
	return h;
}

void trace_step(u32 slot, const struct agent_access *a)
{
	u64 first = a->addr >> GRANULE_BITS, last = (a->addr + a->size - 1) >> GRANULE_BITS;
	struct hash h;

	if (!a->size || a->size > RANGE_MOST) {
		if (a->size)
			trace_step_any(slot);
		return;
	}
	h = hash_trace_step(slot, a, first, last);
	set_thread(slot, h);
	for (u64 g = first; g <= last && traces_noted; g++) {
		struct cached_location *l = find_location(g);

		if (a->writes) {
			l->write = h;
			l->reads = (struct hash){0};
		} else {
			add(&l->reads, h);
		}
	}
}

void trace_step_any(u32 slot)
{
	struct hash h = mix_number(mix_hashes(T.thread[slot], T.all), STEP_ANY);

	set_thread(slot, h);
	T.any = h;
}

void trace_create(u32 slot, u32 child, u32 name)
{
	set_thread(child, mix_number(T.thread[slot], (u64)name << 32 | child));
	set_thread(slot, mix_number(T.thread[slot], STEP_CREATES));
}

void trace_choice(u32 slot, u32 value)
{
	set_thread(slot, mix_number(T.thread[slot], (u64)STEP_CHOOSES << 32 | value));
}

/* --- states ----------------------------------------------------------------------------------- */

bool trace_is_known(u64 rest, u32 left)
{
	struct hash h = mix_number(mix_number(T.all, rest), T.search);
	u32 start = table_start(h.a, STATES);
	struct cached_state *s;

	for (u32 i = 0; i < PLACES; i++) {
		s = &states[(start + i) % STATES];
		if (s->a != h.a || s->b != h.b)
			continue;
		if (s->left >= left)
			return true;
		s->left = left;
		return false;
	}
	states[(start + h.b % PLACES) % STATES] = (struct cached_state){h.a, h.b, left};
	return false;
}
