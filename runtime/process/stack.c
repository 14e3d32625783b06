/* SPDX-License-Identifier: ISC */
/*
 * stack.c - call stacks by libunwind, which is loaded when first needed.
 *
 * It is not linked: libunwind.so exports _Unwind_RaiseException and its friends, and a C++ program
 * must throw with libgcc's. RTLD_DEEPBIND makes it call libc and not our interposed mutexes,
 * malloc() and write(): it runs in the middle of an execution, which must not notice.
 *
 * Stacks are interned in an area that is only reserved, with a hash table that finds equal ones.
 */
#define UNW_LOCAL_ONLY
#include "process/stack.h"
#include "arch/arch.h"
#include "base/table.h"
#include "process/bytes.h"
#include "process/coverage.h"
#include "process/descriptor.h"
#include "process/module.h"
#include "process/pages.h"

#include "base/prng.h"

#include <dlfcn.h>
#include <errno.h>
#include <libunwind.h>
#include <sys/mman.h>

#define STACKS_MAX (1u << 20)
#define WORDS_MAX  (64u << 20) /* of frames of all stacks: 512 MiB reserved */
#define TABLE_SIZE (STACKS_MAX * 2)

/* Functions of libunwind, under the names that its header's macros stand for. (Its getcontext() is
 * a macro for some processors.) */
#define STRING_(x) #x
#define STRING(x)  STRING_(x)

static struct {
	int (*init_local2)(unw_cursor_t *, unw_context_t *, int);
	int (*step)(unw_cursor_t *);
	int (*get_reg)(unw_cursor_t *, unw_regnum_t, unw_word_t *);
	int (*get_save_loc)(unw_cursor_t *, int, unw_save_loc_t *);
} unwind;

struct stack {
	u32 at, n; /* n frames from words[at] on, then both ends of each on the stack */
	u64 hash;
};

static struct {
	struct stack *stack; /* [STACKS_MAX], 1 first */
	u32 *table;	     /* [TABLE_SIZE], 0 = empty */
	u64 *words;
	u32 n, nwords;
} stacks;

static bool load_libunwind(void)
{
	void *lib = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);

	if (!lib)
		return false;
	*(void **)&unwind.init_local2 = dlsym(lib, STRING(UNW_OBJ(init_local2)));
	*(void **)&unwind.step = dlsym(lib, STRING(UNW_OBJ(step)));
	*(void **)&unwind.get_reg = dlsym(lib, STRING(UNW_OBJ(get_reg)));
	*(void **)&unwind.get_save_loc = dlsym(lib, STRING(UNW_OBJ(get_save_loc)));
	modules_refresh();
	return unwind.init_local2 && unwind.step && unwind.get_reg &&
	       unwind.get_save_loc;
}

/* libunwind's first cursor opens a pipe for ever: keep it away from the program's descriptors. */
static void open_pipe(void)
{
	unw_context_t context;
	unw_cursor_t cursor;

	descriptors_hold();
	arch_context_here(&context);
	if (!unwind.init_local2(&cursor, &context, 0))
		unwind.step(&cursor);
	descriptors_release();
}

bool stack_init(void)
{
	if (!stacks.stack) {
		stacks.stack = pages_take(STACKS_MAX * sizeof(*stacks.stack));
		stacks.table = pages_take(TABLE_SIZE * sizeof(*stacks.table));
		stacks.words = pages_take((u64)WORDS_MAX * sizeof(*stacks.words));
		if (!stacks.stack || !stacks.table || !stacks.words || !load_libunwind()) {
			unwind.step = NULL;
			coverage_note("call stacks: libunwind.so.8 cannot be loaded");
		} else {
			open_pipe();
		}
	}
	return unwind.step;
}

static bool is_stack(const struct stack *s, u64 hash, const u64 *words, u32 n)
{
	u32 i = 0;

	if (s->hash != hash || s->n != n)
		return false;
	while (i < 3 * n && stacks.words[s->at + i] == words[i])
		i++;
	return i == 3 * n;
}

static u32 intern_frames(const u64 *words, u32 n)
{
	u64 hash = n;
	u32 slot, nwords = 3 * n;

	for (u32 i = 0; i < nwords; i++)
		hash = prng_mix(hash ^ words[i]);
	TABLE_FIND(slot, hash, TABLE_SIZE,
		!stacks.table[slot] || is_stack(&stacks.stack[stacks.table[slot]], hash, words, n));
	if (stacks.table[slot])
		return stacks.table[slot];
	if (stacks.n + 1 == STACKS_MAX || stacks.nwords + nwords > WORDS_MAX) {
		coverage_note("limit: more than %u different call stacks", STACKS_MAX);
		return 0;
	}
	stacks.stack[++stacks.n] = (struct stack){ stacks.nwords, n, hash };
	bytes_copy(stacks.words + stacks.nwords, words, nwords * sizeof(*words));
	stacks.nwords += nwords;
	stacks.table[slot] = stacks.n;
	return stacks.n;
}

/* Frames from the context outwards. In a signal's context the first is the instruction itself, not
 * a return address: one more byte makes it look like one. */
static u32 walk_frames(unw_context_t *context, bool signal)
{
	u64 frames[3 * STACK_FRAMES], ends[2 * STACK_FRAMES];
	unw_cursor_t cursor;
	bool first = signal, inside = false;
	u32 n = 0;

	if (unwind.init_local2(&cursor, context, signal ? UNW_INIT_SIGNAL_FRAME : 0))
		return 0;
	do {
		unw_word_t ip, sp;

		if (unwind.get_reg(&cursor, UNW_REG_IP, &ip) || !ip)
			break;
		if (unwind.get_reg(&cursor, UNW_REG_SP, &sp))
			sp = 0;
		if (inside)
			ends[2 * n - 1] = sp;
		inside = !module_in_runtime(ip) && n < STACK_FRAMES;
		if (inside) {
			frames[n] = ip + first;
			ends[2 * n] = ends[2 * n + 1] = sp;
			n++;
		}
		first = false;
	} while ((n < STACK_FRAMES || inside) && unwind.step(&cursor) > 0);
	bytes_copy(frames + n, ends, 2 * n * sizeof(*ends));
	return n ? intern_frames(frames, n) : 0;
}

static bool find_caller(const void *fiber_sp, struct stack_caller *c)
{
	unw_context_t context;
	unw_cursor_t cursor;

	if (!unwind.step)
		return false;
	arch_context_here(&context);
	if (fiber_sp)
		arch_context_of_stack(&context, fiber_sp);
	if (unwind.init_local2(&cursor, &context, fiber_sp ? UNW_INIT_SIGNAL_FRAME : 0))
		return false;
	do {
		if (unwind.get_reg(&cursor, UNW_REG_IP, &c->ip) || !c->ip ||
			unwind.get_reg(&cursor, UNW_REG_SP, &c->sp))
			return false;
		if (module_in_runtime(c->ip))
			continue;
		for (unsigned i = 0; i < ARCH_UNWOUND; i++)
			if (unwind.get_reg(&cursor, arch_unwind_saved[i], &c->saved[i]))
				return false;
		arch_kept(fiber_sp, c->saved + ARCH_UNWOUND);
		return true;
	} while (unwind.step(&cursor) > 0);
	return false;
}

bool stack_caller(const void *fiber_sp, struct stack_caller *c)
{
	int error = errno; /* the program's */
	bool good = find_caller(fiber_sp, c);

	errno = error;
	return good;
}

/* --- callers of fibers, again ----------------------------------------------------------------- */

#define WAYS_MAX  64
#define WAY_STEPS 24

/* The way from a fiber's stack pointer to its program: offsets in words. */
static struct stack_path {
	u32 n;
	u32 at[WAY_STEPS]; /* the return address of each frame of the runtime, from word 0 on, where
			      it continues; the last one is in the program */
	u64 address[WAY_STEPS];
	u32 saved[ARCH_UNWOUND]; /* registers */
} ways[WAYS_MAX];
static u32 nways;

static bool is_way(const struct stack_path *w, const u64 *sp)
{
	for (u32 i = 0; i < w->n; i++)
		if (sp[w->at[i]] != w->address[i])
			return false;
	return true;
}

/* Where a register is on the stack; the first two of the first frame, where arch_jump() has
 * put them. */
static bool find_saved(unw_cursor_t *cursor, unsigned i, const u64 *sp, u32 *at)
{
	unw_save_loc_t loc;
	unw_word_t value;
	u64 offset;

	if (unwind.get_save_loc(cursor, arch_unwind_saved[i], &loc) ||
		unwind.get_reg(cursor, arch_unwind_saved[i], &value) || loc.type != UNW_SLT_MEMORY)
		return false;
	offset = (loc.u.addr - (u64)(uintptr_t)sp) / sizeof *sp;
	*at = offset < UINT32_MAX ? (u32)offset : i + 1;
	return (offset < UINT32_MAX || i < 2) && sp[*at] == value;
}

static bool learn_way(const u64 *sp, struct stack_path *w)
{
	unw_context_t context;
	unw_cursor_t cursor;
	unw_word_t ip, at;

	if (!unwind.step)
		return false;
	arch_context_here(&context);
	arch_context_of_stack(&context, sp);
	if (unwind.init_local2(&cursor, &context, UNW_INIT_SIGNAL_FRAME))
		return false;
	*w = (struct stack_path){.n = 1, .address = {sp[0]}};
	do {
		if (w->n == WAY_STEPS || unwind.step(&cursor) <= 0 ||
			unwind.get_reg(&cursor, UNW_REG_IP, &ip) || !ip ||
			unwind.get_reg(&cursor, UNW_REG_SP, &at))
			return false;
		w->at[w->n] = (u32)((at - (u64)(uintptr_t)sp) / sizeof *sp) - 1;
		w->address[w->n++] = ip;
	} while (module_in_runtime(ip));
	for (unsigned i = 0; i < ARCH_UNWOUND; i++)
		if (!find_saved(&cursor, i, sp, &w->saved[i]))
			return false;
	return is_way(w, sp);
}

bool stack_caller_again(const void *fiber_sp, struct stack_caller *c)
{
	const u64 *sp = fiber_sp;
	const struct stack_path *w = ways;

	while (w < ways + nways && !is_way(w, sp))
		w++;
	if (w == ways + nways) {
		if (nways == WAYS_MAX || !learn_way(sp, &ways[nways]))
			return stack_caller(fiber_sp, c);
		nways++;
	}
	c->ip = w->address[w->n - 1];
	c->sp = (u64)(uintptr_t)(sp + w->at[w->n - 1] + 1);
	for (unsigned i = 0; i < ARCH_UNWOUND; i++)
		c->saved[i] = sp[w->saved[i]];
	arch_kept(sp, c->saved + ARCH_UNWOUND);
	return true;
}

/* --- call stacks ------------------------------------------------------------------------------ */

u32 stack_capture(void)
{
	unw_context_t context;
	int error = errno; /* the program's */
	u32 id = 0;

	if (unwind.step) {
		arch_context_here(&context);
		id = walk_frames(&context, false);
	}
	errno = error;
	return id;
}

u64 stack_site(void)
{
	const u64 *frames;
	u32 n = stack_frames(stack_capture(), &frames);
	u64 hash = n;

	for (u32 i = 0; i < n; i++)
		hash = prng_mix(hash ^ frames[i]);
	return hash;
}

u32 stack_capture_signal(void *ucontext)
{
	return unwind.step ? walk_frames(ucontext, true) : 0;
}

unsigned stack_frames(u32 id, const u64 **frames)
{
	if (!id || id > stacks.n)
		return 0;
	*frames = stacks.words + stacks.stack[id].at;
	return stacks.stack[id].n;
}

bool stack_frame_of(u32 id, u64 address, u32 *frame, u64 *sp, u64 *cfa)
{
	const u64 *frames;
	u32 n = stack_frames(id, &frames);

	for (u32 i = 0; i < n; i++) {
		*sp = frames[n + 2 * i];
		*cfa = frames[n + 2 * i + 1];
		*frame = i;
		if (address >= *sp && address < *cfa)
			return true;
	}
	return false;
}

bool stack_is_above(u32 id, u64 address)
{
	const u64 *frames;
	u32 n = stack_frames(id, &frames);

	return n && frames[n] >= address;
}

unsigned stack_count(void)
{
	return stacks.n;
}

void stack_clear(void)
{
	if (stacks.n)
		madvise(stacks.table, TABLE_SIZE * sizeof(*stacks.table), MADV_DONTNEED);
	stacks.n = stacks.nwords = 0;
}
