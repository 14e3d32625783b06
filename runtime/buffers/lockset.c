/* SPDX-License-Identifier: ISC */
/* lockset.c - see lockset.h. */
#include "buffers/lockset.h"
#include "base/prng.h"
#include "base/table.h"
#include "buffers/cell.h"
#include "buffers/happens.h"
#include "buffers/race.h"
#include "machine/wait/sync.h"

#define ENTRIES	  (1u << 16)
#define LOCKS	  3 /* of a granule, of a thread; more are ignored */
#define LIST_MOST 4096
#define KEY_MOST  (1u << 20) /* words times messages */

/* How it has been accessed, while there were several threads. */
enum { PLAIN = 1, WRITTEN = 2, ATOMIC = 4, SHARED = 8, UNGUARDED = 16 };

static struct lockset {
	u64 at; /* 0: free */
	u16 thread;
	u8 how, nlocks;
	const void *lock[LOCKS];
} table[ENTRIES];

struct granule_list {
	u32 n;
	u64 at[LIST_MOST];
};
static struct granule_list unguarded, senders; /* senders: granules with messages */

static u32 used;
static bool news, full;
bool locksets_on;

/* Mutexes that a thread may hold, by its number. */
static struct held_mutexes {
	u32 n;
	struct {
		const struct sync_op *op;
		const void *obj;
	} lock[LOCKS];
} held[THREADS_MAX];

static void add_to(struct granule_list *l, u64 at)
{
	if (l->n < LIST_MOST)
		l->at[l->n++] = at;
	else
		full = true;
}

void locksets_clear(bool on)
{
	if (used)
		__builtin_memset(table, 0, sizeof table);
	used = unguarded.n = senders.n = 0;
	news = full = false;
	locksets_on = on;
}

void locksets_begin(void)
{
	for (u32 i = 0; i < THREADS_MAX; i++)
		held[i].n = 0;
}

/* NULL: there are too many. */
static struct lockset *find_lockset(u64 at)
{
	u32 i;

	TABLE_FIND(i, prng_mix(at), ENTRIES, !table[i].at || table[i].at == at);
	if (table[i].at)
		return &table[i];
	if (used == ENTRIES / 2) {
		full = true;
		return NULL;
	}
	used++;
	table[i].at = at;
	return &table[i];
}

/* --- locks ------------------------------------------------------------------------------------ */

static void forget(struct held_mutexes *h, const void *obj)
{
	for (u32 i = 0; i < h->n; i++)
		if (h->lock[i].obj == obj)
			h->lock[i--] = h->lock[--h->n];
}

void lockset_operate(const struct sync_op *op, const void *obj)
{
	struct held_mutexes *h = &held[M.cur->number];

	if (object_op_has(op->object_op, OP_RELEASES | OP_LIFE))
		forget(h, obj);
	if (!object_op_has(op->object_op, OP_TAKES) ||
		(object_op_has(op->object_op, OP_TRIES) && op->state(obj)))
		return;
	forget(h, obj);
	if (h->n == LOCKS)
		return;
	h->lock[h->n].op = op;
	h->lock[h->n++].obj = obj;
}

/* Not while it waits for a condition, for example. */
static bool holds(const struct held_mutexes *h, const void *obj)
{
	for (u32 i = 0; i < h->n; i++)
		if (h->lock[i].obj == obj)
			return h->lock[i].op->state(obj) == thread_id(M.cur) + 1;
	return false;
}

static void take_locks(struct lockset *l)
{
	const struct held_mutexes *h = &held[M.cur->number];

	for (u32 i = 0; i < h->n; i++)
		if (holds(h, h->lock[i].obj))
			l->lock[l->nlocks++] = h->lock[i].obj;
}

static void keep_common(struct lockset *l)
{
	for (u32 i = 0; i < l->nlocks; i++)
		if (!holds(&held[M.cur->number], l->lock[i]))
			l->lock[i--] = l->lock[--l->nlocks];
}

/* --- accesses --------------------------------------------------------------------------------- */

/* Is everything that others do ordered with the running thread's next access? */
static bool is_ordered_with_all(void)
{
	if (M.nlive > 1)
		return false;
	for (u32 i = 0; i < M.nthreads; i++) {
		const struct thread *t = &M.thread[M.created[i]];

		if (t != M.cur && !t->joined)
			return false;
	}
	return true;
}

static void judge(struct lockset *l)
{
	if (l->how & UNGUARDED || !(l->how & PLAIN) || !(l->how & SHARED))
		return;
	if (!(l->how & ATOMIC) && (!(l->how & WRITTEN) || l->nlocks))
		return;
	l->how |= UNGUARDED;
	news = true;
	add_to(&unguarded, l->at);
}

static void note_granule(u64 at, u8 how)
{
	struct lockset *l = find_lockset(at);

	if (!l || l->how & UNGUARDED)
		return;
	if (!(l->how & PLAIN)) {
		l->thread = M.cur->number;
		l->nlocks = 0;
		take_locks(l);
	} else {
		keep_common(l);
		how |= l->thread != M.cur->number ? SHARED : 0;
	}
	l->how |= how;
	judge(l);
}

/* The search has seen the accesses that precede its first new choice. */
static bool is_noted_before(void)
{
	return M.explore.nlog < M.explore.prefix;
}

void lockset_note(u64 addr, u64 size, bool write)
{
	if (is_noted_before() || is_ordered_with_all())
		return;
	for (u64 at = addr & ~(u64)(GRANULE_SIZE - 1); at < addr + size; at += GRANULE_SIZE)
		note_granule(at, write ? PLAIN | WRITTEN : PLAIN);
}

static struct lockset *add_sender(u64 at)
{
	struct lockset *l = find_lockset(at);

	if (l && !(l->how & ATOMIC))
		add_to(&senders, at);
	return l;
}

/* By any thread: later accesses are not noted. */
void lockset_note_atomic(u64 at)
{
	struct lockset *l = add_sender(at);

	if (!l)
		return;
	l->how |= ATOMIC | SHARED;
	judge(l);
}

void lockset_note_object(u64 at)
{
	for (u32 i = 0; i < senders.n; i++)
		if (senders.at[i] == at)
			return;
	add_to(&senders, at);
}

bool lockset_is_news(void)
{
	bool is = news;

	news = false;
	return is;
}

/* --- the key ---------------------------------------------------------------------------------- */

/* The sum of hashes of the messages in the granule that contain the access. */
static u64 senders_of(u64 at, u64 word, u64 hash)
{
	const struct granule *g = granule_of(at);
	const struct cell *c;
	u64 sum = 0;

	if (!word_is_now(g->write) || !(g->write & WORD_CELL))
		return 0;
	c = cell_of(g->write);
	if (happens_in_message(c->object, word))
		sum += prng_mix(hash ^ prng_mix(at));
	for (u32 i = 0; i < GRANULE_SIZE; i++)
		if (c->atoms >> i & 1 && happens_in_message(c->atom[i].message, word))
			sum += prng_mix(hash ^ prng_mix(~(at + i)));
	return sum;
}

/* kind: whether it is an atomic access, and a load. */
static u64 key_of_word(u64 at, u32 kind, u64 word)
{
	u64 hash = prng_mix(at << 4 | kind) + (word & WORD_BYTES), sum;
	bool all = true;

	if (!(word & WORD_BYTES) || !word_is_now(word))
		return 0;
	sum = prng_mix(hash);
	for (u32 i = 0; i < M.nthreads; i++) {
		const struct thread *t = &M.thread[M.created[i]];
		u32 knows = happens_before(word, t) | happens_kept(t, word) << 1;

		all &= knows & 1 || t->finished;
		if (knows && !(t->finished && (t->joined || t->detached)))
			sum += prng_mix(hash ^ ((u64)t->number << 3 | knows));
	}
	if (all)
		return 0;
	for (u32 i = 0; i < senders.n; i++)
		sum += senders_of(senders.at[i], word, hash);
	return prng_mix(sum);
}

static u64 key_of_words(u64 at, u32 kind, const struct cell_words *w)
{
	u64 key = 0;

	for (u32 i = 0; i < w->n; i++)
		key += key_of_word(at, kind, w->word[i]);
	return key;
}

static u64 key_of_granule(u64 at)
{
	const struct granule *g = granule_of(at);
	const struct cell *c;
	u64 key;

	if (!word_is_now(g->write))
		return 0;
	if (!(g->write & WORD_CELL)) {
		if (g->write & WORD_VISIBLE)
			return prng_mix(at);
		return key_of_word(at, 0, g->write) + key_of_word(at, 1, g->read);
	}
	c = cell_of(g->write);
	if (c->known)
		return prng_mix(at);
	key = key_of_words(at, 0, &c->writes) + key_of_words(at, 1, &c->reads) +
	      prng_mix(at + c->visible);
	for (u32 i = 0; i < GRANULE_SIZE; i++)
		if (c->atoms >> i & 1)
			key += key_of_word(at, 2, c->atom[i].write) +
			       key_of_word(at, 3, c->atom[i].read);
	return key;
}

bool lockset_key(u64 *key)
{
	*key = races_are_unknown() | private_on << 1;
	if (full || races_spoil || unguarded.n * (senders.n + 1) > KEY_MOST)
		return false;
	for (u32 i = 0; private_on && i < unguarded.n; i++)
		*key += key_of_granule(unguarded.at[i]);
	return true;
}
