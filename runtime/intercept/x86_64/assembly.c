/* SPDX-License-Identifier: ISC */
/*
 * assembly.c - inline assembly that gcc has compiled: one access, fence or pause
 * (heddle/asm_call.h).
 *
 * gcc does not announce private local variables, so memory on the thread's own stack that is not
 * known to be shared is accessed natively.
 */
#include "intercept/entry.h"
#include "machine/access/access.h"
#include "machine/execution/tsan_store.h"
#include "process/bytes.h"

#include <heddle/abi.h>
#include <heddle/asm_call.h>

#define RELAXED (__ATOMIC_RELAXED | HEDDLE_ASM)
#define LOCKED	(__ATOMIC_SEQ_CST | HEDDLE_ASM)
#define CARRY	0x01u
#define ZERO	0x40u

/* The frame pushed by __heddle_asm(), and the request. */
struct assembly {
	u64 r11, r10, r9, r8, rdi, rsi, rbx, rdx, rcx, rax, flags;
	u64 cell[2];
	u64 changes; /* of the flags */
	u64 code, operand;
	void *p;
	u64 before; /* rax, from before the address was computed: the same */
	u64 return_address;
};

void assembly_call(struct assembly *a);

/* --- one access, explored or natively --------------------------------------------------------- */

static bool on_own_stack(const void *p)
{
	return (u64)(uintptr_t)p - fiber_low(M.cur->slot) < FIBER_STACK_STRIDE;
}

static bool is_private_memory(const void *p, u32 size)
{
	return on_own_stack(p) && M.engine->keeps_private((u64)(uintptr_t)p, size);
}

/* v: the operand, then the old value. */
#define NATIVELY(size, type) \
	static void native_update##size(void *p, u64 v[2], int op) \
	{ \
		v[0] = native_rmw##size(p, (type)v[0], op, __ATOMIC_SEQ_CST); \
	} \
	static bool native_exchange##size(void *p, u64 expected[2], const u64 desired[2]) \
	{ \
		type e = (type)expected[0]; \
		bool ok = native_cas##size(p, &e, (type)desired[0], 0); \
\
		expected[0] = e; \
		return ok; \
	}

NATIVELY(1, u8)
NATIVELY(2, u16)
NATIVELY(4, u32)
NATIVELY(8, u64)

static bool native_exchange16(void *p, u64 expected[2], const u64 desired[2])
{
	u128 e = (u128)expected[1] << 64 | expected[0];
	bool ok = native_cas16(p, &e, (u128)desired[1] << 64 | desired[0], 0);

	expected[0] = (u64)e;
	expected[1] = (u64)(e >> 64);
	return ok;
}

static void load_operand(void *p, u32 size, bool explored, u64 v[2])
{
	if (explored && !is_private_memory(p, size))
		access_load(p, size, RELAXED, 0, v);
	else
		bytes_copy(v, p, size);
}

static void store(void *p, u32 size, bool explored, const u64 v[2])
{
	if (!explored || is_private_memory(p, size)) {
		if (explored && M.engine->own_write)
			M.engine->own_write((u64)(uintptr_t)p, size, v);
		bytes_copy(p, v, size);
		return;
	}
	access_store(p, size, v, RELAXED, 0);
	tsan_store_own_stack(p);
}

static void update(void *p, u32 size, bool explored, u64 v[2], int op)
{
	if (explored && !is_private_memory(p, size)) {
		access_rmw(p, size, v, op, LOCKED);
		return;
	}
	switch (size) {
	case 1: native_update1(p, v, op); break;
	case 2: native_update2(p, v, op); break;
	case 4: native_update4(p, v, op); break;
	default: native_update8(p, v, op); break;
	}
}

static bool exchange(void *p, u32 size, bool explored, u64 expected[2], const u64 desired[2])
{
	if (explored && !is_private_memory(p, size))
		return access_cas(p, size, expected, desired, LOCKED | __ATOMIC_SEQ_CST << 8);
	switch (size) {
	case 1: return native_exchange1(p, expected, desired);
	case 2: return native_exchange2(p, expected, desired);
	case 4: return native_exchange4(p, expected, desired);
	case 8: return native_exchange8(p, expected, desired);
	default: return native_exchange16(p, expected, desired);
	}
}

/* --- instructions ----------------------------------------------------------------------------- */

static u64 cut_value(u64 v, u32 size)
{
	return size < 8 ? v & ((1ull << (8 * size)) - 1) : v;
}

static void set_flag(struct assembly *a, u64 flag, bool on)
{
	a->changes = flag;
	a->flags = on ? flag : 0;
}

static void negate(struct assembly *a, u32 size, bool explored)
{
	u64 new[2] = {0, 0};

	load_operand(a->p, size, explored, a->cell);
	do
		new[0] = cut_value(-a->cell[0], size);
	while (!exchange(a->p, size, explored, a->cell, new));
}

static void make_cas(struct assembly *a, u32 size, bool explored)
{
	u64 desired[2] = {a->operand, 0};

	a->cell[0] = cut_value(a->rax, size);
	exchange(a->p, size, explored, a->cell, desired);
}

/* expected in dx:ax, desired in cx:bx */
static void cas_pair(struct assembly *a, u32 size, bool explored)
{
	u64 e[2] = {a->rax, a->rdx}, d[2] = {a->rbx, a->rcx}, was[2];
	bool ok;

	if (size == 8) {
		e[0] = (u32)e[0] | e[1] << 32;
		d[0] = (u32)d[0] | d[1] << 32;
		e[1] = d[1] = 0;
	}
	was[0] = e[0];
	was[1] = e[1];
	if (a->code & HEDDLE_ASM_LOCKED) {
		ok = exchange(a->p, size, explored, e, d);
	} else {
		e[0] = e[1] = 0;
		load_operand(a->p, size, explored, e);
		ok = e[0] == was[0] && e[1] == was[1];
		store(a->p, size, explored, ok ? d : e);
	}
	a->rax = size == 8 ? (u32)e[0] : e[0];
	a->rdx = size == 8 ? e[0] >> 32 : e[1];
	set_flag(a, ZERO, ok);
}

static u64 with_bit(u64 v, u64 mask, int op)
{
	return op == HEDDLE_OR ? v | mask : op == HEDDLE_AND ? v & ~mask : v ^ mask;
}

/* A bit number in a register may lie outside the operand: then the access is to memory beyond
 * it. */
static void change_bit(struct assembly *a, u32 size, int op, bool explored)
{
	u32 width = 8 * size, n = a->operand & (width - 1);
	i64 number = size == 2	 ? (int16_t)a->operand
		     : size == 4 ? (int32_t)a->operand
				 : (i64)a->operand;
	u64 mask = 1ull << n, v[2] = {op == HEDDLE_AND ? cut_value(~mask, size) : mask, 0};
	char *p = a->p;

	if (a->code & HEDDLE_ASM_FAR)
		p += (number - n) / 8;
	if (a->code & HEDDLE_ASM_LOCKED) {
		update(p, size, explored, v, op);
	} else {
		v[0] = 0;
		load_operand(p, size, explored, v);
		a->cell[0] = with_bit(v[0], mask, op);
		if (op != HEDDLE_XCHG)
			store(p, size, explored, a->cell);
	}
	set_flag(a, CARRY, v[0] & mask);
}

static void access(struct assembly *a, u32 size, int op, bool explored)
{
	switch ((enum heddle_asm)(a->code & 0xff)) {
	case HEDDLE_ASM_LOAD: load_operand(a->p, size, explored, a->cell); break;
	case HEDDLE_ASM_STORE: store(a->p, size, explored, a->cell); break;
	case HEDDLE_ASM_RMW:
		a->cell[0] = a->operand;
		update(a->p, size, explored, a->cell, op);
		break;
	case HEDDLE_ASM_NEGATE: negate(a, size, explored); break;
	case HEDDLE_ASM_CAS: make_cas(a, size, explored); break;
	case HEDDLE_ASM_CAS_PAIR: cas_pair(a, size, explored); break;
	case HEDDLE_ASM_BIT: change_bit(a, size, op, explored); break;
	default: break;
	}
}

static void count_cycles(struct assembly *a, int op)
{
	u64 now = __heddle_cycles();

	a->rax = (u32)now;
	a->rdx = now >> 32;
	if (op) /* rdtscp: the processor */
		a->rcx = 0;
}

/* Registers that the instruction does not use are excluded from the state that is compared
 * (spin.h). The flags are not live before inline assembly. */
static void clear_unused(struct assembly *a, u32 size)
{
	enum heddle_asm kind = a->code & 0xff;

	a->code = (u32)a->code;
	a->flags = a->changes = 0;
	a->operand = kind == HEDDLE_ASM_RMW || kind == HEDDLE_ASM_CAS || kind == HEDDLE_ASM_BIT
			     ? cut_value(a->operand, size)
			     : 0;
	if (kind != HEDDLE_ASM_STORE)
		a->cell[0] = a->cell[1] = 0;
	if (kind >= HEDDLE_ASM_FENCE) {
		a->p = NULL;
		a->before = 0;
	}
}

void assembly_call(struct assembly *a)
{
	u32 size = a->code >> 8 & 0xff;
	int op = a->code >> 16 & 0xff;
	bool explored = machine_entered();
	u64 flags = a->flags;

	clear_unused(a, size);
	if (explored)
		machine_site = a->return_address;
	switch ((enum heddle_asm)(a->code & 0xff)) {
	case HEDDLE_ASM_FENCE:
		if (explored)
			access_fence(op | HEDDLE_ASM);
		break;
	case HEDDLE_ASM_PAUSE: __heddle_pause(); break;
	case HEDDLE_ASM_CYCLES: count_cycles(a, op); break;
	case HEDDLE_ASM_OPAQUE: __heddle_opaque(); break;
	case HEDDLE_ASM_OPAQUE_ORDER: __heddle_opaque_order(); break;
	default: access(a, size, op, explored); break;
	}
	a->flags = (flags & ~a->changes) | a->flags;
}
