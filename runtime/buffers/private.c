/* SPDX-License-Identifier: ISC */
/* private.c - see private.h: plain accesses. */
#include "buffers/private.h"
#include "buffers/cell.h"
#include "buffers/happens.h"
#include "buffers/lockset.h"
#include "buffers/race.h"
#include "buffers/sched.h"
#include "buffers/visible.h"
#include "heap/heap_check.h"
#include "heap/heap_priv.h"
#include "heap/uninit.h"
#include "machine/execution/tsan_store.h"
#include "override/override.h"

#define QUIET	  TINY(64, 512) /* consecutive private accesses, of all threads, until a pause */
#define WAITS	  64		/* consecutive pauses: it may be waiting, and lets others run */
#define DOUBLINGS 11 /* of QUIET, one after as many pauses: a long computation makes few steps */

u8 private_on;
static u64 after_pause; /* the next step, if the last one was a pause */
static u64 in_a_row;	/* pauses since another step */
static i32 quiet;	/* private_left after the last pause */
static u64 counted;	/* private accesses of this execution, until then */

/* Executions with private memory: their number, accesses and steps. */
static struct private_figures paid;

#define FIRST_PRIVATE 64  /* executions, before it is known */
#define AGAIN_PRIVATE 4	  /* the same, of a program that has been asked before */
#define FEW_PRIVATE   128 /* one of so many */
#define PAYS	      4	  /* private accesses for a step */

void private_pays_begin(void)
{
	__builtin_memset(&paid, 0, sizeof paid);
}

void private_pays_again(void)
{
	paid = (struct private_figures){.executions = FIRST_PRIVATE - AGAIN_PRIVATE};
}

/* No access is made inline then (buffers/access.h). */
static void set_private(bool on)
{
	private_on = on;
	M.private_now = on;
	engine_update();
}

struct private_figures private_figures(void)
{
	return paid;
}

void private_put_back(const struct private_figures *f)
{
	paid = *f;
}

bool private_pays(void)
{
	return paid.executions < FIRST_PRIVATE || paid.accesses > PAYS * paid.steps ||
	       ++paid.asked % FEW_PRIVATE == 0;
}

void private_end(void)
{
	set_private(false);
	private_quick = false;
	paid.executions++;
	paid.accesses += counted + (u64)(quiet - private_left);
	paid.steps += M.steps;
}

void private_begin(void)
{
	private_quick = false;
	races_begin();
	set_private(M.private && !override_on && !tsan_store_used && !visible_is_full() &&
		    granules_map());
	if (!private_on)
		return;
	private_next_execution();
	private_quick = !M.recording;
	private_left = quiet = QUIET;
	counted = after_pause = in_a_row = 0;
	happens_begin();
	cells_begin();
	if (locksets_on)
		locksets_begin();
}

void private_give_up(void)
{
	set_private(false);
	private_quick = false;
}

/* Let others run; where all orders of steps are tried, only if the thread may be waiting. The
 * caller may have come through an entry stub. */
static void pause_thread(struct thread *t)
{
	struct entry_frame *frame = machine_frame;

	if (M.alone) {
		M.alone_steps += (u64)quiet;
		alone_step();
		return;
	}
	in_a_row = M.steps == after_pause ? in_a_row + 1 : 0;
	after_pause = M.steps;
	if (!M.sampling && in_a_row < WAITS)
		return;
	if (M.sampling && in_a_row % WAITS == WAITS - 1)
		explore_yield(&M.explore, t->number);
	after_pause++;
	arrive(t);
	machine_frame = frame;
}

/* --- a granule ------------------------------------------------------------------------------- */

enum granule_order { ORDERED, APART, RACES };

/* A race between the word's access and one to these bytes by t now. */
static inline enum granule_order race_order(u64 word, const struct thread *t, u64 bytes)
{
	if (!word_is_now(word) || happens_before(word, t))
		return ORDERED;
	return word & bytes ? RACES : APART;
}

static void judge_words(const struct cell_words *w, u64 bytes, bool wrote, const struct access *a)
{
	for (u32 i = 0; i < w->n; i++)
		if (race_order(w->word[i], M.cur, bytes) == RACES)
			race_found(a, w->word[i], wrote);
}

/* Would an access to these bytes by the running thread now imply all that the word says? */
static inline bool is_replaced(u64 word, u64 bytes)
{
	return !word_is_now(word) || (!(word & WORD_BYTES & ~bytes) && happens_before(word, M.cur));
}

/* Note an access of the running thread, which replaces earlier ones to the same bytes. Without room
 * the granule becomes visible. */
static void note_private_word(struct cell_words *w, u64 bytes, u64 at)
{
	u64 mine = (M.cur->epoch & ~WORD_BYTES) | bytes;
	u32 n = 0;

	for (u32 i = 0; i < w->n; i++) {
		u64 word = w->word[i];

		if (word_has(word, M.cur->epoch, 0)) {
			mine |= word;
			continue;
		}
		if (happens_before(word, M.cur))
			word &= ~bytes;
		if (word & WORD_BYTES)
			w->word[n++] = word;
	}
	if (n < CELL_WORDS)
		w->word[n++] = mine;
	else
		visible_learn(at);
	w->n = n;
}

static void judge_atoms(const struct cell *c, u64 bytes, const struct access *a)
{
	for (u32 i = 0; i < GRANULE_SIZE && !c->mixed; i++) {
		const struct cell_atom *x = &c->atom[i];

		if (!(c->atoms >> i & 1) || !(bytes & ((1u << x->size) - 1) << i))
			continue;
		if (race_order(x->write, M.cur, WORD_BYTES) == RACES)
			race_found(a, x->write, true);
		if (a->write && race_order(x->read, M.cur, WORD_BYTES) == RACES)
			race_found(a, x->read, false);
	}
}

static void judge_cell(struct granule *g, u64 bytes, const struct access *a)
{
	struct cell *c = cell_need(g);

	if (!c || c->known)
		return;
	judge_atoms(c, bytes, a);
	judge_words(&c->writes, bytes, true, a);
	if (a->write)
		judge_words(&c->reads, bytes, false, a);
	c->only = 0;
	note_private_word(a->write ? &c->writes : &c->reads, bytes, a->at);
	if (a->write || c->visible & bytes)
		return;
	if (unlikely(uninit_on))
		bytes &= ~uninit_fresh(a->at);
	if (!word_has(g->read, M.cur->epoch, 0))
		g->read = M.cur->epoch & ~WORD_BYTES;
	g->read |= bytes;
}

static inline void judge_granule(struct granule *g, u64 bytes, const struct access *a)
{
	struct thread *t = M.cur;
	u64 *word = a->write ? &g->write : &g->read;
	enum granule_order w, r = ORDERED;
	bool again;

	if (g->write & WORD_VISIBLE)
		return;
	if (g->write & WORD_CELL) {
		judge_cell(g, bytes, a);
		return;
	}
	w = race_order(g->write, t, bytes);
	if (a->write)
		r = race_order(g->read, t, bytes);
	if (w == RACES)
		race_found(a, g->write, true);
	else if (r == RACES)
		race_found(a, g->read, false);
	again = word_has(*word, t->epoch, 0);
	if (w == APART || r == APART || (!again && !is_replaced(*word, bytes))) {
		judge_cell(g, bytes, a);
		return;
	}
	if (unlikely(uninit_on) && !a->write)
		bytes &= ~uninit_fresh(a->at);
	*word = again ? *word | bytes : (t->epoch & ~WORD_BYTES) | bytes;
}

/* --- an access ------------------------------------------------------------------------------- */

/* Are any of these bytes visible? */
static bool is_visible(const struct granule *g, u64 bytes)
{
	if (!g || g->write & WORD_VISIBLE)
		return true;
	return g->write & WORD_CELL && cell_of(g->write)->visible & bytes;
}

static u64 first_granule(u64 addr)
{
	return addr & ~(u64)(GRANULE_SIZE - 1);
}

static bool any_visible(u64 addr, u64 size)
{
	for (u64 at = first_granule(addr); at < addr + size; at += GRANULE_SIZE)
		if (is_visible(granule_now(at), granule_bytes(at, addr, size)))
			return true;
	return false;
}

/* A part of an access is visible: make its other bytes visible, too. */
static void show_all(u64 addr, u64 size)
{
	for (u64 at = first_granule(addr); at < addr + size; at += GRANULE_SIZE) {
		struct granule *g = granule_now(at);
		struct cell *c = g && !(g->write & WORD_VISIBLE) ? cell_need(g) : NULL;

		if (c)
			c->visible |= (u8)granule_bytes(at, addr, size);
	}
}

/* The general case of an access. */
static __attribute__((noinline)) bool judge_rest(const struct access *access)
{
	struct access a = *access;
	bool visible = any_visible(a.addr, a.size);

	if (unlikely(visible && first_granule(a.addr) != first_granule(a.addr + a.size - 1) &&
		     a.size <= 16))
		show_all(a.addr, a.size);
	if (!visible)
		heap_check(a.addr, a.size, a.write);
	for (u64 at = first_granule(a.addr); at < a.addr + a.size && private_on;
		at += GRANULE_SIZE) {
		struct granule *g = granule_now(at);

		a.at = at;
		if (g)
			judge_granule(g, granule_bytes(at, a.addr, a.size), &a);
	}
	return !visible && private_on;
}

/* Is the access ordered after all others to the granule, and do two words suffice? */
static inline bool is_simple(struct granule *g, const struct thread *t, u64 bytes, bool write)
{
	u64 mine = (t->epoch & ~WORD_BYTES) | bytes, w = g->write, r = g->read;

	if (unlikely(uninit_on) || !happens_before(w, t))
		return false;
	if (!write) {
		if (word_has(r, t->epoch, 0))
			mine |= r;
		else if (!is_replaced(r, bytes))
			return false;
		g->read = mine;
		return true;
	}
	if (word_is_now(r) && !happens_before(r, t))
		return false;
	if (word_has(w, t->epoch, 0))
		mine |= w;
	else if (w & WORD_BYTES & ~bytes)
		return false;
	g->write = mine;
	return true;
}

/*
 * After many private accesses, others run before this one, unless it is visible and so a step of
 * its own. If it becomes visible only during the pause, the thread arrives twice and moves once,
 * which must not be taken for a recurring state (cycle/state_cycle.h).
 */
static __attribute__((noinline)) void give_way(struct thread *t, u64 addr, u64 size)
{
	counted += (u64)quiet;
	quiet = QUIET << (in_a_row < DOUBLINGS * WAITS ? in_a_row / WAITS : DOUBLINGS);
	private_left = quiet;
	if (any_visible(addr, size))
		return;
	pause_thread(t);
	if (!private_on || any_visible(addr, size))
		machine_unrepeatable("pauses");
}

bool private_judge(struct thread *t, u64 addr, u64 size, bool write, const u64 *value)
{
	u64 at = first_granule(addr);
	struct granule *g;

	if (unlikely(private_left < 0 || --private_left < 0))
		give_way(t, addr, size);
	if (unlikely(locksets_on))
		lockset_note(addr, size, write);
	if (likely(addr - at + size <= GRANULE_SIZE)) {
		g = granule_now(at);
		if (likely(g && !(g->write & WORD_KIND) &&
			    is_simple(g, t, granule_bytes(at, addr, size), write))) {
			heap_check(addr, size, write);
			return true;
		}
	}
	return judge_rest(&(struct access){
		.addr = addr, .size = size, .write = write, .plain = true, .value = value});
}

/* --- memory that changes hands --------------------------------------------------------------- */

/* Accesses that race with the free() become visible, so that they are scheduled before and after
 * it. */
void private_free(u64 addr, u64 size)
{
	struct access a = {.addr = addr, .size = size, .write = true, .frees = true};
	u64 end = addr + size;

	if (!private_on)
		return;
	for (u64 at = private_next_accessed(first_granule(addr), end); at < end;
		at = private_next_accessed(at + GRANULE_SIZE, end)) {
		struct granule *g = granule_of(at);

		if (!word_is_now(g->write))
			continue;
		a.at = at;
		if (unlikely(locksets_on))
			lockset_note(at, GRANULE_SIZE, true);
		judge_granule(g, granule_bytes(at, addr, size), &a);
		g->read = 0;
		if (!(g->write & (WORD_VISIBLE | WORD_CELL)))
			g->write = private_execution;
	}
}
