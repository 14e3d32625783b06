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
	"let ctrlcfence(c, S) = c & (po;[S];po)\n"
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
	"let isync-set = try ISYNC with isync\n"
	"let sync = fencerel(try SYNC with sync) let lwsync = fencerel(try LWSYNC with lwsync)\n"
	"let eieio = 0 let isync = fencerel(isync-set)\n"
	"let ctrlisync = ctrlcfence(ctrl, isync-set)\n";

static const char armfences[] =
	"let dmb = fencerel(DMB) let dsb = fencerel(DSB)\n"
	"let dmb.st = fencerel(DMB.ST) let dsb.st = fencerel(DSB.ST)\n"
	"let isb = fencerel(ISB)\n";

/* Events and relations of AArch64 that executions of C do not have, of memory management,
 * registers, instructions as data; dependencies are known without them. */
static const char catdep[] =
	"let Exp = M let NExp = {}\n"
	"let Rreg = {} let Wreg = {} let ADDR = {} let DATA = {} let BCC = {} let T = {}\n"
	"let iico_data = 0 let iico_ctrl = 0 let iico_order = 0 let rf-reg = 0\n"
	"let same-instance = id let same-low-order-bits = 0 let same-tag-loc = loc let sm = id\n"
	"let ca = co | fr let isb = 0\n"
	"let amo = if \"llsc\" then 0 else rmw let lxsx = if \"llsc\" then rmw else 0\n"
	"let DMB.ISH = {} let DMB.ISHLD = {} let DMB.ISHST = {} let SPURIOUS = {}\n"
	"let IC.IALLUIS = {} let IC.IALLU = {} let IC.IVAU = {} let DC.CVAU = {} let TLBI = {}\n"
	"let FAULT = {} let MMU = {} let TagCheck = {} let EXC-ENTRY = {} let EXC-RET = {}\n"
	"let SVC = {} let AccessFlag = {} let Translation = {} let PTE = {}\n"
	"let inv-domain = 0 let PTEtoPA = 0 let same-oa(r) = 0\n"
	"let at-least-one-writable(r) = 0 let different-values(r) = 0\n";

/* Events of the Linux kernel. A read-modify-write that succeeds is a full barrier if fences are
 * around it; a lock is taken by one, and a spin_trylock() that fails is one that fails. */
static const char lkmm_bell[] =
	"let MB = MB | (let next = po \\ (po; po) in\n"
	"	domain ([Around]; next; rmw) | range (rmw; next; [Around]))\n"
	"let NORETURN = NoRet\n"
	"let LKR = LOCK & domain (rmw) let LKW = LOCK & range (rmw)\n"
	"let UL = (LOCK & W) \\ RMW let LF = (LOCK & R & RMW) \\ LKR\n"
	"let RL = (LOCK & R & range ([LKW]; rf)) \\ RMW let RU = (LOCK & R) \\ (RMW | RL)\n"
	"let different-values(r) = 0\n";

/* herdtools' generates rf and co of locks, which executions have. */
static const char lock[] =
	"let LF = LF | RL\n"
	"let ALL-LOCKS = LKR | LKW | UL | LF | RU | Srcu-lock | Srcu-unlock | Sync-srcu\n"
	"let lk-rmw = [LKR]; rmw\n"
	"let Release = Release | UL let Acquire = Acquire | LKR\n"
	"let critical = ([LKW]; po-loc; [UL]) \\ (po-loc; [LKW | UL]; po-loc)\n"
	"let UNMATCHED-LKW = LKW \\ domain (critical)\n"
	"flag ~empty UL \\ range (critical) as unmatched-unlock\n";

/* Relations that order maintenance of caches: there is none. */
static const char enumerations[] =
	"let all-TLBI-Imp_TTD_R-enums(r) = 0 let all-DC-Exp_W-enums(r) = 0\n"
	"let all-IC-Imp_Instr_R-enums(r) = 0\n";
/* clang-format on */

static const struct {
	const char *name, *text;
	bool always; /* herdtools' generate relations that executions have */
} files[] = {
	{"stdlib.cat", stdlib, true},
	{"cos.cat", "let com = rf | co | fr\n", true},
	{"cos-opt.cat", "let com = rf | co | fr\n", true},
	{"cross.cat", "", true},
	{"lock.cat", lock, true},
	{"lkmm.bell", lkmm_bell, true},
	{"catdep", catdep, true},
	{"enumerations.cat", enumerations, true},
	{"filters.cat", filters, false},
	{"fences.cat", "", false},
	{"x86fences.cat", x86fences, false},
	{"ppcfences.cat", ppcfences, false},
	{"armfences.cat", armfences, false},
};

const char *cat_library(const char *name, bool *always)
{
	for (u32 i = 0; i < array_size(files); i++)
		if (text_equal(files[i].name, name)) {
			*always = files[i].always;
			return files[i].text;
		}
	return NULL;
}
