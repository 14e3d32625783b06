/* SPDX-License-Identifier: ISC */
/* known.c - see known.h. */
#include "prove/known.h"
#include "base/prng.h"
#include "base/table.h"
#include "buffers/lockset.h"
#include "buffers/trace_note.h"
#include "history/history.h"
#include "machine/core.h"
#include "machine/wait/vtime.h"
#include "process/pages.h"
#include "process/stack.h"
#include "prove/hidden.h"
#include "prove/state.h"

#define STATES TINY(1u << 10, 1u << 20)
#define PLACES 4	  /* of a state */
#define PATH   (1u << 16) /* choices of an execution; behind them nothing is known */

static struct known_state {
	u64 a, b;
	u32 left;
	u32 at; /* the choice before which it was seen */
} *table; /* [STATES] */

static u64 *path; /* [PATH], by choice: the hash of the state before it; 0: not seen */
static u32 npath;
static u64 search; /* its number, so that the table need not be cleared */

static struct {
	struct state_sum sum;
	u64 races;
	bool compares;
} look;

static void compare_state(void)
{
	look.compares = !history_wanted() && !state_limit() && lockset_key(&look.races);
	if (look.compares)
		look.sum = state_sum();
}

static struct known_state *find_state(u64 a, u64 b)
{
	u32 start = table_start(a, STATES);

	for (u32 i = 0; i < PLACES; i++) {
		struct known_state *k = &table[(start + i) % STATES];

		if (k->a == a && k->b == b)
			return k;
	}
	return NULL;
}

/* States do not suffice any more. */
static bool is_unknowable(void)
{
	trace_states_suffice = false;
	return false;
}

/* Is it a state of the present execution? */
static bool is_on_path(const struct known_state *k, u32 choices)
{
	return k->at < choices && path[k->at] == k->a;
}

static bool is_state_known(u64 rest, u32 left)
{
	u32 choices = M.explore.nlog;
	struct known_state *k;
	u64 a, b;

	if (choices >= PATH || (vtime_looks && !state_has_time))
		return is_unknowable();
	state_look(compare_state);
	if (!look.compares)
		return is_unknowable();
	a = prng_mix(look.sum.a + prng_mix(rest + search) + look.races);
	b = prng_mix(look.sum.b ^ prng_mix(rest ^ ~search) ^ prng_mix(look.races));
	k = find_state(a, b);
	if (k && is_on_path(k, choices))
		return false;
	if (k && k->left >= left)
		return true;
	if (!k)
		k = &table[(table_start(a, STATES) + b % PLACES) % STATES];
	*k = (struct known_state){a, b, left, choices};
	path[choices] = a;
	npath = choices + 1;
	return false;
}

void known_states_clear(void)
{
	search++;
	for (u32 i = 0; i < npath; i++)
		path[i] = 0;
	npath = 0;
	if (trace_state_known)
		hidden_begin();
}

void known_states_use(bool on)
{
	trace_state_known = on ? is_state_known : NULL;
	trace_states_suffice = on && !M.max_preemptions;
	locksets_clear(on);
	if (!on)
		return;
	if (!table) {
		table = pages_need(STATES * sizeof *table);
		path = pages_need(PATH * sizeof *path);
	}
	stack_init();
	state_has_time = false;
	known_states_clear();
}

/* The states before the choices that are not given any more are no part of the next execution. */
void known_states_next(void)
{
	state_sum_begin();
	while (npath > M.explore.prefix)
		path[--npath] = 0;
}

bool known_states_adopt(void)
{
	bool news = lockset_is_news();

	if (vtime_looks && !state_has_time)
		news = state_has_time = true;
	return news;
}
