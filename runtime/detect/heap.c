/* SPDX-License-Identifier: ISC */
/* heap.c - see heap.h. */
#include "detect/heap.h"
#include "base/text.h"

static void put_count(struct text *t, u64 n)
{
	text_number(t, n);
	text_put(t, n == 1 ? " byte" : " bytes");
}

static void put_access(struct text *t, const struct heap_fault *f)
{
	text_put(t, kind_words(f->kind));
	if (!kind_is_access(f->kind))
		return;
	text_put(t, " of ");
	put_count(t, f->size);
}

static void put_block(struct text *t, const struct heap_fault *f)
{
	text_put(t, "a block of ");
	put_count(t, f->block_size);
}

static void put_freer(struct text *t, const struct heap_fault *f)
{
	if (f->freer < 0)
		return;
	text_put(t, " that T");
	text_number(t, (u64)f->freer);
	text_put(t, " has freed");
}

/* 3 bytes behind a block, before it, or across its end. */
static void put_outside(struct text *t, const struct heap_fault *f)
{
	u64 end = f->start + f->block_size;

	put_access(t, f);
	text_put(t, " ");
	if (f->addr == end) {
		text_put(t, "right behind ");
	} else if (f->addr > end) {
		put_count(t, f->addr - end);
		text_put(t, " behind ");
	} else if (f->addr < f->start) {
		put_count(t, f->start - f->addr);
		text_put(t, " before ");
	} else {
		text_put(t, "across the end of ");
	}
	put_block(t, f);
}

static void put_inside(struct text *t, const struct heap_fault *f)
{
	put_access(t, f);
	text_put(t, " at offset ");
	text_number(t, f->addr - f->start);
	text_put(t, " of ");
	put_block(t, f);
}

static void put_free(struct text *t, const struct heap_fault *f)
{
	if (f->what == HEAP_DOUBLE_FREE) {
		text_put(t, f->realloc ? "realloc of a freed block: " : "double free of ");
		put_block(t, f);
		put_freer(t, f);
		return;
	}
	text_put(t, f->realloc ? "realloc of a pointer to no heap block"
			       : "free of a pointer to no heap block");
	if (!f->start || f->addr <= f->start)
		return;
	text_put(t, ": ");
	put_count(t, f->addr - f->start);
	text_put(t, " behind the beginning of ");
	put_block(t, f);
}

void heap_describe(const struct heap_fault *f, char *to, size_t room)
{
	struct text t = text_begin(to, room);

	switch (f->what) {
	case HEAP_FREED:
		text_put(&t, "use after free: ");
		put_inside(&t, f);
		put_freer(&t, f);
		break;
	case HEAP_COMMIT:
		text_put(&t, "use after free: a buffered ");
		put_inside(&t, f);
		put_freer(&t, f);
		text_put(&t, " meanwhile");
		break;
	case HEAP_OUTSIDE:
		text_put(&t, "out of bounds: ");
		put_outside(&t, f);
		break;
	case HEAP_NOWHERE:
		text_put(&t, "out of bounds: ");
		put_access(&t, f);
		text_put(&t, " where the heap has no block");
		break;
	case HEAP_DOUBLE_FREE:
	case HEAP_INVALID_FREE:
		put_free(&t, f);
		break;
	case HEAP_UNINIT:
		text_put(&t, "use of uninitialised memory: ");
		put_inside(&t, f);
		text_put(&t, ", which was never stored");
		break;
	case HEAP_BROKEN:
		text_put(&t, "the header of a heap block was overwritten, for example by a write "
			     "before it or beyond its neighbour");
		break;
	}
}

const char *heap_pair_words(enum heap_role last, enum heap_role other, bool ordered)
{
	if (last == HEAP_FREES && other == HEAP_FREES)
		return ordered ? "double free" : "double free: nothing orders the two";
	if (last == HEAP_USES && other == HEAP_ALLOCATES && ordered)
		return "use of uninitialised memory: it loads bytes that were never stored";
	if (last == HEAP_ALLOCATES || other == HEAP_ALLOCATES)
		return last == HEAP_FREES || other == HEAP_FREES
			       ? "free without happens-before: nothing orders it after the "
				 "allocation"
			       : "publication without happens-before: nothing orders the use of a "
				 "block "
				 "after its allocation";
	return ordered ? "use after free"
		       : "use after free: nothing orders the use of a block before its free";
}
