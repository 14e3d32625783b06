/* SPDX-License-Identifier: ISC */
/*
 * asm.c - the text and the constraints of inline assembly. The first byte chooses the dialect; 0xff
 * stands between the two. Accepted input must meet the assumptions of asm_site.c.
 */
#include "fuzz.h"

#include <string.h>

#include "../../instrument/asm.h"

static void check_place(const struct asm_place *p)
{
	FUZZ_CHECK(p->number < (p->is_arg ? ASM_ARGS : ASM_NO_REG + 1));
	FUZZ_CHECK(p->size <= 8);
}

static void check_operand(const struct asm_operand *o)
{
	FUZZ_CHECK(o->kind <= ASM_MEM);
	if (o->kind != ASM_IMM)
		check_place(&o->place);
	if (o->kind == ASM_MEM) {
		check_place(&o->index);
		FUZZ_CHECK(o->scale == 1 || o->scale == 2 || o->scale == 4 || o->scale == 8);
	}
}

static void check_insn(const struct asm_insn *insn)
{
	FUZZ_CHECK(insn->name[0] && memchr(insn->name, 0, sizeof(insn->name)));
	FUZZ_CHECK(insn->n <= ASM_OPERANDS);
	for (unsigned i = 0; i < insn->n; i++)
		check_operand(&insn->operand[i]);
}

static void check_constraints(const struct asm_constraints *c)
{
	FUZZ_CHECK(c->n <= ASM_ARGS);
	for (unsigned i = 0; i < c->n; i++) {
		FUZZ_CHECK(c->c[i].tied < (int)i);
		FUZZ_CHECK(c->c[i].reg <= ASM_NO_REG);
		FUZZ_CHECK(memchr(c->c[i].flag, 0, sizeof(c->c[i].flag)));
	}
}

void fuzz_asm(const u8 *data, size_t size)
{
	struct asm_insn insn[ASM_INSNS];
	struct asm_constraints constraints;
	bool intel = size && data[0] & 1;
	const u8 *part;
	size_t n;
	int count;

	data += size > 0;
	size -= size > 0;
	n = fuzz_part(&data, &size, &part);
	count = asm_parse(fuzz_copy(part, n), n, intel, insn);
	FUZZ_CHECK(count >= -1 && count <= ASM_INSNS);
	for (int i = 0; i < count; i++)
		check_insn(&insn[i]);
	if (asm_parse_constraints(fuzz_copy(data, size), size, &constraints))
		check_constraints(&constraints);
}
