/* SPDX-License-Identifier: ISC */
/*
 * private.c - memory of a function that no other thread or function can access.
 *
 * Idea.   A local variable (alloca) or a parameter passed by value in memory is private if its
 *         address is used only by accesses in this function. LLVM's own capture analysis is not
 *         enough: a callee that does not keep the address may still store through it, and that
 *         store would sit in a store buffer while this function reads memory directly. So every
 *         call, except the few that the pass itself rewrites, lets the address escape.
 * Merges. A pointer chosen by a phi or select is private only if all its objects are; if one is
 *         not, none is, because all accesses to an object must be of one kind.
 * errno.  Threads of the program share one kernel thread, and its errno is switched with them: an
 *         access there must not be buffered, and is no race.
 * Always. (1) all accesses to one object are rewritten or none is.
 */
#include "private.h"
#include "map.h"
#include "plan.h"

#include <string.h>

#define ROOTS_MAX 64

struct private
{
	LLVMValueRef function;
	LLVMValueRef *object; /* allocas, and parameters with the attribute byval */
	bool *escaped;
	unsigned n, room;
	struct map index;    /* of object */
	LLVMValueRef *merge; /* phis and selects that an object flows into */
	unsigned nmerges, merge_room;
};

/* The objects that a pointer may point to. */
struct roots {
	LLVMValueRef root[ROOTS_MAX];
	unsigned n;
	bool too_many;
	struct map seen;
};

static void push(LLVMValueRef **list, unsigned *n, unsigned *room, LLVMValueRef v)
{
	if (*n == *room) {
		*room = *room ? 2 * *room : 16;
		*list = realloc(*list, *room * sizeof(**list));
		if (!*list)
			abort();
	}
	(*list)[(*n)++] = v;
}

const char *callee_name(LLVMValueRef call)
{
	LLVMValueRef f = LLVMGetCalledValue(call);
	size_t length;

	while (LLVMIsAConstantExpr(f) && LLVMGetConstOpcode(f) == LLVMBitCast)
		f = LLVMGetOperand(f, 0);
	if (!LLVMIsAFunction(f) ||
		(!LLVMIsDeclaration(f) && LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage))
		return "";
	return LLVMGetValueName2(f, &length);
}

/* Calls that return their first argument: the pointer is followed through them. */
static bool returns_first(const char *name, unsigned arguments)
{
	return text_starts(name, "llvm.launder.invariant.group") ||
	       text_starts(name, "llvm.strip.invariant.group") ||
	       text_starts(name, "llvm.ptr.annotation") ||
	       text_starts(name, "llvm.threadlocal.address") || text_starts(name, "llvm.ptrmask") ||
	       plan_memory_function(name, arguments) != MEMORY_OTHER;
}

/* Calls that neither keep an address nor access memory in a way that the pass does not rewrite. */
static bool keeps_private(const char *name, unsigned arguments)
{
	static const char *const prefixes[] = {"llvm.lifetime.", "llvm.dbg.", "llvm.memcpy.",
		"llvm.memmove.", "llvm.memset.", "llvm.va_", "llvm.prefetch", "llvm.objectsize",
		"llvm.invariant.", "llvm.assume", "llvm.fake.use", "llvm.var.annotation",
		"llvm.masked.load.", "llvm.masked.expandload.", "llvm.x86.sse.stmxcsr",
		"llvm.x86.sse.ldmxcsr"};

	for (unsigned i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (text_starts(name, prefixes[i]))
			return true;
	return returns_first(name, arguments);
}

static unsigned opcode(LLVMValueRef v)
{
	if (LLVMIsAInstruction(v))
		return LLVMGetInstructionOpcode(v);
	return LLVMIsAConstantExpr(v) ? LLVMGetConstOpcode(v) : 0;
}

static bool is_call(LLVMValueRef v)
{
	return LLVMIsACallInst(v) || LLVMIsAInvokeInst(v);
}

static void roots_of(struct roots *r, LLVMValueRef p)
{
	if (!map_add(&r->seen, p, 0) || r->too_many)
		return;
	switch (opcode(p)) {
	case LLVMGetElementPtr:
	case LLVMBitCast:
	case LLVMAddrSpaceCast:
	case LLVMFreeze: roots_of(r, LLVMGetOperand(p, 0)); return;
	case LLVMSelect:
		roots_of(r, LLVMGetOperand(p, 1));
		roots_of(r, LLVMGetOperand(p, 2));
		return;
	case LLVMPHI:
		for (unsigned i = 0; i < LLVMCountIncoming(p); i++)
			roots_of(r, LLVMGetIncomingValue(p, i));
		return;
	}
	if (is_call(p) && LLVMGetNumArgOperands(p) &&
		returns_first(callee_name(p), LLVMGetNumArgOperands(p))) {
		roots_of(r, LLVMGetOperand(p, 0));
		return;
	}
	if (r->n == ROOTS_MAX)
		r->too_many = true;
	else
		r->root[r->n++] = p;
}

/* Memory that never changes, or none at all; or errno. */
static bool is_no_object(LLVMValueRef p)
{
	if (is_call(p) && !strcmp(callee_name(p), "__errno_location"))
		return true;
	return (LLVMIsAGlobalVariable(p) && LLVMIsGlobalConstant(p)) || LLVMIsNull(p) ||
	       LLVMIsUndef(p);
}

/* Whether the call uses `v` only in ways that keep it private; adds the values to follow. */
static bool call_keeps(struct private *p, LLVMValueRef call, LLVMValueRef v, LLVMValueRef **list,
	unsigned *n, unsigned *room)
{
	unsigned arguments = LLVMGetNumArgOperands(call), align;
	const char *name = callee_name(call);
	unsigned long long size;
	bool is_asm = LLVMIsAInlineAsm(LLVMGetCalledValue(call));

	if (*name && keeps_private(name, arguments)) {
		if (returns_first(name, arguments) && LLVMGetOperand(call, 0) == v)
			push(list, n, room, call);
		return true;
	}
	for (unsigned i = 0; i < arguments; i++) {
		if (LLVMGetOperand(call, i) != v || plan_hands_back(name, i))
			continue;
		if (is_asm ? !shim_asm_element_type(call, i)
			   : !shim_call_byval(call, i, &size, &align))
			return false;
	}
	return LLVMGetCalledValue(call) != v;
}

/* Whether user, which has v as an operand, keeps v private. */
static bool use_keeps(struct private *p, LLVMValueRef user, LLVMValueRef v, LLVMValueRef **list,
	unsigned *n, unsigned *room)
{
	switch (opcode(user)) {
	case LLVMLoad:
	case LLVMICmp: return true;
	case LLVMStore: return LLVMGetOperand(user, 0) != v;
	case LLVMAtomicRMW: return LLVMGetOperand(user, 1) != v;
	case LLVMAtomicCmpXchg: return LLVMGetOperand(user, 1) != v && LLVMGetOperand(user, 2) != v;
	case LLVMPHI:
	case LLVMSelect:
		push(&p->merge, &p->nmerges, &p->merge_room, user);
		/* fall through */
	case LLVMGetElementPtr:
	case LLVMBitCast:
	case LLVMFreeze:
		push(list, n, room, user);
		return LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMPointerTypeKind;
	case LLVMCall:
	case LLVMInvoke: return call_keeps(p, user, v, list, n, room);
	default: return false;
	}
}

static bool escapes(struct private *p, LLVMValueRef object)
{
	LLVMValueRef *list = NULL, v;
	unsigned n = 0, room = 0;
	struct map seen = {0};
	bool kept = true;

	push(&list, &n, &room, object);
	while (n && kept) {
		v = list[--n];
		if (!map_add(&seen, v, 0))
			continue;
		for (LLVMUseRef u = LLVMGetFirstUse(v); u && kept; u = LLVMGetNextUse(u))
			kept = use_keeps(p, LLVMGetUser(u), v, &list, &n, &room);
	}
	free(list);
	map_release(&seen);
	return !kept;
}

static void add_object(struct private *p, LLVMValueRef v)
{
	map_add(&p->index, v, p->n);
	push(&p->object, &p->n, &p->room, v);
}

/* Make all objects of a merge escape if one of its roots is no private object. */
static bool settle_merge(struct private *p, LLVMValueRef merge)
{
	struct roots r = {.n = 0};
	bool mixed, changed = false;
	unsigned *i;

	roots_of(&r, merge);
	mixed = r.too_many;
	for (unsigned k = 0; k < r.n; k++) {
		i = map_find(&p->index, r.root[k]);
		mixed |= i ? p->escaped[*i] : !is_no_object(r.root[k]);
	}
	for (unsigned k = 0; mixed && k < r.n; k++) {
		i = map_find(&p->index, r.root[k]);
		if (i && !p->escaped[*i])
			changed = p->escaped[*i] = true;
	}
	map_release(&r.seen);
	return changed;
}

/* Whether a merge has more roots than roots_of() follows: then its objects cannot all be found. */
static bool merge_too_wide(LLVMValueRef merge)
{
	struct roots r = {.n = 0};

	roots_of(&r, merge);
	map_release(&r.seen);
	return r.too_many;
}

struct private *private_analyse(LLVMValueRef function)
{
	struct private *p = calloc(1, sizeof(*p));
	bool changed = true, all = false;

	if (!p)
		abort();
	p->function = function;
	for (unsigned i = 0; i < LLVMCountParams(function); i++)
		if (shim_param_is_byval(LLVMGetParam(function, i)))
			add_object(p, LLVMGetParam(function, i));
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
		b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMIsAAllocaInst(i))
				add_object(p, i);
	p->escaped = calloc(p->n + 1, sizeof(*p->escaped));
	if (!p->escaped)
		abort();
	for (unsigned i = 0; i < p->n; i++)
		p->escaped[i] = escapes(p, p->object[i]);
	for (unsigned i = 0; i < p->nmerges; i++)
		all |= merge_too_wide(p->merge[i]);
	for (unsigned i = 0; all && i < p->n; i++)
		p->escaped[i] = true;
	while (changed) {
		changed = false;
		for (unsigned i = 0; i < p->nmerges; i++)
			changed |= settle_merge(p, p->merge[i]);
	}
	return p;
}

void private_free(struct private *p)
{
	map_release(&p->index);
	free(p->object);
	free(p->escaped);
	free(p->merge);
	free(p);
}

bool private_pointer(struct private *p, LLVMValueRef pointer)
{
	struct roots r = {.n = 0};
	bool private;
	unsigned *i;

	roots_of(&r, pointer);
	private = !r.too_many;
	for (unsigned k = 0; private && k < r.n; k++) {
		i = map_find(&p->index, r.root[k]);
		private = i ? !p->escaped[*i] : is_no_object(r.root[k]);
	}
	map_release(&r.seen);
	return private;
}

bool private_any_escapes(const struct private *p)
{
	for (unsigned i = 0; i < p->n; i++)
		if (p->escaped[i])
			return true;
	return false;
}

LLVMValueRef private_next_escaped(const struct private *p, unsigned *i)
{
	while (*i < p->n && !p->escaped[*i])
		++*i;
	return *i < p->n ? p->object[(*i)++] : NULL;
}

LLVMValueRef private_next(const struct private *p, unsigned *i)
{
	while (*i < p->n && p->escaped[*i])
		++*i;
	return *i < p->n ? p->object[(*i)++] : NULL;
}

unsigned private_escaped_params(const struct private *p, unsigned *index, unsigned max)
{
	unsigned n = 0, *i;

	for (unsigned k = 0; k < LLVMCountParams(p->function) && n < max; k++) {
		i = map_find(&p->index, LLVMGetParam(p->function, k));
		if (i && p->escaped[*i])
			index[n++] = k;
	}
	return n;
}
