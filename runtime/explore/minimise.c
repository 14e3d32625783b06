/* SPDX-License-Identifier: ISC */
/* minimise.c - see minimise.h: the candidates. */
#include "explore/minimise.h"

#define ORDERED 5 /* up to so many threads, every order is tried */

/* --- one candidate --------------------------------------------------------------------------- */

/* Try m->work, and keep it if it is better. */
static bool attempt_work(struct minimise *m)
{
	struct schedule_cost cost;
	struct schedule swap;
	enum tried t;

	if (m->over || m->steps >= m->max_steps) {
		m->over = true;
		return false;
	}
	t = m->try(m, &m->work, &m->got, &cost);
	m->tries++;
	m->over |= t == TRIED_STOP;
	if (t != TRIED_SAME || !schedule_cheaper(&cost, &m->cost))
		return false;
	swap = m->best;
	m->best = m->got;
	m->got = swap;
	m->cost = cost;
	m->better = true;
	if (m->keep)
		m->keep(m);
	return true;
}

static void drop_item(struct schedule *s, u32 i)
{
	s->n--;
	__builtin_memmove(&s->item[i], &s->item[i + 1], (s->n - i) * sizeof *s->item);
}

/* --- answers --------------------------------------------------------------------------------- */

static bool may_go(const struct schedule_answer *a)
{
	return a->kind == ANSWER_STALE || (a->kind == ANSWER_RARE && a->taken);
}

/* A thread takes its answers in order, so a rare event's answer is not removed, but becomes
 * "no". */
static void drop_answer(struct schedule *s, u32 i)
{
	if (s->answer[i].kind == ANSWER_RARE && !s->answer[i].step) {
		s->answer[i].taken = 0;
		return;
	}
	s->nanswers--;
	__builtin_memmove(&s->answer[i], &s->answer[i + 1], (s->nanswers - i) * sizeof *s->answer);
}

static u32 count_droppable(const struct schedule *s)
{
	u32 n = 0;

	for (u32 i = 0; i < s->nanswers; i++)
		n += may_go(&s->answer[i]);
	return n;
}

/* Without the droppable answers number from..to. */
static bool without_answers(struct minimise *m, u32 from, u32 to)
{
	u32 k = count_droppable(&m->best);

	schedule_copy(&m->work, &m->best);
	for (u32 i = m->best.nanswers; i-- > 0;) {
		if (!may_go(&m->best.answer[i]))
			continue;
		k--;
		if (k >= from && k < to)
			drop_answer(&m->work, i);
	}
	return attempt_work(m);
}

static void drop_answers(struct minimise *m)
{
	for (u32 size = count_droppable(&m->best); size && !m->over; size /= 2)
		for (u32 i = 0; i < count_droppable(&m->best) && !m->over;)
			if (!without_answers(m, i, i + size))
				i += size;
}

/* --- delays ---------------------------------------------------------------------------------- */

enum { KEEP_NONE, KEEP_THREAD, KEEP_ONE, KEEP_OTHERS };

/* m->work with the commits of best that are kept; of, which: the thread, or the number of the
 * commit. */
static void select_commits(struct minimise *m, u32 what, u32 which)
{
	struct schedule *s = &m->work;
	u32 n = 0, k = 0;

	for (u32 i = 0; i < s->n; i++) {
		bool keep = true;

		if (s->item[i].commits) {
			keep = (what == KEEP_THREAD && s->item[i].slot == which) ||
			       (what == KEEP_ONE && k == which) ||
			       (what == KEEP_OTHERS && k != which);
			k++;
		}
		if (keep)
			s->item[n++] = s->item[i];
	}
	s->n = n;
}

static u32 commits(const struct schedule *s)
{
	u32 n = 0;

	for (u32 i = 0; i < s->n; i++)
		n += s->item[i].commits;
	return n;
}

static bool try_commits(struct minimise *m, u32 what, u32 which)
{
	schedule_copy(&m->work, &m->best);
	select_commits(m, what, which);
	return attempt_work(m);
}

static u32 threads_of(const struct schedule *s)
{
	u32 n = 0;

	for (u32 i = 0; i < s->n; i++)
		n = s->item[i].slot >= n ? s->item[i].slot + 1u : n;
	return n;
}

static void drop_delays(struct minimise *m)
{
	if (!commits(&m->best) || try_commits(m, KEEP_NONE, 0))
		return;
	for (u32 t = 0; t < threads_of(&m->best) && !m->over; t++)
		try_commits(m, KEEP_THREAD, t);
	for (u32 i = 0; i < commits(&m->best) && commits(&m->best) > 1 && !m->over; i++)
		if (try_commits(m, KEEP_ONE, i))
			return;
	for (u32 i = 0; i < commits(&m->best) && !m->over;)
		if (!try_commits(m, KEEP_OTHERS, i))
			i++;
}

/* --- threads one after the other ------------------------------------------------------------- */

/* The threads of the schedule, in the order of their first steps. Returns their number. */
static u32 first_order(const struct schedule *s, u16 *slot, u32 max)
{
	u32 n = 0;

	for (u32 i = 0; i < s->n; i++) {
		u32 k = 0;

		while (k < n && slot[k] != s->item[i].slot)
			k++;
		if (k == n && n < max)
			slot[n++] = s->item[i].slot;
	}
	return n;
}

/* The last item of the thread; NULL: it has none. */
static const struct schedule_item *final_item(const struct schedule *s, u32 slot)
{
	for (u32 i = s->n; i-- > 0;)
		if (!s->item[i].commits && s->item[i].slot == slot)
			return &s->item[i];
	return NULL;
}

/* m->work: all steps of each thread in best, thread by thread in this order; then the commits. */
static void serial(struct minimise *m, const u16 *slot, u32 n)
{
	struct schedule *to = &m->work, *from = &m->best;

	schedule_copy(to, from);
	to->n = 0;
	for (u32 k = 0; k < n; k++) {
		const struct schedule_item *item = final_item(from, slot[k]);

		if (item)
			to->item[to->n++] = *item;
	}
	for (u32 i = 0; i < from->n; i++)
		if (from->item[i].commits)
			to->item[to->n++] = from->item[i];
}

/* The order with no commit, with each alone, with all. */
static void try_order(struct minimise *m, const u16 *slot, u32 n)
{
	u32 all = commits(&m->best);

	serial(m, slot, n);
	select_commits(m, KEEP_NONE, 0);
	attempt_work(m);
	for (u32 i = 0; i < all && i < 64 && commits(&m->best) == all; i++) {
		serial(m, slot, n);
		select_commits(m, KEEP_ONE, i);
		attempt_work(m);
	}
	serial(m, slot, n);
	attempt_work(m);
}

/* The next permutation in lexicographic order; false: that was the last. */
static bool permute(u16 *p, u32 n)
{
	u32 i = n - 1, j = n - 1;
	u16 swap;

	while (i && p[i - 1] >= p[i])
		i--;
	if (!i)
		return false;
	while (p[j] <= p[i - 1])
		j--;
	swap = p[i - 1], p[i - 1] = p[j], p[j] = swap;
	for (j = n - 1; i < j; i++, j--)
		swap = p[i], p[i] = p[j], p[j] = swap;
	return true;
}

static void try_agent_orders(struct minimise *m)
{
	u16 slot[SCHEDULE_THREADS], order[SCHEDULE_THREADS] = {0}, p[ORDERED] = {0, 1, 2, 3, 4};
	u32 n = first_order(&m->best, slot, SCHEDULE_THREADS);

	if (n <= ORDERED) {
		do {
			for (u32 i = 0; i < n; i++)
				order[i] = slot[p[i]];
			try_order(m, order, n);
		} while (n && permute(p, n) && !m->over);
		return;
	}
	for (u32 first = 0; first < n && !m->over; first++) {
		order[0] = slot[first];
		for (u32 i = 0, k = 1; i < n; i++)
			if (i != first)
				order[k++] = slot[i];
		try_order(m, order, n);
	}
}

/* --- two threads, each interrupted once ------------------------------------------------------ */

static void append_segment(struct schedule *s, u32 slot, u32 upto, u32 again)
{
	s->item[s->n++] = (struct schedule_item){.slot = (u16)slot, .upto = upto, .again = again};
}

/* A thread with a delayed store, and another one. */
struct minimise_pair {
	struct schedule_item commit;
	const struct schedule_item *a, *b; /* where they end */
	const u16 *slot; /* all threads */
	u32 n;
};

/* The first runs up to `ka`, the second up to `kb`, then the store of the first reaches memory;
 * then both continue, optionally the second first. */
static bool try_points(
	struct minimise *m, const struct minimise_pair *p, u32 ka, u32 kb, bool second)
{
	const struct schedule_item *first = second ? p->b : p->a, *other = second ? p->a : p->b;
	struct schedule *s = &m->work;

	schedule_copy(s, &m->base);
	s->n = 0;
	for (u32 i = 0; i < p->n; i++) {
		const struct schedule_item *f = final_item(&m->base, p->slot[i]);

		if (p->slot[i] != p->a->slot && p->slot[i] != p->b->slot)
			append_segment(s, f->slot, f->upto, f->again);
	}
	append_segment(s, p->a->slot, ka, 0);
	append_segment(s, p->b->slot, kb, 0);
	s->item[s->n++] = p->commit;
	append_segment(s, first->slot, first->upto, first->again);
	append_segment(s, other->slot, other->upto, other->again);
	return attempt_work(m);
}

#define POINTS 200 /* candidates a pair, at most twice as many */

static void try_pair(struct minimise *m, const struct minimise_pair *p)
{
	u32 na = p->a->upto - p->commit.upto, nb = p->b->upto, stride = 1;

	while ((na / stride + 1) * (nb / stride + 1) > POINTS)
		stride++;
	for (u32 ka = p->commit.upto + 1; ka <= p->a->upto; ka += stride)
		for (u32 kb = 1; kb <= nb; kb += stride) {
			if (m->over)
				return;
			try_points(m, p, ka, kb, false);
			try_points(m, p, ka, kb, true);
		}
}

/*
 * Often an execution is weak only because a thread continues with a store in its buffer until
 * another thread has passed. Interrupting both would avoid that, but takes two changes at once.
 */
static void interrupt_pairs(struct minimise *m)
{
	struct schedule *base = &m->base;
	u16 slot[SCHEDULE_THREADS];
	struct minimise_pair p = {.slot = slot};

	schedule_copy(base, &m->best);
	p.n = first_order(base, slot, SCHEDULE_THREADS);
	if (p.n > ORDERED)
		return;
	for (u32 i = 0; i < base->n && !m->over; i++) {
		if (!base->item[i].commits)
			continue;
		p.commit = base->item[i];
		p.a = final_item(base, p.commit.slot);
		for (u32 k = 0; k < p.n; k++) {
			p.b = final_item(base, slot[k]);
			if (p.a && p.b && p.a != p.b && slot[k])
				try_pair(m, &p);
		}
	}
}

/* --- pieces of the schedule ------------------------------------------------------------------ */

/* Delay the steps of items from..to until their threads' next items, or drop them. */
static bool put_off(struct minimise *m, u32 from, u32 to)
{
	struct schedule *s = &m->work;

	schedule_copy(s, &m->best);
	to = to < s->n ? to : s->n;
	for (u32 i = to; i-- > from;)
		if (!s->item[i].commits)
			drop_item(s, i);
	return s->n < m->best.n && attempt_work(m);
}

/* Merge item i into the previous one of the same thread. */
static bool do_earlier(struct minimise *m, u32 i)
{
	struct schedule *s = &m->work;
	u32 k = i; /* the next one */

	schedule_copy(s, &m->best);
	if (s->item[i].commits)
		return false;
	while (k && (s->item[k - 1].commits || s->item[k - 1].slot != s->item[i].slot))
		k--;
	if (!k || k == i)
		return false; /* there is none, or it is adjacent */
	s->item[k - 1] = s->item[i];
	drop_item(s, i);
	return attempt_work(m);
}

/* Two adjacent items change places. */
static bool swap_items(struct minimise *m, u32 i)
{
	struct schedule *s = &m->work;
	struct schedule_item swap;

	if (i + 1 >= m->best.n || m->best.item[i].slot == m->best.item[i + 1].slot)
		return false;
	schedule_copy(s, &m->best);
	swap = s->item[i];
	s->item[i] = s->item[i + 1];
	s->item[i + 1] = swap;
	return attempt_work(m);
}

/* A commit that no thread waits for is made at the very end. */
static bool commit_last(struct minimise *m, u32 i)
{
	struct schedule *s = &m->work;
	struct schedule_item item = m->best.item[i];

	if (!item.commits || i + 1 == m->best.n)
		return false;
	schedule_copy(s, &m->best);
	drop_item(s, i);
	s->item[s->n++] = item;
	return attempt_work(m);
}

static void insert_item(struct schedule *s, u32 i, struct schedule_item item)
{
	__builtin_memmove(&s->item[i + 1], &s->item[i], (s->n - i) * sizeof *s->item);
	s->item[i] = item;
	s->n++;
}

/* Commit number i is made as soon as its thread has made `steps` events. */
static bool commit_after(struct minimise *m, u32 i, u32 steps)
{
	struct schedule *s = &m->work;
	struct schedule_item item = m->best.item[i];
	u32 k = 0;

	if (m->best.n + 1 >= SCHEDULE_ITEMS)
		return false;
	schedule_copy(s, &m->best);
	drop_item(s, i);
	while (k < s->n && (s->item[k].commits || s->item[k].slot != item.slot ||
				   s->item[k].upto <= steps))
		k++;
	if (k >= i)
		return false; /* it is there already */
	insert_item(s, k, item);
	item.commits = false;
	item.upto = steps;
	item.again = 0;
	insert_item(s, k, item);
	return attempt_work(m);
}

/* Make a commit earlier: soon after its store, or before the item before it. */
static bool commit_earlier(struct minimise *m, u32 i)
{
	struct schedule *s = &m->work;
	struct schedule_item item = m->best.item[i];

	if (!item.commits)
		return false;
	for (u32 ahead = 1; item.upto + ahead < SCHEDULE_STEPS && ahead < 4096; ahead *= 2)
		if (commit_after(m, i, item.upto + ahead))
			return true;
	for (u32 back = 1; back <= i && back <= 16; back *= 2) {
		schedule_copy(s, &m->best);
		drop_item(s, i);
		insert_item(s, i - back, item);
		if (attempt_work(m))
			return true;
	}
	return false;
}

/* Halve the thread's last item. */
static bool shorten(struct minimise *m, u32 i)
{
	struct schedule *s = &m->work;
	u32 before = 0;

	if (m->best.item[i].commits)
		return false;
	for (u32 k = 0; k < m->best.n; k++) {
		const struct schedule_item *item = &m->best.item[k];

		if (item->commits || item->slot != m->best.item[i].slot)
			continue;
		if (k > i)
			return false;
		before = k < i ? item->upto : before;
	}
	schedule_copy(s, &m->best);
	s->item[i].upto = before + (s->item[i].upto - before) / 2;
	s->item[i].again = 0;
	return attempt_work(m);
}

static void drop_pieces(struct minimise *m)
{
	for (u32 size = m->best.n / 2; size && !m->over; size /= 2)
		for (u32 i = m->best.n; i > 0 && !m->over; i = i > size ? i - size : 0)
			put_off(m, i > size ? i - size : 0, i);
}

static void each_item(struct minimise *m, bool (*change)(struct minimise *m, u32 i))
{
	for (u32 i = m->best.n; i-- > 0 && !m->over;) {
		change(m, i);
		i = i < m->best.n ? i : m->best.n;
	}
}

void minimise_run(struct minimise *m)
{
	m->tries = 0;
	m->steps = 0;
	m->over = false;
	try_agent_orders(m);
	drop_delays(m);
	if (m->cost.relaxed > 1)
		interrupt_pairs(m);
	do {
		m->better = false;
		drop_answers(m);
		drop_delays(m);
		drop_pieces(m);
		each_item(m, do_earlier);
		each_item(m, commit_earlier);
		each_item(m, commit_last);
		each_item(m, swap_items);
		each_item(m, shorten);
		if (m->better)
			try_agent_orders(m);
	} while (m->better && !m->over);
}
