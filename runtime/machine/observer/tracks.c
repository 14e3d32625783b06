/* SPDX-License-Identifier: ISC */
/* tracks.c - see tracks.h. */
#include "machine/observer/tracks.h"
#include "base/prng.h"
#include "event/track.h"
#include "machine/core.h"
#include "machine/wait/object_call.h"
#include "process/module.h"
#include "process/stack.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGES 64 /* of which it is known that they are memory */

static void dress_tracks(struct engine *e);
static struct decorator decorator = {.dress = dress_tracks};
static u8 call_arrives(const struct object_call *c);
static bool call_is_made(const struct object_call *c, u8 before);
static struct object_call_observer observer = {.before = call_arrives, .after = call_is_made};

/* The next operation of a thread. */
struct next_operation {
	u64 addr;
	u32 size; /* 0: no access */
	bool own; /* it would read its own store */
};

static struct {
	struct tracks *table;
	u64 base; /* of the program */
	bool on, by_value;
	bool led; /* is the current execution one of strategy goal? */
	u32 first; /* the place where main has arrived first; 0: none yet */
	struct prng prng;
	struct track_follower f;
	struct next_operation next[FOLLOWED];
	u64 page[PAGES];
	u32 was_followed, was_broken;
} T;

/* --- where the execution begins in the record ------------------------------------------------ */

static const struct track *main_track(void)
{
	for (u32 i = 0; i < T.table->n; i++)
		if (T.table->track[i].main)
			return &T.table->track[i];
	return NULL;
}

/* The last time but k that main was at the place where it begins. False: it was there less
 * often. */
static bool cut_at_first(u32 k, u64 *cut)
{
	const struct track *t = main_track();

	for (u32 i = t && T.first ? t->n : 0; i-- > 0;)
		if (t->event[i].place == T.first && !k--) {
			*cut = t->event[i].after;
			return true;
		}
	return false;
}

/* Are the first events of a thread that is not main lost? Then the record of main says little on
 * where a test of fewer rounds begins. */
static bool is_partial(void)
{
	for (u32 i = 0; i < T.table->n; i++)
		if (T.table->track[i].partial && !T.table->track[i].main)
			return true;
	return false;
}

/* The beginning of the record, where main's begins, or any time, the last ones more often. */
static u64 choose_record_cut(void)
{
	const struct track *t = &T.table->track[prng_below(&T.prng, T.table->n)];
	u64 cut = 0;
	u32 k = 0, n = 1u << prng_below(&T.prng, 8);

	if (!prng_below(&T.prng, 8))
		return 0;
	while (prng_below(&T.prng, 2))
		k++;
	if ((!is_partial() || prng_below(&T.prng, 2)) &&
		(cut_at_first(k, &cut) || cut_at_first(0, &cut)))
		return cut;
	n = n < t->n ? n : t->n;
	return n ? t->event[t->n - 1 - prng_below(&T.prng, n)].after : 0;
}

static void note_result(void)
{
	u32 n = follower_count(&T.f);

	if (follower_extends(&T.f))
		T.table->extended++;
	if (T.f.broken || n <= T.table->followed)
		return;
	T.table->followed = n;
	for (u32 i = 0; i < T.table->n; i++)
		T.table->next[i] = T.f.owner[i] ? T.f.thread[T.f.owner[i] - 1].next : 0;
}

/* One that repeats another has its cut. */
static void begin_followed(void)
{
	if (T.led)
		note_result();
	T.led = M.explore.ops->wants_goals;
	T.by_value = T.led && !T.by_value;
	follower_begin(&T.f, T.table, T.led ? choose_record_cut() : T.f.cut);
	memset(T.page, 0, sizeof(T.page));
	if (decorator.next->begin)
		decorator.next->begin();
}

void tracks_follow(bool on)
{
	T.on = on && T.table && stack_init();
	if (T.on)
		prng_seed(&T.prng, M.options->seed);
	else if (T.led)
		note_result();
	T.led = false;
	engine_decorate(&decorator, T.on);
	object_calls_observe(&observer, T.on);
}

void tracks_begin(const struct options *o)
{
	struct stat st;
	void *p;

	tracks_follow(false);
	if (!o->track_fd || T.table || fstat((int)o->track_fd, &st) != 0)
		return;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, (int)o->track_fd, 0);
	if (p == MAP_FAILED)
		return;
	T.table = p;
	T.base = module_program_base();
}

void tracks_note(void)
{
	T.was_followed = follower_count(&T.f);
	T.was_broken = T.f.broken;
}

bool tracks_are_kept(void)
{
	return !T.on || (follower_count(&T.f) >= T.was_followed && T.f.broken <= T.was_broken);
}

/* --- operations ------------------------------------------------------------------------------ */

static void arrive_on_track(u64 code, enum track_kind kind, const void *p, u32 size)
{
	u32 number = M.cur->number, place = tracks_place(T.table, code - 1 - T.base, kind);

	if (!M.in_execution || number >= FOLLOWED)
		return;
	if (!number && !T.first)
		T.first = place;
	T.next[number] = (struct next_operation){(u64)(uintptr_t)p, size,
		size && thread_overlaps_store((u64)(uintptr_t)p, size)};
	follower_arrive(&T.f, number, place);
}

static void arrive_at_access(enum track_kind kind, const void *p, u32 size)
{
	arrive_on_track(machine_frame->return_address, kind, p, size);
}

static void arrive_at_call(void)
{
	struct stack_caller c;

	if (M.in_execution && stack_caller(NULL, &c))
		arrive_on_track(c.ip, TRACK_CALL, NULL, 0);
}

static void made(const void *p)
{
	u64 page = (u64)(uintptr_t)p / 4096;

	follower_done(&T.f, M.cur->number);
	T.page[page % PAGES] = page;
}

static void load_followed(const void *p, u32 size, int order, u16 flags, u64 out[2])
{
	if (flags & EVENT_PLAIN) {
		decorator.next->load(p, size, order, flags, out);
		return;
	}
	arrive_at_access(TRACK_LOAD, p, size);
	decorator.next->load(p, size, order, flags, out);
	made(p);
}

static void store_followed(void *p, u32 size, const u64 value[2], int order, u16 flags)
{
	if (flags & EVENT_PLAIN) {
		decorator.next->store(p, size, value, order, flags);
		return;
	}
	arrive_at_access(TRACK_STORE, p, 0);
	decorator.next->store(p, size, value, order, flags);
	made(p);
}

static void rmw_followed(void *p, u32 size, u64 value[2], int op, int order)
{
	arrive_at_access(TRACK_RMW, p, size);
	decorator.next->rmw(p, size, value, op, order);
	made(p);
}

static bool cas_followed(void *p, u32 size, u64 expected[2], const u64 desired[2], int orders)
{
	bool ok;

	arrive_at_access(TRACK_CAS, p, size);
	ok = decorator.next->cas(p, size, expected, desired, orders);
	made(p);
	return ok;
}

static void fence_followed(int order)
{
	arrive_at_access(TRACK_FENCE, NULL, 0);
	decorator.next->fence(order);
	made(NULL);
}

static u8 call_arrives(const struct object_call *c)
{
	arrive_at_call();
	return 0;
}

static bool call_is_made(const struct object_call *c, u8 before)
{
	made(NULL);
	return false;
}

static struct thread *created_followed(struct thread *self, struct thread *t)
{
	arrive_at_call();
	follower_create(&T.f, self->number, t->number);
	follower_done(&T.f, self->number);
	return decorator.next->thread_created(self, t);
}

static _Noreturn void exit_followed(void *result)
{
	follower_end(&T.f, M.cur->number);
	decorator.next->thread_exit(result);
}

static void dress_tracks(struct engine *e)
{
	e->begin = begin_followed;
	e->load = load_followed;
	e->store = store_followed;
	e->rmw = rmw_followed;
	e->cas = cas_followed;
	e->fence = fence_followed;
	e->thread_created = created_followed;
	e->thread_exit = exit_followed;
}

/* --- holding --------------------------------------------------------------------------------- */

static bool is_memory(u64 addr)
{
	return T.page[addr / 4096 % PAGES] == addr / 4096;
}

/* Values of other runs: addresses differ, except from null. */
static bool is_like(u64 value, u64 recorded, u32 size)
{
	u64 bits = size < 8 ? (1ull << 8 * size) - 1 : ~0ull;

	recorded &= bits;
	return value == recorded || (value > 0xffff && recorded > 0xffff);
}

/* Would the next read of the thread return its recorded value? */
static bool would_read(u32 thread, bool *another)
{
	const struct track_event *e = follower_event(&T.f, thread);
	const struct next_operation *s = &T.next[thread];
	u64 now[2];
	bool same;

	*another = false;
	if (!e || !e->reads || !s->size || s->size > 8 || s->own || !is_memory(s->addr))
		return false;
	memory_read(s->addr, s->size, now);
	same = is_like(now[0], e->value, s->size);
	*another = !same;
	return same;
}

bool tracks_holds(const struct thread *t)
{
	bool another;

	if (!T.on || t->number >= FOLLOWED)
		return false;
	if (follower_holds(&T.f, t->number))
		return true;
	if (!T.by_value)
		return false;
	would_read(t->number, &another);
	return another;
}

bool tracks_holds_store(u64 addr, u32 size)
{
	bool another;

	if (!T.on || !T.by_value)
		return false;
	for (u32 i = 0; i < FOLLOWED && i < M.nthreads; i++)
		if (T.next[i].addr < addr + size && addr < T.next[i].addr + T.next[i].size &&
			would_read(i, &another))
			return true;
	return false;
}
