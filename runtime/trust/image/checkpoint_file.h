/* SPDX-License-Identifier: ISC */
/*
 * checkpoint_file.h - the format of a checkpoint (written and read by search/jobs/checkpoint.c).
 *
 * A head; the slots of threads; the known locations; images of frontiers (frontier.h), each
 * at a multiple of 64 after 64 bytes that begin with its size. Nothing after the last. A file is
 * untrusted: its checksum finds damage, not malice, so all contents are checked before use.
 */
#ifndef TRUST_IMAGE_CHECKPOINT_FILE_H
#define TRUST_IMAGE_CHECKPOINT_FILE_H

#include "base/base.h"

#define CHECKPOINT_VERSION 3
#define CHECKPOINT_IMAGES  4096
#define CHECKPOINT_SLOTS   512 /* of threads */

struct checkpoint_totals {
	u64 executions, blocked, failing, steps, nanoseconds, bounded;
};

struct checkpoint_head {
	char magic[16];
	u32 version, size; /* of this */
	u64 checksum;	   /* of everything after the head */
	u64 program, arguments, options; /* that it belongs to */
	struct checkpoint_totals totals;
	u32 nchildren, nslots, nplaces, nimages;
	u32 lanes;
	u32 awaits; /* bits: struct awaits, waits, all, time */
};

struct checkpoint_child {
	u16 parent, nth, slot;
};

struct checkpoint_place {
	u64 addr, init;
	u32 size; /* 0: an object */
	u8 atomic, promoted;
	u16 awaits; /* bits: struct awaits, left_out, monitor */
};

extern const char checkpoint_magic[16];

/* Continue the checksum, over the parts in their order, from 0 on. */
u64 checkpoint_sum(u64 sum, const void *data, size_t n);

/* A file in memory. */
struct checkpoint_file {
	struct checkpoint_head head;
	u64 sum; /* checksum of the part after the head */
	const u8 *children, *places; /* not aligned: copied out by the two functions */
	const u8 *image[CHECKPOINT_IMAGES];
	size_t image_size[CHECKPOINT_IMAGES];
};

/* NULL: the file is well-formed; else the reason ("a damaged checkpoint"). The contents of its
 * images are checked by frontier_import(). */
const char *checkpoint_file_read(struct checkpoint_file *f, const void *bytes, size_t size);

struct checkpoint_child checkpoint_file_child(const struct checkpoint_file *f, u32 i);
struct checkpoint_place checkpoint_file_place(const struct checkpoint_file *f, u32 i);

#endif
