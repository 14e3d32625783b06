/* SPDX-License-Identifier: ISC */
/*
 * llvm_plugin.cc - registers the pass with clang, and holds the few accessors (shim.h) that the C
 * API lacks. The only C++ here, because LLVM loads plugins through a C++ interface.
 */
#include "shim.h"

#include "plan.h"

#include "heddle/abi.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

using namespace llvm;

LLVMAtomicOrdering shim_fence_order(LLVMValueRef fence)
{
	/* The C enumeration has the same values. */
	return (LLVMAtomicOrdering)(int)cast<FenceInst>(unwrap(fence))->getOrdering();
}

bool shim_fence_is_signal(LLVMValueRef fence)
{
	return cast<FenceInst>(unwrap(fence))->getSyncScopeID() == SyncScope::SingleThread;
}

int shim_rmw(LLVMValueRef rmw)
{
	switch (cast<AtomicRMWInst>(unwrap(rmw))->getOperation()) {
	case AtomicRMWInst::Xchg: return HEDDLE_XCHG;
	case AtomicRMWInst::Add: return HEDDLE_ADD;
	case AtomicRMWInst::Sub: return HEDDLE_SUB;
	case AtomicRMWInst::And: return HEDDLE_AND;
	case AtomicRMWInst::Nand: return HEDDLE_NAND;
	case AtomicRMWInst::Or: return HEDDLE_OR;
	case AtomicRMWInst::Xor: return HEDDLE_XOR;
	case AtomicRMWInst::Max: return HEDDLE_MAX;
	case AtomicRMWInst::Min: return HEDDLE_MIN;
	case AtomicRMWInst::UMax: return HEDDLE_UMAX;
	case AtomicRMWInst::UMin: return HEDDLE_UMIN;
	case AtomicRMWInst::FAdd: return HEDDLE_FADD;
	case AtomicRMWInst::FSub: return HEDDLE_FSUB;
	default: return -1;
	}
}

/* getAsmString() gives a string in some versions and a reference to one in others: both convert. */
static const char *text_of(StringRef text, size_t *length)
{
	*length = text.size();
	return text.data();
}

const char *shim_asm_text(LLVMValueRef inline_asm, size_t *length)
{
	return text_of(unwrap<InlineAsm>(inline_asm)->getAsmString(), length);
}

const char *shim_asm_constraints(LLVMValueRef inline_asm, size_t *length)
{
	return text_of(unwrap<InlineAsm>(inline_asm)->getConstraintString(), length);
}

bool shim_asm_is_intel(LLVMValueRef inline_asm)
{
	return unwrap<InlineAsm>(inline_asm)->getDialect() == InlineAsm::AD_Intel;
}

LLVMTypeRef shim_asm_element_type(LLVMValueRef call, unsigned i)
{
	Attribute a = cast<CallBase>(unwrap(call))->getParamAttr(i, Attribute::ElementType);

	return a.isValid() ? wrap(a.getValueAsType()) : nullptr;
}

bool shim_call_has_no_memory(LLVMValueRef call)
{
	return cast<CallBase>(unwrap(call))->doesNotAccessMemory();
}

bool shim_call_returns_twice(LLVMValueRef call)
{
	return cast<CallBase>(unwrap(call))->hasFnAttr(Attribute::ReturnsTwice);
}

bool shim_call_is_musttail(LLVMValueRef call)
{
	auto *c = dyn_cast<CallInst>(unwrap(call));

	return c && c->isMustTailCall();
}

bool shim_call_byval(LLVMValueRef call, unsigned i, unsigned long long *size, unsigned *align)
{
	auto *c = cast<CallBase>(unwrap(call));
	Type *type;

	if (!c->isByValArgument(i))
		return false;
	type = c->getParamByValType(i);
	*size = c->getModule()->getDataLayout().getTypeAllocSize(type);
	*align = 16;
	if (c->getParamAlign(i) && c->getParamAlign(i)->value() > 16)
		*align = c->getParamAlign(i)->value();
	return true;
}

bool shim_param_is_byval(LLVMValueRef param)
{
	return cast<Argument>(unwrap(param))->hasByValAttr();
}

unsigned long long shim_param_size(LLVMValueRef param)
{
	auto *p = cast<Argument>(unwrap(param));

	return p->getParent()->getParent()->getDataLayout().getTypeAllocSize(
		p->getParamByValType());
}

void shim_set_local(LLVMValueRef global, bool local)
{
	cast<GlobalValue>(unwrap(global))->setDSOLocal(local);
}

unsigned shim_goto_labels(LLVMValueRef call)
{
	auto *c = dyn_cast<CallBrInst>(unwrap(call));

	return c ? c->getNumIndirectDests() : 0;
}

bool shim_goto_is_simple(LLVMValueRef call)
{
	auto *c = dyn_cast<CallBrInst>(unwrap(call));

	return c ? LLVM_VERSION_MAJOR < 16 || c->getType()->isVoidTy()
		 : isa<CallInst>(unwrap(call));
}

void shim_goto(LLVMValueRef call, LLVMValueRef condition, unsigned n)
{
	auto *c = cast<CallBrInst>(unwrap(call));
	BasicBlock *head = c->getParent(), *tail = head->splitBasicBlock(c->getIterator());
	BasicBlock *to = c->getIndirectDest(n);
	auto *branch = BranchInst::Create(to, tail, unwrap(condition));

	branch->setDebugLoc(c->getDebugLoc());
	ReplaceInstWithInst(head->getTerminator(), branch);
	for (PHINode &phi : to->phis())
		phi.addIncoming(phi.getIncomingValueForBlock(tail), head);
}

void shim_goto_end(LLVMValueRef call)
{
	auto *c = cast<CallBrInst>(unwrap(call));
	BasicBlock *here = c->getParent();

	for (unsigned i = 0; i < c->getNumIndirectDests(); i++)
		c->getIndirectDest(i)->removePredecessor(here, true);
	ReplaceInstWithInst(c, BranchInst::Create(c->getDefaultDest()));
}

/* Twice, so that the code stays aligned. */
void shim_mark_function(LLVMValueRef function, unsigned long long mark)
{
	auto *f = cast<Function>(unwrap(function));
	const uint64_t twice[] = {mark, mark};

	if (!f->hasPrefixData())
		f->setPrefixData(ConstantDataArray::get(f->getContext(), twice));
}

void shim_keep(LLVMModuleRef module, const LLVMValueRef *variables, unsigned n)
{
	SmallVector<GlobalValue *, 64> all;

	for (unsigned i = 0; i < n; i++)
		all.push_back(cast<GlobalValue>(unwrap(variables[i])));
	appendToCompilerUsed(*unwrap(module), all);
}

bool shim_is_sized(LLVMTypeRef type)
{
	Type *t = unwrap(type);

	return t->isSized() && !isa<ScalableVectorType>(t);
}

LLVMBasicBlockRef shim_split_before(LLVMValueRef instruction)
{
	auto *i = cast<Instruction>(unwrap(instruction));

	return wrap(i->getParent()->splitBasicBlock(i->getIterator()));
}

/* An invoke has a value only where it goes on without an exception. */
LLVMValueRef shim_after(LLVMValueRef instruction)
{
	auto *i = cast<Instruction>(unwrap(instruction));
	auto *invoke = dyn_cast<InvokeInst>(i);
	BasicBlock *to;

	if (!invoke)
		return wrap(i->getNextNode());
	to = invoke->getNormalDest();
	if (!to->getSinglePredecessor())
		to = SplitEdge(i->getParent(), to);
	return wrap(&*to->getFirstInsertionPt());
}

bool shim_same_operation(LLVMValueRef a, LLVMValueRef b)
{
	return cast<Instruction>(unwrap(a))->isSameOperationAs(cast<Instruction>(unwrap(b)));
}

bool shim_only_computes(LLVMValueRef instruction)
{
	auto *i = cast<Instruction>(unwrap(instruction));

	return !i->mayReadOrWriteMemory() && !i->mayHaveSideEffects() && !isa<PHINode>(i) &&
	       !isa<AllocaInst>(i);
}

bool shim_dominates(LLVMValueRef instruction, LLVMValueRef other)
{
	auto *i = cast<Instruction>(unwrap(instruction));
	DominatorTree tree(*i->getFunction());

	return tree.dominates(i, cast<Instruction>(unwrap(other)));
}

bool shim_is_promotable(LLVMValueRef variable)
{
	return isAllocaPromotable(cast<AllocaInst>(unwrap(variable)));
}

void shim_promote(LLVMValueRef *variable, unsigned n)
{
	SmallVector<AllocaInst *, 16> list;

	for (unsigned k = 0; k < n; k++)
		list.push_back(cast<AllocaInst>(unwrap(variable[k])));
	DominatorTree tree(*list[0]->getFunction());
	PromoteMemToReg(list, tree);
}

void shim_loops(LLVMValueRef function,
	void (*each)(void *context, LLVMBasicBlockRef *block, unsigned n), void *context)
{
	DominatorTree tree(*cast<Function>(unwrap(function)));
	LoopInfo loops(tree);
	SmallVector<LLVMBasicBlockRef, 32> blocks;

	for (Loop *l : loops.getLoopsInPreorder()) {
		blocks.clear();
		for (BasicBlock *b : l->blocks())
			blocks.push_back(wrap(b));
		each(context, blocks.data(), blocks.size());
	}
}

static unsigned long long cookie(const Instruction *i)
{
	MDNode *n = i->getMetadata("srcloc");

	if (!n || !n->getNumOperands())
		return 0;
	if (auto *c = mdconst::dyn_extract<ConstantInt>(n->getOperand(0)))
		return c->getZExtValue();
	return 0;
}

unsigned long long shim_source(LLVMValueRef instruction)
{
	auto *i = cast<Instruction>(unwrap(instruction));
	const DILocation *l = i->getDebugLoc().get();

	if (unsigned long long c = cookie(i))
		return c;
	return l ? (unsigned long long)(uintptr_t)l->getFile() ^ l->getLine() << 12 ^ l->getColumn()
		 : 0;
}

void shim_warn(LLVMValueRef instruction, const char *text)
{
	auto *i = cast<Instruction>(unwrap(instruction));

	/* clang turns a place in inline assembly into file:line:column itself, even without -g. */
	if (cookie(i))
		i->getContext().diagnose(DiagnosticInfoInlineAsm(*i, text, DS_Warning));
	else
		i->getContext().diagnose(DiagnosticInfoUnsupported(
			*i->getFunction(), text, i->getDebugLoc(), DS_Warning));
}

namespace
{

struct Instrument : PassInfoMixin<Instrument> {
	PreservedAnalyses run(Module &m, ModuleAnalysisManager &)
	{
		return pass_run(wrap(&m)) ? PreservedAnalyses::none() : PreservedAnalyses::all();
	}
	static bool isRequired()
	{
		return true;
	} /* also with -O0 and optnone */
};

struct Prepare : PassInfoMixin<Prepare> {
	PreservedAnalyses run(Module &m, ModuleAnalysisManager &)
	{
		return pass_prepare(wrap(&m)) ? PreservedAnalyses::none()
					      : PreservedAnalyses::all();
	}
	static bool isRequired()
	{
		return true;
	}
};

} // namespace

#if LLVM_VERSION_MAJOR >= 20
#define LAST_ARGUMENTS ModulePassManager &pm, OptimizationLevel, ThinOrFullLTOPhase
#else
#define LAST_ARGUMENTS ModulePassManager &pm, OptimizationLevel
#endif

static void register_callbacks(PassBuilder &builder)
{
	builder.registerPipelineStartEPCallback(
		[](ModulePassManager &pm, OptimizationLevel) { pm.addPass(Prepare()); });
	builder.registerOptimizerLastEPCallback([](LAST_ARGUMENTS) { pm.addPass(Instrument()); });
}

/* An option of LLVM's that the command line does not set; versions without it go without. */
static void set_option(const char *name)
{
	auto &options = cl::getRegisteredOptions();
	auto at = options.find(name);

	if (at != options.end() && !at->second->getNumOccurrences())
		at->second->addOccurrence(0, at->first(), "0");
}

/*
 * Keep the debug information of a local variable in memory a single location. Else LLVM describes
 * the values stored to it, and a report has no name for the memory that other threads access.
 *
 * Loops become vectors only where that loads nothing else: no members between those that the loop
 * loads, nor elements for which its condition does not hold. That would be a data race that is not
 * the program's. (The attribute sanitize_thread does not prevent it.)
 */
static void set_options()
{
	set_option("instcombine-lower-dbg-declare");
	if (plan_records())
		return;
	set_option("enable-interleaved-mem-accesses");
	set_option("enable-if-conversion");
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo()
{
	set_options();
	return {LLVM_PLUGIN_API_VERSION, "heddle", HEDDLE_VERSION, register_callbacks};
}
