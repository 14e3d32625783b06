/* SPDX-License-Identifier: ISC */
/* deps.c - sets of loads: the dependencies of threads and private memory. See deps.h. */
#include "graph/deps.h"
#include "base/table.h"
#include "graph/execute_priv.h"
#include "model/file/cat_model.h"
#include "model/hardware/dependency.h"
#include "process/bytes.h"
#include "process/pages.h"

bool deps_on;

__attribute__((visibility("default"))) u32 __heddle_deps[HEDDLE_DEPS_WORDS];
__attribute__((visibility("default"))) u8 __heddle_deps_kept;

#define SETS	  (1 << 16)
#define ELEMENTS  (1 << 20)
#define BUCKETS	  (1 << 14)
#define UNIONS	  (1 << 12)
#define GRANULES  (1 << 16)
#define SET_MAX	  4096 /* elements */
#define ARGUMENTS 32   /* variable ones, of a call */
#define SAVED	  176  /* bytes of registers in the area that a va_list points at */
#define CONTROL	  ((GRAPH_EVENTS + 63) / 64)

/* An element: thread << 17 | number of the event << 1 | it only picks. */
struct deps_set {
	u32 first, n;
	u32 next; /* of its bucket; 0: none */
};

/* Eight bytes of private memory. */
struct deps_granule {
	u64 key; /* address / 8; 0: free */
	u32 of[8];
};

struct deps_thread {
	u64 control[CONTROL]; /* bit n: some event says that it comes after a branch on event n */
	u32 last;	      /* word of control in use */
	u64 found[GRAPH_EVENTS / 64 + 1]; /* CASes that returned what they read: deps_found() */
	bool finds;
	u32 pending;	      /* branched on since the last event that says so */
	bool collects;
	u32 address, collected;
	bool called; /* a function with variable arguments, that has not begun to read them */
	u32 narguments;
	struct {
		u32 place, of;
	} argument[ARGUMENTS];
};

static struct deps_state {
	struct deps_set set[SETS]; /* [0]: the empty one */
	u32 nsets, used;
	u32 element[ELEMENTS];
	u32 bucket[BUCKETS];
	struct {
		u32 a, b, is;
	} known[UNIONS];
	struct deps_granule granule[GRANULES];
	u32 filled[GRANULES / 2]; /* granules in use */
	u32 nfilled;
	bool copies, cas_picks;
	u32 of[2][SET_MAX], both[2 * SET_MAX]; /* scratch */
	u16 own[DEPENDENCY_KINDS][SET_MAX];
	struct deps_thread thread[GRAPH_THREADS];
	struct dependency_table records;
} *S;

/* --- sets ------------------------------------------------------------------------------------ */

static u32 hash_elements(const u32 *element, u32 n)
{
	u64 h = n;

	for (u32 i = 0; i < n; i++)
		h = prng_mix(h ^ element[i]);
	return (u32)h % BUCKETS;
}

static u32 intern_set(const u32 *element, u32 n)
{
	u32 *bucket = &S->bucket[hash_elements(element, n)];

	if (!n)
		return 0;
	for (u32 i = *bucket; i; i = S->set[i].next)
		if (S->set[i].n == n &&
			bytes_equal(S->element + S->set[i].first, element, n * sizeof *element))
			return i;
	if (S->nsets == SETS || S->used + n > ELEMENTS)
		execute_unsupported("limit: too many sets of dependencies (--deps)");
	bytes_copy(S->element + S->used, element, n * sizeof *element);
	S->set[S->nsets] = (struct deps_set){S->used, n, *bucket};
	*bucket = S->nsets;
	S->used += n;
	return S->nsets++;
}

/* The elements of a number, in order; with the bit of all set if the number has it. */
static u32 elements_of(u32 number, u32 *element)
{
	const struct deps_set *s = &S->set[number & ~HEDDLE_DEPS_PICK];

	for (u32 i = 0; i < s->n; i++)
		element[i] = S->element[s->first + i] | (number & HEDDLE_DEPS_PICK ? 1 : 0);
	return s->n;
}

/* One of a load that picks, and does more than that, does more. */
static u32 drop_picks(u32 *element, u32 n)
{
	u32 kept = 0;

	for (u32 i = 0; i < n; i++)
		if (!kept || (element[i] | 1) != (element[kept - 1] | 1))
			element[kept++] = element[i];
	return kept;
}

static u32 merge(u32 a, u32 b)
{
	u32 *x = S->of[0], *y = S->of[1], n = 0, i = 0, j = 0, nx, ny;

	if (S->set[a & ~HEDDLE_DEPS_PICK].n + S->set[b & ~HEDDLE_DEPS_PICK].n > SET_MAX)
		execute_unsupported("limit: a value depends on more than %u loads", SET_MAX);
	nx = elements_of(a, x);
	ny = elements_of(b, y);
	while (i < nx || j < ny)
		S->both[n++] = j == ny || (i < nx && x[i] <= y[j]) ? x[i++] : y[j++];
	return intern_set(S->both, drop_picks(S->both, n));
}

u32 deps_union(u32 a, u32 b)
{
	u32 at;

	if (!a || !b || a == b)
		return a ? a : b;
	at = (u32)prng_mix((u64)a << 32 | b) % UNIONS;
	if (S->known[at].a != a || S->known[at].b != b) {
		S->known[at].is = merge(a, b);
		S->known[at].a = a;
		S->known[at].b = b;
	}
	return S->known[at].is;
}

/* --- private memory -------------------------------------------------------------------------- */

static struct deps_granule *find_granule(u64 key, bool make)
{
	u32 i;

	TABLE_FIND(i, prng_mix(key), GRANULES, !S->granule[i].key || S->granule[i].key == key);
	if (S->granule[i].key || !make)
		return S->granule[i].key ? &S->granule[i] : NULL;
	if (S->nfilled == array_size(S->filled))
		execute_unsupported("limit: too much private memory has dependencies (--deps)");
	S->filled[S->nfilled++] = i;
	S->granule[i] = (struct deps_granule){.key = key};
	return &S->granule[i];
}

static u32 load_byte(u64 addr)
{
	struct deps_granule *g = find_granule(addr / 8, false);

	return g ? g->of[addr % 8] : 0;
}

static void store_byte(u64 addr, u32 of)
{
	struct deps_granule *g = find_granule(addr / 8, of != 0);

	if (g)
		g->of[addr % 8] = of;
}

u32 deps_load(u64 addr, u64 n)
{
	u32 of = 0, byte, last = 0;

	for (u64 i = 0; __heddle_deps_kept && i < n; i++, last = byte) {
		byte = load_byte(addr + i);
		if (byte != last)
			of = deps_union(of, byte);
	}
	return of;
}

void deps_store(u64 addr, u64 n, u32 of)
{
	if (of)
		__heddle_deps_kept = 1;
	for (u64 i = 0; __heddle_deps_kept && i < n; i++)
		store_byte(addr + i, of);
}

void deps_copy(u64 to, u64 from, u64 n)
{
	bool forward = to - from >= n;

	for (u64 i = 0; __heddle_deps_kept && i < n; i++) {
		u64 k = forward ? i : n - 1 - i;

		store_byte(to + k, load_byte(from + k));
	}
}

/* --- accesses -------------------------------------------------------------------------------- */

static struct deps_thread *own_thread(void)
{
	return &S->thread[M.cur->slot];
}

u32 deps_take(u32 word)
{
	u32 of = 0;

	for (u32 i = word; i < word + HEDDLE_DEPS_PARTS; i++) {
		of = deps_union(of, __heddle_deps[i]);
		__heddle_deps[i] = 0;
	}
	return of;
}

void deps_give(u32 address)
{
	__heddle_deps[HEDDLE_DEPS_ADDRESS] = address;
	S->copies = execute_begun();
}

bool deps_take_copy(void)
{
	bool copies = unlikely(deps_on) && S->copies;

	if (unlikely(deps_on))
		S->copies = false;
	return copies;
}

/* Elements of the running thread; of a number that picks, or of the others. */
static u16 own_elements(u32 number, bool picks, u16 *own)
{
	u32 *element = S->of[0], n = elements_of(number, element);
	u16 k = 0;

	for (u32 i = 0; i < n; i++)
		if (element[i] >> 17 == M.cur->slot && (element[i] & 1) == picks)
			own[k++] = (u16)(element[i] >> 1);
	return k;
}

/* Those of a branch that no event of the thread has said yet. */
static u16 new_control(struct deps_thread *t, u16 *own)
{
	u32 *element = S->of[0], n = elements_of(t->pending, element);
	u16 k = 0;

	for (u32 i = 0; i < n; i++) {
		u32 e = element[i] >> 1 & 0xffff, word = e / 64;

		if (element[i] >> 17 != M.cur->slot || t->control[word] >> e % 64 & 1)
			continue;
		t->control[word] |= 1ull << e % 64;
		t->last = word > t->last ? word : t->last;
		own[k++] = (u16)e;
	}
	t->pending = 0;
	return k;
}

/* Does the access use what one of the thread's CASes has found? */
static void look_at_found(const struct deps_thread *t, enum dependency kind, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		u32 e = S->own[kind][i];

		if (t->found[e / 64] >> e % 64 & 1)
			M.bounds |= BOUND_CAS_VALUE;
	}
}

u16 deps_record(const struct label *l, u32 address, u32 data)
{
	bool writes = l->type != LABEL_READ && l->type != LABEL_PLAIN_READ;
	u16 size[DEPENDENCY_KINDS] = {0};
	const u16 *set[DEPENDENCY_KINDS];
	struct deps_thread *t = own_thread();
	u32 record;

	if (!address && !data && !t->pending)
		return 0;
	size[BY_ADDRESS] = own_elements(address, false, S->own[BY_ADDRESS]);
	size[BY_DATA] = own_elements(data, false, S->own[BY_DATA]);
	size[BY_CONTROL] = new_control(t, S->own[BY_CONTROL]);
	if (unlikely(t->finds)) {
		look_at_found(t, BY_ADDRESS, size[BY_ADDRESS]);
		look_at_found(t, BY_DATA, size[BY_DATA]);
	}
	if (writes)
		size[BY_PICK] = own_elements(deps_union(address, data), true, S->own[BY_PICK]);
	for (u32 k = 0; k < DEPENDENCY_KINDS; k++)
		set[k] = S->own[k];
	record = dependency_intern(&S->records, set, size);
	if (S->records.n == DEPENDENCY_RECORDS)
		execute_unsupported("limit: too many sets of dependencies (--deps)");
	return (u16)record;
}

u32 deps_of_event(const struct label *l)
{
	u32 element = M.cur->slot << 17 | X.f[M.cur->slot].ordinal << 1;

	/* All later events come after it anyway. */
	if (order_acquires(l->order) || (l->type == LABEL_CAS && order_acquires(l->fail)))
		return 0;
	return intern_set(&element, 1);
}

void deps_result(u32 n)
{
	__heddle_deps[HEDDLE_DEPS_RESULT] = n;
}

static void note_found(struct deps_thread *t, u32 ordinal)
{
	t->found[ordinal / 64] |= 1ull << ordinal % 64;
	t->finds = true;
}

u32 deps_found(u32 expected, bool ok)
{
	u32 *result = &__heddle_deps[HEDDLE_DEPS_RESULT];

	/* The processor may return the expected value, or what was read. With dependencies of both,
	 * the executions of the latter are explored; of the former only without an access that uses
	 * it. */
	if (ok && S->cas_picks && !expected && *result)
		*result |= HEDDLE_DEPS_PICK;
	if (ok && S->cas_picks && expected && *result)
		note_found(own_thread(), X.f[M.cur->slot].ordinal);
	return *result;
}

void deps_branch(u32 n)
{
	struct deps_thread *t = own_thread();

	if (n)
		t->pending = deps_union(t->pending, n);
}

/* --- calls ----------------------------------------------------------------------------------- */

void deps_collect(u32 address)
{
	struct deps_thread *t = own_thread();

	t->collects = true;
	t->address = t->collected = address;
}

u32 deps_collected(void)
{
	struct deps_thread *t = own_thread();

	t->collects = false;
	deps_branch(t->collected);
	return t->collected;
}

u32 deps_collecting(void)
{
	return own_thread()->collects ? own_thread()->address : 0;
}

void deps_collect_read(u32 of)
{
	struct deps_thread *t = own_thread();

	if (t->collects)
		t->collected = deps_union(t->collected, of);
}

u32 deps_call_foreign(void)
{
	u32 of = 0;

	for (u32 i = 0; i < HEDDLE_DEPS_ARGUMENTS; i++) {
		of = deps_union(of, __heddle_deps[HEDDLE_DEPS_ARGUMENT + i]);
		__heddle_deps[HEDDLE_DEPS_ARGUMENT + i] = 0;
	}
	deps_branch(of);
	return of;
}

void deps_variadic(void)
{
	own_thread()->called = true;
	own_thread()->narguments = 0;
}

void deps_argument(u32 place, u32 of)
{
	struct deps_thread *t = own_thread();

	if (t->narguments == ARGUMENTS)
		execute_unsupported("limit: more than %u variable arguments with dependencies",
			ARGUMENTS);
	t->argument[t->narguments].place = place;
	t->argument[t->narguments++].of = of;
}

/* As the ABI of x86-64 has it. */
struct va_list_of_abi {
	u32 gp, fp;
	u64 stack, saved;
};

void deps_va_start(const void *list)
{
	const struct va_list_of_abi *l = list;
	struct deps_thread *t = own_thread();

	if (!t->called)
		return; /* not the first time in this call */
	t->called = false;
	deps_store(l->saved, SAVED, 0);
	deps_store(l->stack, 8 * ARGUMENTS, 0);
	for (u32 i = 0; i < t->narguments; i++) {
		u32 place = t->argument[i].place;
		u64 at = place < SAVED ? l->saved + place : l->stack + (place - SAVED);

		deps_store(at, 8, t->argument[i].of);
	}
}

/* --- executions ------------------------------------------------------------------------------ */

static void forget_sets(void)
{
	bytes_fill(S->bucket, 0, sizeof S->bucket);
	bytes_fill(S->known, 0, sizeof S->known);
	S->nsets = 1;
	S->used = 0;
}

bool deps_init(struct places *places, bool on)
{
	deps_on = on;
	if (on && !S)
		S = pages_take(sizeof *S);
	if (on && !S)
		return false;
	if (on) {
		S->cas_picks = cat_model_cas_picks(model_of((enum model_id)M.model), places);
		forget_sets();
		bytes_fill(&S->records, 0, sizeof S->records);
	}
	places->hardware.table = on ? &S->records : NULL;
	return true;
}

void deps_begin(void)
{
	if (S->nsets > SETS / 2 || S->used > ELEMENTS / 2)
		forget_sets();
	for (u32 i = 0; i < S->nfilled; i++)
		S->granule[S->filled[i]].key = 0;
	S->nfilled = 0;
	S->copies = false;
	__heddle_deps_kept = 0;
	bytes_fill(__heddle_deps, 0, sizeof __heddle_deps);
	for (u32 i = 0; i < GRAPH_THREADS; i++) {
		struct deps_thread *t = &S->thread[i];

		bytes_fill(t->control, 0, (t->last + 1) * sizeof *t->control);
		t->last = t->pending = 0;
		t->collects = t->called = false;
		if (unlikely(t->finds))
			bytes_fill(t->found, 0, sizeof t->found);
		t->finds = false;
	}
}

void deps_thread_begin(void)
{
	bytes_fill(__heddle_deps, 0, sizeof __heddle_deps);
}
