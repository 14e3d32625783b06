/* SPDX-License-Identifier: ISC */
/*
 * library.c - the files that models include by name, in our own words: what herdtools' and Dat3M's
 * define under these names.
 */
#include "cat/cat.h"

#include "base/text.h"

/* clang-format off */
static const char stdlib[] =
	"let M = R | W\n"
	"let E = _\n"
	"let emptyset = {}\n"
	"let B = {}\n"
	"let po-loc = po & loc\n"
	"let rfe = rf & ext let rfi = rf & int\n"
	"let coe = co & ext let coi = co & int\n"
	"let fre = fr & ext let fri = fr & int\n"
	"let co0 = loc & (IW * (W \\ IW))\n"
	"let fencerel(S) = po;[S];po\n"
	"let fencerel-of(S) = po;[S];po\n"
	"let singlestep(r) = r \\ (r;r)\n"
	"let imply(a, b) = a \\ b\n"
	"let casdep = 0 let rcu-rscs = 0 let srcu-rscs = 0 let po_clean = po\n"
	"let WW(r) = r & (W * W) let WR(r) = r & (W * R) let RW(r) = r & (R * W)\n"
	"let RR(r) = r & (R * R) let RM(r) = r & (R * M) let MR(r) = r & (M * R)\n"
	"let WM(r) = r & (W * M) let MW(r) = r & (M * W) let MM(r) = r & (M * M)\n"
	"let noid(r) = r \\ id\n";

/* Filters of accesses by A, of locked instructions, and P, of others. */
static const char filters[] =
	"let AA(r) = r & (RMW * RMW) let AM(r) = r & (RMW * M) let MA(r) = r & (M * RMW)\n"
	"let AP(r) = r & (RMW * (M \\ RMW)) let PA(r) = r & ((M \\ RMW) * RMW)\n"
	"let PP(r) = r & ((M \\ RMW) * (M \\ RMW))\n"
	"let invrf = rf^-1\n";

static const char x86fences[] =
	"let mfence = try fencerel(MFENCE) with 0\n"
	"let lfence = try fencerel(LFENCE) with 0\n"
	"let sfence = try fencerel(SFENCE) with 0\n";

static const char ppcfences[] =
	"let sync = fencerel(sync) let lwsync = fencerel(lwsync)\n"
	"let eieio = 0 let isync = fencerel(isync)\n"
	"let ctrlisync = ctrl & (po;[isync];po)\n";

static const char armfences[] =
	"let dmb = fencerel(DMB) let dsb = fencerel(DSB)\n"
	"let dmb.st = fencerel(DMB.ST) let dsb.st = fencerel(DSB.ST)\n"
	"let isb = fencerel(ISB)\n";
/* clang-format on */

static const struct {
	const char *name, *text;
} files[] = {
	{"stdlib.cat", stdlib},
	{"cos.cat", "let com = rf | co | fr\n"},
	{"cos-opt.cat", "let com = rf | co | fr\n"},
	{"filters.cat", filters},
	{"fences.cat", ""},
	{"x86fences.cat", x86fences},
	{"ppcfences.cat", ppcfences},
	{"armfences.cat", armfences},
};

const char *cat_library(const char *name)
{
	for (u32 i = 0; i < array_size(files); i++)
		if (text_equal(files[i].name, name))
			return files[i].text;
	return NULL;
}
