/* SPDX-License-Identifier: ISC */
/*
 * asm.c - the text of x86-64 inline assembly as a list of instructions.
 *
 * The text is LLVM's form of a template: $0 and ${0:w} are operands, $$ is a dollar sign, $(a$|b$)
 * is `a' in AT&T syntax and `b' in Intel's. Instructions are separated by ; or line ends; a prefix
 * (lock, rep) may be written as an instruction of its own ("lock; incl $0").
 */
#include "asm.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 1024

/* --- the template as plain text: dialect chosen, $$ kept -------------------------------------- */

static bool choose_dialect(const char *text, size_t length, bool intel, char out[TEXT_MAX])
{
	bool inside = false, wanted = true;
	size_t n = 0;

	for (size_t i = 0; i < length; i++) {
		char next = i + 1 < length ? text[i + 1] : 0;

		if (text[i] == '$' && (next == '(' || next == '|' || next == ')')) {
			inside = next != ')';
			wanted = next == '(' ? !intel : next == '|' ? intel : true;
			i++;
			continue;
		}
		if (inside && !wanted)
			continue;
		if (n + 3 > TEXT_MAX)
			return false;
		out[n++] = text[i];
		if (text[i] == '$' && next == '$')
			out[n++] = text[++i];
	}
	out[n] = 0;
	return !inside;
}

/* --- operands -------------------------------------------------------------------------------- */

struct reader {
	const char *s;
	bool intel;
};

static void skip_space(struct reader *r)
{
	while (*r->s == ' ' || *r->s == '\t')
		r->s++;
}

static bool accept(struct reader *r, char c)
{
	skip_space(r);
	if (*r->s != c)
		return false;
	r->s++;
	return true;
}

static bool number(struct reader *r, int64_t *value)
{
	char *end;

	skip_space(r);
	if (!isdigit((unsigned char)*r->s) && *r->s != '-' && *r->s != '+')
		return false;
	*value = (int64_t)strtoull(r->s, &end, 0);
	if (end == r->s)
		return false;
	r->s = end;
	return true;
}

/* The register of this name, with its size; false if it is unknown or not modelled. */
static bool register_named(const char *s, size_t n, struct asm_place *place)
{
	static const char *const names[4][ASM_X86_REGS] = {
		{"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", "r8b", "r9b", "r10b", "r11b",
			"r12b", "r13b", "r14b", "r15b"},
		{"ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "r8w", "r9w", "r10w", "r11w",
			"r12w", "r13w", "r14w", "r15w"},
		{"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8d", "r9d", "r10d",
			"r11d", "r12d", "r13d", "r14d", "r15d"},
		{"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11",
			"r12", "r13", "r14", "r15"},
	};

	for (unsigned size = 0; size < 4; size++)
		for (unsigned i = 0; i < ASM_X86_REGS; i++)
			if (strlen(names[size][i]) == n && !strncmp(names[size][i], s, n)) {
				*place = (struct asm_place){.number = i, .size = 1 << size};
				return true;
			}
	return false;
}

static bool parse_register(struct reader *r, struct asm_place *place)
{
	size_t n;

	skip_space(r);
	if (*r->s == '%')
		r->s++;
	else if (!r->intel)
		return false;
	skip_space(r); /* assemblers take "% eax", too */
	n = strspn(r->s, "abcdefghijklmnopqrstuvwxyz0123456789");
	if (!register_named(r->s, n, place))
		return false;
	r->s += n;
	return true;
}

/* The size of an operand modifier; 0 for none, -1 if unknown. */
static int modifier_size(char c)
{
	switch (c) {
	case 'b': return 1;
	case 'w': return 2;
	case 'k': return 4;
	case 'q': return 8;
	default: return -1;
	}
}

/* ${0:l}: a label of asm goto. */
static bool label(struct reader *r, struct asm_operand *o)
{
	char *end;

	skip_space(r);
	if (r->s[0] != '$' || r->s[1] != '{' || !isdigit((unsigned char)r->s[2]))
		return false;
	*o = (struct asm_operand){.kind = ASM_TARGET, .place.number = strtoul(r->s + 2, &end, 10)};
	if (strncmp(end, ":l}", 3) != 0 || o->place.number >= ASM_ARGS)
		return false;
	r->s = end + 3;
	return true;
}

/* $0 or ${0:w}; *bare: without the dollar sign that a constant has in AT&T syntax (c, P). */
static bool arg(struct reader *r, struct asm_place *place, bool *bare)
{
	const char *s;
	char *end;
	int size;
	bool braces;

	skip_space(r);
	s = r->s;
	*bare = false;
	if (*s++ != '$')
		return false;
	braces = *s == '{';
	s += braces;
	if (!isdigit((unsigned char)*s))
		return false;
	*place = (struct asm_place){.is_arg = true, .number = strtoul(s, &end, 10)};
	s = end;
	if (place->number >= ASM_ARGS)
		return false;
	if (braces && *s == ':') {
		s++;
		*bare = *s == 'c' || *s == 'P' || *s == 'a';
		size = modifier_size(*s);
		if (size < 0 && !*bare)
			return false;
		place->size = *bare ? 0 : size;
		s++;
	}
	if (braces && *s++ != '}')
		return false;
	r->s = s;
	return true;
}

static bool parse_place(struct reader *r, struct asm_place *p)
{
	bool bare;

	return parse_register(r, p) || arg(r, p, &bare);
}

/* The part of a memory operand after its offset, in AT&T syntax: (base, index, scale). */
static bool address(struct reader *r, struct asm_operand *o)
{
	int64_t scale = 1;

	o->kind = ASM_MEM;
	o->scale = 1;
	o->place.number = o->index.number = ASM_NO_REG;
	skip_space(r);
	if (*r->s != ',' && !parse_place(r, &o->place))
		return false;
	if (accept(r, ',')) {
		if (!parse_place(r, &o->index))
			return false;
		if (accept(r, ',') && !number(r, &scale))
			return false;
	}
	o->scale = scale;
	return accept(r, ')') && (scale == 1 || scale == 2 || scale == 4 || scale == 8);
}

static bool operand_att(struct reader *r, struct asm_operand *o)
{
	bool bare;

	memset(o, 0, sizeof(*o));
	skip_space(r);
	if (*r->s == '%') {
		o->kind = ASM_REG;
		return parse_register(r, &o->place);
	}
	if (r->s[0] == '$' && r->s[1] == '$') {
		r->s += 2;
		o->kind = ASM_IMM;
		return number(r, &o->value);
	}
	if (arg(r, &o->place, &bare)) {
		o->kind = ASM_ARG;
		return !bare; /* a constant as address or offset: not interpreted */
	}
	if (number(r, &o->value) && *r->s == '$') {
		o->kind = ASM_ARG; /* 8$0: eight bytes into the memory operand */
		return arg(r, &o->place, &bare) && !bare && o->value;
	}
	/* 8+$0 is the same: number() has read the 8, or the sign is left */
	if (accept(r, '+')) {
		o->kind = ASM_ARG;
		return arg(r, &o->place, &bare) && !bare;
	}
	return accept(r, '(') && address(r, o);
}

/* [base + number] and, before it, `dword ptr'. */
static bool operand_intel(struct reader *r, struct asm_operand *o)
{
	static const char *const sizes[] = {"byte", "word", "dword", "qword"};
	int64_t value;
	bool bare;

	memset(o, 0, sizeof(*o));
	skip_space(r);
	for (unsigned i = 0; i < 4; i++) {
		size_t n = strlen(sizes[i]);

		if (strncmp(r->s, sizes[i], n) || strncmp(r->s + n, " ptr", 4))
			continue;
		r->s += n + 4;
	}
	if (arg(r, &o->place, &bare)) {
		o->kind = ASM_ARG;
		return !bare;
	}
	if (number(r, &o->value)) {
		o->kind = ASM_IMM;
		return true;
	}
	if (accept(r, '[')) {
		o->kind = ASM_MEM;
		o->scale = 1;
		o->index.number = ASM_NO_REG;
		if (!parse_place(r, &o->place))
			return false;
		if (number(r, &value))
			o->value = value;
		return accept(r, ']');
	}
	o->kind = ASM_REG;
	return parse_register(r, &o->place);
}

static bool operands(struct reader *r, struct asm_insn *insn)
{
	struct asm_operand swap;

	skip_space(r);
	if (!*r->s)
		return true;
	do {
		if (insn->n == ASM_OPERANDS)
			return false;
		if (!label(r, &insn->operand[insn->n]) &&
			!(r->intel ? operand_intel : operand_att)(r, &insn->operand[insn->n]))
			return false;
		insn->n++;
	} while (accept(r, ','));
	skip_space(r);
	if (r->intel)
		for (unsigned i = 0; i < insn->n / 2; i++) {
			swap = insn->operand[i];
			insn->operand[i] = insn->operand[insn->n - 1 - i];
			insn->operand[insn->n - 1 - i] = swap;
		}
	return !*r->s;
}

/* --- instructions ---------------------------------------------------------------------------- */

static bool parse_word(struct reader *r, char out[16])
{
	size_t n;

	skip_space(r);
	n = strspn(r->s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	if (!n || n > 15 || r->s[n] == ':')
		return false; /* a label or a directive */
	for (size_t i = 0; i < n; i++)
		out[i] = tolower((unsigned char)r->s[i]);
	out[n] = 0;
	r->s += n;
	return true;
}

/* One statement. *open: its prefixes belong to the next one; the instruction has no name yet. */
static bool statement(char *text, bool intel, struct asm_insn *insn, bool *open)
{
	struct reader r = {text, intel};

	for (;;) {
		skip_space(&r);
		if (!*r.s) {
			*open = true;
			return true;
		}
		if (!parse_word(&r, insn->name))
			return false;
		if (!strcmp(insn->name, "lock"))
			insn->lock = true;
		else if (!strcmp(insn->name, "rep") || !strcmp(insn->name, "repe") ||
			 !strcmp(insn->name, "repz"))
			insn->rep = true;
		else
			break;
	}
	*open = false;
	return operands(&r, insn);
}

int asm_parse(const char *text, size_t length, bool intel, struct asm_insn insn[ASM_INSNS])
{
	char buffer[TEXT_MAX], *s = buffer, *end;
	bool open = true;
	int n = 0;

	if (memchr(text, 0, length) || !choose_dialect(text, length, intel, buffer))
		return -1;
	memset(&insn[0], 0, sizeof(insn[0]));
	for (; s; s = end) {
		end = strpbrk(s, ";\n");
		if (end)
			*end++ = 0;
		for (char *comment = s; *comment; comment++)
			if (*comment == '#')
				*comment = 0;
		if (n == ASM_INSNS || !statement(s, intel, &insn[n], &open))
			return -1;
		if (!open && ++n < ASM_INSNS)
			memset(&insn[n], 0, sizeof(insn[0]));
	}
	/* A prefix with nothing after it. */
	return open && (n == ASM_INSNS || insn[n].lock || insn[n].rep) ? -1 : n;
}

/* --- constraints ----------------------------------------------------------------------------- */

/* x0, w0: of AArch64; none of x86 is called so. */
static bool arm_register(const char *code, size_t n, unsigned *reg)
{
	char *end;
	unsigned long number;

	if ((*code != 'x' && *code != 'w') || n < 2 || !isdigit((unsigned char)code[1]))
		return false;
	number = strtoul(code + 1, &end, 10);
	if (end != code + n || number > 30)
		return false;
	*reg = (unsigned)number;
	return true;
}

static bool braces(const char *code, size_t n, struct asm_constraint *c)
{
	struct asm_place p;

	if (n < 3 || code[n - 1] != '}')
		return false;
	code++;
	n -= 2;
	if (n > 3 && !strncmp(code, "@cc", 3) && n - 3 < sizeof(c->flag)) {
		memcpy(c->flag, code + 3, n - 3);
		c->flag[n - 3] = 0;
		return true;
	}
	if (arm_register(code, n, &c->reg))
		return true;
	if (!register_named(code, n, &p))
		return false; /* {st}, {xmm0}, ... */
	c->reg = p.number;
	return true;
}

/* The output whose place an input shares, or -1. */
static int tied_to(const char *s, size_t n, const struct asm_constraints *before)
{
	unsigned number = 0;

	for (; n && isdigit((unsigned char)*s) && number < ASM_ARGS; s++, n--)
		number = 10 * number + (unsigned)(*s - '0');
	return !n && number < before->n && before->c[number].kind == ASM_OUTPUT ? (int)number : -1;
}

static bool one_constraint(const char *s, size_t n, struct asm_constraints *out)
{
	struct asm_constraint *c = &out->c[out->n];
	bool alternatives = memchr(s, '|', n);

	if (n && (*s == '~')) {
		out->clobbers_memory |= n == 9 && !memcmp(s, "~{memory}", 9);
		return true;
	}
	if (out->n == ASM_ARGS)
		return false;
	if (n && *s == '!') {
		*c = (struct asm_constraint){.kind = ASM_LABEL, .tied = -1, .reg = ASM_NO_REG};
		return ++out->n;
	}
	*c = (struct asm_constraint){.kind = ASM_INPUT, .tied = -1, .reg = ASM_NO_REG};
	for (; n && strchr("=&*%+", *s); s++, n--) {
		if (*s == '=' || *s == '+')
			c->kind = ASM_OUTPUT;
		else if (*s == '*')
			c->memory = true;
	}
	if (n && !alternatives && isdigit((unsigned char)*s)) {
		c->tied = tied_to(s, n, out);
		return c->tied >= 0 && ++out->n;
	}
	out->n++;
	if (!n || alternatives)
		return n; /* register or memory: treated as a value, or an address */
	return *s != '{' || braces(s, n, c);
}

bool asm_parse_constraints(const char *text, size_t length, struct asm_constraints *out)
{
	size_t n;

	memset(out, 0, sizeof(*out));
	while (length) {
		for (n = 0; n < length && text[n] != ','; n++)
			;
		if (!one_constraint(text, n, out))
			return false;
		text += n + (n < length);
		length -= n + (n < length);
	}
	return true;
}
