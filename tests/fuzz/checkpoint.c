/* SPDX-License-Identifier: ISC */
/*
 * checkpoint.c - checkpoints: the file, the frontiers in it, and the exploration that continues
 * from them.
 *
 * The first byte is 0xff, and the others are the file. Or three bytes say which program is
 * explored, under which model, and after how many executions it is stopped; the checkpoint of that
 * is changed in places (two bytes of an offset, one of a length of up to 8, new bytes) and gets the
 * right checksum. So inputs do not depend on layouts.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "model/pieces.h"
#include "trust/image/checkpoint_file.h"
#include "trust/image/frontier.h"
#include "heddle/abi.h"
#include "object/object.h"

#define IMAGE	((size_t)1 << 20)
#define THREADS 4
#define LEAVES	300 /* explored after reading a file */

/* An operation a letter, a thread a word: next(). */
static const char *const programs[][THREADS] = {
	{"wR", "Wr"},		/* store buffering */
	{"wW", "Rr"},		/* message passing */
	{"aA", "Aa", "ar"},	/* RMWs */
	{"kw", "kr", "Cr"},	/* CAS, weak */
	{"lwu", "lru", "LWU"},	/* mutexes */
	{"xy", "Xy"},		/* 16 bytes */
	{"hwp", "fW", "hR"},	/* choices, fences, plain stores */
	{"wbR", "Wbr"},		/* a barrier */
	{"mn", "Nv", "Mo"},	/* a word and its halves */
};

static const struct operation {
	u8 letter, type, op, place;
	u16 flags;
	u8 order;
} operations[] = {
	{'w', LABEL_WRITE, 0, 0, 0, __ATOMIC_RELAXED},
	{'W', LABEL_WRITE, 0, 1, 0, __ATOMIC_RELEASE},
	{'r', LABEL_READ, 0, 0, 0, __ATOMIC_SEQ_CST},
	{'R', LABEL_READ, 0, 1, 0, __ATOMIC_ACQUIRE},
	{'a', LABEL_RMW, HEDDLE_ADD, 0, 0, __ATOMIC_ACQ_REL},
	{'A', LABEL_RMW, HEDDLE_XCHG, 1, 0, __ATOMIC_SEQ_CST},
	{'k', LABEL_CAS, 0, 0, LABEL_WEAK, __ATOMIC_ACQ_REL},
	{'C', LABEL_CAS, 0, 0, 0, __ATOMIC_SEQ_CST},
	{'x', LABEL_WRITE, 0, 2, 0, __ATOMIC_RELAXED},
	{'X', LABEL_RMW, HEDDLE_XCHG, 2, 0, __ATOMIC_SEQ_CST},
	{'y', LABEL_READ, 0, 2, 0, __ATOMIC_RELAXED},
	{'p', LABEL_PLAIN_WRITE, 0, 3, 0, 0},
	{'f', LABEL_FENCE, 0, 0, 0, __ATOMIC_SEQ_CST},
	{'h', LABEL_CHOOSE, 0, 0, 0, 0},
	{'l', LABEL_SYNC, OBJECT_LOCK, 4, 0, 0},
	{'u', LABEL_SYNC, OBJECT_UNLOCK, 4, 0, 0},
	{'L', LABEL_SYNC, OBJECT_TRYLOCK, 4, 0, 0},
	{'U', LABEL_SYNC, OBJECT_SEM_POST, 5, 0, 0},
	{'b', LABEL_ARRIVE, 0, 6, 0, 0},
	{'B', LABEL_LEAVE, 0, 6, 0, 0},
	{'m', LABEL_WRITE, 0, 7, LABEL_PIECES, __ATOMIC_RELAXED},
	{'n', LABEL_READ, 0, 7, LABEL_PIECES, __ATOMIC_ACQUIRE},
	{'o', LABEL_RMW, HEDDLE_ADD, 7, LABEL_PIECES, __ATOMIC_SEQ_CST},
	{'M', LABEL_WRITE, 0, 8, 0, __ATOMIC_RELEASE},
	{'N', LABEL_WRITE, 0, 9, 0, __ATOMIC_RELAXED},
	{'v', LABEL_READ, 0, 9, 0, __ATOMIC_RELAXED},
};

#define WORD 7 /* and its halves */

static const struct {
	u64 addr;
	u32 size;
} places[] = {{4096, 8}, {4160, 4}, {4224, 16}, {4288, 8}, {4352, 0}, {4416, 0}, {4480, 0},
	{4544, 8}, {4544, 4}, {4548, 4}};

struct run {
	struct program program;
	const char *const *threads;
	u32 until, leaves;
};

/* --- the program ------------------------------------------------------------------------------ */

static void make_label(const struct graph *g, u8 letter, u32 t, struct label *l)
{
	const struct operation *o = operations;
	u32 size;

	while (o->letter != letter)
		o++;
	size = places[o->place].size;
	*l = (struct label){.type = o->type, .op = o->op, .order = o->order, .flags = o->flags};
	if (l->type == LABEL_CHOOSE)
		l->value = 2;
	if (l->type == LABEL_CHOOSE || l->type == LABEL_FENCE)
		return;
	l->size = (u8)size;
	l->loc = place_intern(g->places, places[o->place].addr, size, 0);
	if (l->type == LABEL_ARRIVE || l->type == LABEL_LEAVE)
		l->value = 2;
	else if (size && l->type != LABEL_READ)
		l->value = size == 16 ? wide_intern(g->places, t, 7) : t;
}

/* The word is accessed in halves. */
static void cut(struct trust *x)
{
	struct places *p = x->places;
	u32 word;

	for (u32 i = WORD; i < array_size(places); i++)
		place_intern(p, places[i].addr, places[i].size, 0);
	word = place_find(p, places[WORD].addr, places[WORD].size);
	p->place[word].cuts = 1 | 1 << places[WORD + 1].size;
	p->mixed = p->contended = x->graph.mixed = true;
	trust_know_pieces(x);
}

/* The number of events of thread t, without marks, halves of RMWs and later pieces. */
static u32 done(const struct graph *g, u32 t)
{
	u32 n = 0;

	for (u32 e = g->thread[t].first; e; e = g->event[e].po_next)
		n += !(g->event[e].flags & E_WAIT || graph_first(g, e) != e ||
			(g->event[e].flags & (E_EXCL | E_WRITE)) == (E_EXCL | E_WRITE));
	return n;
}

static enum answer next(struct program *p, struct graph *g, u32 t, struct label *out)
{
	const struct run *r = p->context;
	u32 n = done(g, t), threads = 0;
	const char *words = t && t <= THREADS ? r->threads[t - 1] : NULL;

	while (threads < THREADS && r->threads[threads])
		threads++;
	*out = (struct label){.type = LABEL_END};
	if (t && !n) {
		out->type = LABEL_START;
	} else if (!t && n < 2 * threads) {
		out->type = n < threads ? LABEL_CREATE : LABEL_JOIN;
		out->other = (u16)(n % threads + 1);
	}
	if (!t || !n || !words)
		return ANSWER_LABEL;
	for (n--; *words; words++) {
		bool two = *words == 'b'; /* arrive and leave */

		if (n < 1u + two) {
			make_label(g, two && n ? 'B' : (u8)*words, t, out);
			return ANSWER_LABEL;
		}
		n -= 1u + two;
	}
	return ANSWER_LABEL;
}

static bool leaf(struct program *p, const struct graph *g, enum leaf how, u32 t, u32 other)
{
	struct run *r = p->context;

	return ++r->leaves < r->until;
}

static struct trust *begin(struct run *r, u8 program, u8 model, u32 until)
{
	static struct trust x;
	static void *memory;

	if (!memory)
		memory = mmap(NULL, TRUST_MEMORY, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	FUZZ_CHECK(memory != MAP_FAILED);
	memset(memory, 0, sizeof(struct places));
	*r = (struct run){
		{r, next, leaf, NULL}, programs[program % array_size(programs)], until, 0};
	trust_init(&x, memory, TRUST_MEMORY, (enum model_id)(model % MODEL_AUTO), &r->program);
	x.rf = model / MODEL_AUTO & 1;
	x.weak_cas = 1;
	return &x;
}

/* --- its checkpoint --------------------------------------------------------------------------- */

static u8 file[IMAGE] __attribute__((aligned(64)));

static void *put(size_t *at, size_t n)
{
	void *p = file + *at;

	*at += n;
	return p;
}

/* Like search/jobs/checkpoint.c, without the checksum. Returns its size. */
static size_t write_file(u8 program, u8 model, u32 until)
{
	struct checkpoint_head h = {
		.version = CHECKPOINT_VERSION, .size = sizeof h, .nslots = 1, .nimages = 1};
	struct run r;
	struct trust *x = begin(&r, program, model, until);
	size_t at = sizeof h, size;
	struct checkpoint_child *child = put(&at, CHECKPOINT_SLOTS * sizeof *child);

	if (strchr(r.threads[0], 'm'))
		cut(x);
	trust_run(x);
	memset(file, 0, at);
	for (u16 t = 0; t < THREADS; t++, h.nchildren++)
		child[t] = (struct checkpoint_child){0, (u16)(t + 1), (u16)h.nslots++};
	for (u32 i = 1; i <= x->places->n; i++, h.nplaces++) {
		const struct place *p = &x->places->place[i];

		*(struct checkpoint_place *)put(&at, sizeof(struct checkpoint_place)) =
			(struct checkpoint_place){p->addr, p->init, p->size, p->size == 8, i == 2};
	}
	memset(file + at, 0, 256);
	at = (at + 63) / 64 * 64 + 64;
	size = frontier_export(x, x->reported, file + at, IMAGE - at);
	FUZZ_CHECK(size);
	memcpy(file + at - 64, &size, sizeof size);
	memcpy(h.magic, checkpoint_magic, sizeof h.magic);
	memcpy(file, &h, sizeof h);
	return at + size;
}

/* The same, with a cache. */
static size_t make_file(u8 program, u8 model, u8 until)
{
	static struct made {
		u8 *bytes;
		size_t n;
	} made[array_size(programs)][2 * MODEL_AUTO][32];
	struct made *m =
		&made[program % array_size(programs)][model % (2 * MODEL_AUTO)][until % 32];

	if (!m->bytes) {
		m->n = write_file(program, model, until % 32 + 1u);
		m->bytes = malloc(m->n);
		memcpy(m->bytes, file, m->n);
	}
	memcpy(file, m->bytes, m->n);
	return m->n;
}

static void change(size_t n, const u8 *data, size_t size)
{
	struct checkpoint_file f;

	while (size > 3) {
		size_t at = (data[0] | data[1] << 8) % n, length = data[2] % 8 + 1u;

		data += 3;
		size -= 3;
		for (; length && size && at < n; length--, size--)
			file[at++] = *data++;
	}
	checkpoint_file_read(&f, file, n);
	memcpy(file + offsetof(struct checkpoint_head, checksum), &f.sum, sizeof f.sum);
}

/* --- and what is made of one ------------------------------------------------------------------ */

static void go_on(u8 program, u8 model, const struct checkpoint_file *f)
{
	struct run r;
	struct trust *x = begin(&r, program, model, LEAVES);

	for (u32 i = 0; i < f->head.nchildren; i++)
		FUZZ_CHECK(checkpoint_file_child(f, i).slot < CHECKPOINT_SLOTS);
	for (u32 i = 0; i < f->head.nplaces; i++) {
		struct checkpoint_place p = checkpoint_file_place(f, i);

		FUZZ_CHECK(!p.promoted || place_intern(x->places, p.addr, p.size, p.init));
	}
	for (u32 i = 0; i < f->head.nimages && r.leaves < LEAVES; i++) {
		const char *wrong = frontier_import(x, f->image[i], f->image_size[i], true);

		if (wrong) {
			FUZZ_CHECK(wrong[0]);
			return;
		}
		FUZZ_CHECK(!trust_wrong(x));
		trust_run(x);
	}
}

void fuzz_checkpoint(const u8 *data, size_t size)
{
	struct checkpoint_file f;
	u8 program = size > 0 ? data[0] : 0, model = size > 1 ? data[1] : 0;
	size_t n;

	if (program == 0xff) {
		n = size - 1 < IMAGE ? size - 1 : IMAGE;
		memcpy(file, data + 1, n);
	} else {
		n = make_file(program, model, size > 2 ? data[2] : 0);
		change(n, data + (size < 3 ? size : 3), size < 3 ? 0 : size - 3);
	}
	if (!checkpoint_file_read(&f, file, n))
		go_on(program, model, &f);
}
