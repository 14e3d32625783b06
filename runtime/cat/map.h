/* SPDX-License-Identifier: ISC */
/*
 * map.h - decorations: the tags that a model's sets are made of, for each operation of C.
 *
 * A model has them in a comment, or the name of a table of the library's:
 *
 *     (* heddle map x86 *)
 *     (* heddle
 *        load  seq_cst : Q
 *        store release seq_cst : L ; before STBAR ; after MFENCE
 *        rmw : X
 *        fence seq_cst : MFENCE
 *     *)
 *
 * A model without has the table c11; or, if it names a tag that c11 lacks, the first table of the
 * library that has it, if it has the others that are named.
 *
 * A line: load, store or fence, its orders (none: all; `plain' is one), the tags; fences that come
 * with it. `rmw': of both halves of a read-modify-write, and of a comparison that fails, added to
 * those of a load and of a store. `sync': threads, mutexes and the like. `empty': tags of no event.
 * Later lines replace earlier ones of the same operation. A line after `if llsc' or `if rcpc' is
 * for these options.
 *
 * Fences are also full, loads, stores, light, context, reads: instructions that no fence of C
 * compiles to; and barriers of the Linux kernel, around ... srcu-sync. One without a line has the
 * tags of its memory order.
 *
 * `causes : arm8', or another of enum map_causes: the model allows load buffering, and has at least
 * the order of this one that holes/holes_order.h has; without it, load buffering is not explored.
 *
 * `map instructions': of a machine (model/hardware/hardware.h). Both halves of a read-modify-write
 * have the tags and fences of a load and of a store of its order, one that fails those of the
 * stronger of its orders; or, in their place, those of lines `rmw ORDER...', if there are any. Of a
 * pair of exclusives only the load acquires, and only the store releases.
 */
#ifndef CAT_MAP_H
#define CAT_MAP_H

#include "base/base.h"
#include "cat/token.h"

#define MAP_TAGS  64
#define MAP_NAMES 1024

/* Tags that every model has. */
#define MAP_BASES(ROW) ROW(R) ROW(W) ROW(F) ROW(IW) ROW(RMW) ROW(SYNC) ROW(NA) ROW(NoRet) ROW(LOCK)
enum {
#define MAP_BASE_ID(name) MAP_##name,
	MAP_BASES(MAP_BASE_ID)
#undef MAP_BASE_ID
	MAP_BASE_COUNT
};

enum map_kind { MAP_LOAD, MAP_STORE, MAP_FENCE, MAP_KINDS };

/* C's orders, with plain in the place of consume. */
#define MAP_PLAIN  1
#define MAP_ORDERS 6
#define MAP_FENCES 18 /* instructions, in the order of enum fence_kind, behind the orders */

enum map_causes {
	CAUSES_NONE,
	CAUSES_ARM8,
	CAUSES_POWER,
	CAUSES_RISCV,
	CAUSES_IMM,
	CAUSES_LKMM,
	CAUSES_KINDS
};

/* Sets of tags, of an operation and of fences with it; 0: there is no such fence. */
struct decoration {
	u64 tags, before, after;
};

struct cat_map {
	u32 ntags;
	u32 used; /* bytes of `names' */
	u16 name[MAP_TAGS];
	char names[MAP_NAMES];
	struct decoration of[MAP_KINDS][MAP_ORDERS + MAP_FENCES];
	struct decoration rmw, sync;
	struct decoration rmw_of[MAP_ORDERS]; /* of one with this order, if orders_of_rmw */
	bool orders_of_rmw;
	bool llsc, rcpc; /* variants that are set, before the table is read */
	u32 kinds; /* bit of each instruction that has a line, 0 first */
	bool given; /* by the model */
	bool instructions, cas_picks; /* model/model.h */
	u8 causes; /* enum map_causes */
	const char *bell; /* a file of the library with sets that are computed from the tags; NULL:
			   * none */
};

/* The table without tags but those of every model; variants stay. */
void map_clear(struct cat_map *m);
/* Reads a comment's text `(* heddle ... *)'. False: *at and *why are the mistake. */
bool map_read(struct cat_map *m, const char *text, u32 n, u32 *at, const char **why);
/* Does the instruction have a line? It is one of enum fence_kind. */
static inline bool cat_map_has_fence(const struct cat_map *m, u32 kind)
{
	return kind && m->kinds >> (kind - 1) & 1;
}
/* Of an instruction that reads and writes, with the orders of C of both outcomes; half: of the load
 * or the store of a pair. */
struct decoration map_rmw(const struct cat_map *m, int order, int fail, enum map_kind half);
/* The number of a tag; MAP_TAGS: there is none. */
u32 map_tag(const struct cat_map *m, const char *name, u32 n);
const char *map_tag_name(const struct cat_map *m, u32 tag);
/* The first table of the library that has this tag; NULL: none. */
const char *map_of_tag(const char *name, u32 n);
/* A table of the library, which exists. */
bool map_library(struct cat_map *m, const char *name);

#endif
