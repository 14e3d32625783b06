/* SPDX-License-Identifier: ISC */
/*
 * primitive.c - small functions with a single access are inlined at every level.
 *
 * So each of their uses has its own code: a separate place for reports, `heddle fences' and `heddle
 * relax'. Primitives are defined in the tools (tools/source/primitive.h); here are inlined, at
 * the start of the pipeline,
 *
 *   - functions of system headers, without a loop, that make an atomic or volatile access, or call
 *     such a function;
 *   - functions that only this module needs, without a loop, that make one such access and call
 *     nothing, or call one such function and make no access.
 *
 * noinline functions are kept, except at -O0, where clang marks all functions noinline.
 */
#include "llvm_pass.h"

#include <string.h>

#define LARGEST_OF_SYSTEM 200 /* instructions */
#define LARGEST_OF_USER	  60

static unsigned kind_of(const char *name)
{
	return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static bool has_named(LLVMValueRef function, const char *name)
{
	return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind_of(name));
}

static void drop_attribute(LLVMValueRef function, const char *name)
{
	LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind_of(name));
}

/* Is it from a system header, as defined by tools/source/primitive.c? */
static bool is_of_system(LLVMValueRef function)
{
	static const char *const folders[] = {
		"/usr/include/", "/usr/local/include/", "/usr/lib", "/usr/local/lib"};
	LLVMMetadataRef program = LLVMGetSubprogram(function),
			file = program ? LLVMDIScopeGetFile(program) : NULL;
	unsigned n = 0;
	const char *path = file ? LLVMDIFileGetFilename(file, &n) : "";

	for (unsigned i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		if (n > strlen(folders[i]) && !memcmp(path, folders[i], strlen(folders[i])))
			return true;
	return n && memmem(path, n, "/include/c++/", 13);
}

/* The properties of a function's body that matter here. */
struct body {
	unsigned instructions, accesses, calls, primitives; /* primitives: of the calls */
	unsigned long long place; /* of the first access: a switch of orders has several */
	bool loops, labels; /* labels: assembly may define names, which must not be duplicated */
};

static bool is_access(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
	case LLVMFence: return true;
	case LLVMLoad:
	case LLVMStore:
		return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
	default: return false;
	}
}

static void look_at_call(struct body *b, LLVMValueRef i)
{
	LLVMValueRef callee = LLVMGetCalledValue(i);
	const char *name;
	size_t n;

	if (LLVMIsAInlineAsm(callee)) {
		name = shim_asm_text(callee, &n);
		b->accesses++;
		b->labels |= memchr(name, ':', n) != NULL;
		return;
	}
	if (LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee))
		return;
	name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
	if (!strcmp(name, "__clang_call_terminate"))
		return;
	if (!strncmp(name, "__atomic_", 9)) {
		b->accesses++;
		return;
	}
	b->calls++;
	b->primitives += *name && has_named(callee, "alwaysinline");
}

static void look_at(struct body *b, LLVMValueRef i)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(i);
	unsigned long long place;

	b->instructions++;
	if (op == LLVMCall || op == LLVMInvoke)
		look_at_call(b, i);
	if (!is_access(i))
		return;
	place = shim_source(i);
	if (!b->accesses || !place || place != b->place)
		b->accesses++;
	b->place = place;
}

/* Does a block branch to itself or to an earlier one, as in loops at the start of the pipeline? */
static bool goes_back(LLVMValueRef function, LLVMBasicBlockRef from)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(from);

	for (unsigned i = 0; last && i < LLVMGetNumSuccessors(last); i++)
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
			b = LLVMGetNextBasicBlock(b)) {
			if (b == LLVMGetSuccessor(last, i))
				return true;
			if (b == from)
				break;
		}
	return false;
}

static struct body body_of(LLVMValueRef function)
{
	struct body body = {.loops = false};

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
		b = LLVMGetNextBasicBlock(b)) {
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			look_at(&body, i);
		body.loops |= goes_back(function, b);
	}
	return body;
}

/* Is it only called by this module, or defined in each module that calls it? */
static bool is_at_hand(LLVMValueRef function)
{
	LLVMLinkage linkage = LLVMGetLinkage(function);

	return linkage == LLVMInternalLinkage || linkage == LLVMLinkOnceODRLinkage ||
	       linkage == LLVMLinkOnceAnyLinkage || linkage == LLVMAvailableExternallyLinkage;
}

static bool is_primitive(LLVMValueRef function)
{
	struct body b;

	if (LLVMIsDeclaration(function) || !is_at_hand(function) ||
			has_named(function, "alwaysinline") ||
		pass_is_ignored(function))
		return false;
	b = body_of(function);
	if (b.loops || b.labels ||
		b.instructions > (is_of_system(function) ? LARGEST_OF_SYSTEM : LARGEST_OF_USER))
		return false;
	if (is_of_system(function))
		return b.accesses || b.primitives;
	return b.accesses + b.calls == 1 && b.calls == b.primitives;
}

/* At -O0 clang marks functions noinline, except those that it must inline. */
static bool inlines_by_itself(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f) && !has_named(f, "noinline") &&
				!has_named(f, "alwaysinline"))
			return true;
	return false;
}

bool primitive_inline(LLVMModuleRef module)
{
	LLVMAttributeRef always =
		LLVMCreateEnumAttribute(LLVMGetModuleContext(module), kind_of("alwaysinline"), 0);
	bool chosen = inlines_by_itself(module), any = false, again;

	do {
		again = false;
		for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
			if ((chosen && has_named(f, "noinline")) || !is_primitive(f))
				continue;
			drop_attribute(f, "optnone");
			drop_attribute(f, "noinline");
			LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, always);
			any = again = true;
		}
	} while (again);
	return any;
}
