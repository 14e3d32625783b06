/* SPDX-License-Identifier: ISC */
/* checkpoint_file.c - see checkpoint_file.h. */
#include "trust/image/checkpoint_file.h"
#include "base/prng.h"
#include "model/place.h"

#define GAP 64 /* images are aligned to that */

const char checkpoint_magic[16] = "heddle frontier";

u64 checkpoint_sum(u64 sum, const void *data, size_t n)
{
	const u8 *p = data;
	u64 word;

	for (; n >= 8; n -= 8, p += 8) {
		__builtin_memcpy(&word, p, 8);
		sum = prng_mix(sum ^ word);
	}
	for (word = 0; n; n--)
		word = word << 8 | *p++;
	return prng_mix(sum ^ word);
}

struct checkpoint_child checkpoint_file_child(const struct checkpoint_file *f, u32 i)
{
	struct checkpoint_child c;

	__builtin_memcpy(&c, f->children + i * sizeof c, sizeof c);
	return c;
}

struct checkpoint_place checkpoint_file_place(const struct checkpoint_file *f, u32 i)
{
	struct checkpoint_place p;

	__builtin_memcpy(&p, f->places + i * sizeof p, sizeof p);
	return p;
}

/* --- parts ------------------------------------------------------------------------------------ */

struct cursor {
	const u8 *at;
	size_t left;
	u64 sum;
};

/* The next n bytes, added to the checksum; NULL: there are fewer. */
static const u8 *take_bytes(struct cursor *c, size_t n)
{
	const u8 *p = c->at;

	if (c->left < n)
		return NULL;
	c->sum = checkpoint_sum(c->sum, p, n);
	c->at += n;
	c->left -= n;
	return p;
}

static bool find_images(struct checkpoint_file *f, struct cursor *c, const u8 *begin)
{
	for (u32 i = 0; i < f->head.nimages; i++) {
		const u8 *before;
		u64 n;

		if (!take_bytes(c, (GAP - (size_t)(c->at - begin) % GAP) % GAP))
			return false;
		before = take_bytes(c, GAP);
		if (!before)
			return false;
		__builtin_memcpy(&n, before, sizeof n);
		f->image[i] = take_bytes(c, n);
		f->image_size[i] = n;
		if (!f->image[i])
			return false;
	}
	return !c->left;
}

static bool find_parts(struct checkpoint_file *f, const u8 *begin, size_t size)
{
	const struct checkpoint_head *h = &f->head;
	struct cursor c = {begin + sizeof *h, size - sizeof *h, 0};

	if (h->nchildren > h->nslots || h->nslots > CHECKPOINT_SLOTS || h->nplaces >= PLACES_MAX ||
		h->nimages > CHECKPOINT_IMAGES)
		return false;
	f->children = take_bytes(&c, CHECKPOINT_SLOTS * sizeof(struct checkpoint_child));
	f->places = c.at;
	for (u32 i = 0; i < h->nplaces; i++)
		if (!take_bytes(&c, sizeof(struct checkpoint_place)))
			return false;
	if (!f->children || !find_images(f, &c, begin))
		return false;
	f->sum = c.sum;
	return true;
}

/* --- contents --------------------------------------------------------------------------------- */

/* Each slot belongs to one thread: the first slot to the first thread, and none exceeds those in
 * use. */
static bool children_fit(const struct checkpoint_file *f)
{
	bool taken[CHECKPOINT_SLOTS] = {true};

	for (u32 i = 0; i < f->head.nchildren; i++) {
		struct checkpoint_child c = checkpoint_file_child(f, i);

		if (c.slot >= f->head.nslots || c.parent >= f->head.nslots || taken[c.slot])
			return false;
		taken[c.slot] = true;
	}
	return true;
}

static bool place_fits(const struct checkpoint_place *p)
{
	u32 size = p->size;

	if (p->atomic > 1 || p->promoted > 1 || p->awaits > 3 ||
		(p->awaits && size) || (size > 8 && size != 16))
		return false;
	if (!size)
		return !p->promoted;
	if (p->addr < 4096 || p->addr > UINT64_MAX - 16) /* the first page is never mapped */
		return false;
	return p->promoted || !p->atomic || ((size & (size - 1)) == 0 && p->addr % size == 0);
}

const char *checkpoint_file_read(struct checkpoint_file *f, const void *bytes, size_t size)
{
	const char *damaged = "a damaged checkpoint";

	if (size < sizeof f->head ||
		__builtin_memcmp(bytes, checkpoint_magic, sizeof checkpoint_magic))
		return "not a checkpoint of heddle";
	__builtin_memcpy(&f->head, bytes, sizeof f->head);
	if (f->head.version != CHECKPOINT_VERSION || f->head.size != sizeof f->head)
		return "a checkpoint of another version of heddle";
	f->sum = ~f->head.checksum;
	if (!find_parts(f, bytes, size) || f->sum != f->head.checksum || !children_fit(f))
		return damaged;
	for (u32 i = 0; i < f->head.nplaces; i++) {
		struct checkpoint_place p = checkpoint_file_place(f, i);

		if (!place_fits(&p))
			return damaged;
	}
	return NULL;
}
