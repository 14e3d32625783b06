/* SPDX-License-Identifier: ISC */
/*
 * asm_rewrite.c - see asm_rewrite.h.
 *
 * gcc puts inline assembly between #APP and #NO_APP, and notes its place in the source. In
 * functions all of it is rewritten, and of the compiler's own instructions the fences and the spin
 * hint, which come from intrinsics. Assembly outside of functions is the program's own.
 *
 * An access becomes a call of __heddle_asm(), before or behind the instruction, which is run on the
 * cell: so registers and flags are as in a native run. With -fsanitize=thread, calls of functions
 * of other files are announced: the function may turn out not to be instrumented. The plugin does
 * that itself.
 */
#include "gcc/asm_rewrite.h"
#include "gcc/asm_functions.h"
#include "gcc/asm_meaning.h"
#include "../instrument/plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm_call.h>

#define PLACE_MAX  1024

struct rewriter {
	FILE *out;
	bool quiet, changed;
	bool plugin;		   /* heddle's own instrumentation, not -fsanitize=thread */
	bool assembly;		   /* the function has inline assembly */
	bool intel;		   /* -masm=intel */
	unsigned vectors;	   /* HEDDLE_ASM_VECTORS: the function uses them */
	char function[ASM_SYMBOL_MAX]; /* its code follows, or is being read; empty: none */
	bool inside;
	char place[PLACE_MAX]; /* of the inline assembly: "FILE:LINE" */
	char warned[PLACE_MAX];
	struct asm_functions functions;
};

/* --- calls ------------------------------------------------------------------------------------ */

static __attribute__((format(printf, 2, 3))) void put_code(
	struct rewriter *r, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vfprintf(r->out, format, ap);
	va_end(ap);
}

static void put_call(
	struct rewriter *r, unsigned kind, unsigned size, int operation, unsigned flags)
{
	unsigned code = kind | size << 8 | (unsigned)operation << 16 | flags | r->vectors;

	r->changed = true;
	if (r->intel)
		put_code(r, "\t.att_syntax prefix\n");
	put_code(r, "\tmovl\t$%d, %d(%%rsp)\n", (int)code, HEDDLE_ASM_AT_CODE);
	put_code(r, "\tcall\t*__heddle_asm@GOTPCREL(%%rip)\n");
	if (r->intel)
		put_code(r, "\t.intel_syntax noprefix\n");
}

static char suffix(unsigned size)
{
	return size == 1 ? 'b' : size == 2 ? 'w' : size == 4 ? 'l' : 'q';
}

/* The instruction with the cell in place of memory, and without lock. */
static void put_instruction(
	struct rewriter *r, const struct asm_line *l, const struct asm_meaning *m)
{
	put_code(r, "\t%s\t", m->name);
	for (unsigned i = 0; i < l->n; i++) {
		put_code(r, i ? ", " : "");
		if (i == m->memory)
			put_code(r, "%d(%%rsp)", HEDDLE_ASM_AT_CELL);
		else
			put_code(r, "%s", l->operand[i]);
	}
	put_code(r, "\n");
}

static void put_access(struct rewriter *r, const struct asm_line *l, const struct asm_meaning *m)
{
	put_code(r, "\tmovq\t%%rax, %d(%%rsp)\n", HEDDLE_ASM_AT_RAX);
	put_code(r, "\tleaq\t%s, %%rax\n", l->operand[m->memory]);
	put_code(r, "\tmovq\t%%rax, %d(%%rsp)\n", HEDDLE_ASM_AT_ADDRESS);
	put_code(r, "\tmovq\t%d(%%rsp), %%rax\n", HEDDLE_ASM_AT_RAX);
	if (m->operand)
		put_code(r, "\tmov%c\t%s, %d(%%rsp)\n",
			suffix(asm_line_is_register(m->operand) ? asm_line_register_size(m->operand)
								: m->size),
			m->operand, HEDDLE_ASM_AT_OPERAND);
	if (m->before >= 0)
		put_call(r, (unsigned)m->before, m->size, m->operation, m->flags);
	if (m->run)
		put_instruction(r, l, m);
	if (m->store)
		put_call(r, HEDDLE_ASM_STORE, m->size, 0, 0);
}

static void put_asm_text(struct rewriter *r, const char *text, size_t n)
{
	fwrite(text, 1, n, r->out);
}

static void put_asm_line(struct rewriter *r, const struct asm_line *l, const struct asm_meaning *m)
{
	if (m->does == ASM_ACCESSES) {
		put_access(r, l, m);
		return;
	}
	if (m->does == ASM_COUNTS) {
		put_call(r, HEDDLE_ASM_CYCLES, 0, m->operation, 0);
		return;
	}
	if (m->does == ASM_FENCES)
		put_call(r, HEDDLE_ASM_FENCE, 0, m->operation, 0);
	else if (m->does == ASM_PAUSES)
		put_call(r, HEDDLE_ASM_PAUSE, 0, 0, 0);
	put_code(r, "\t");
	put_asm_text(r, l->text, l->length);
	put_code(r, "\n");
}

/* --- directives ------------------------------------------------------------------------------- */

static bool directive_is(const char *s, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(s, name, n) && (!s[n] || s[n] == ' ');
}

/* Follow changes of the section; *depth: how deep in others than the function's. Returns the
 * meaning of the directive at its place. */
static enum asm_does directive(const char *s, unsigned *depth)
{
	static const char *const quiet[] = {".loc", ".align", ".balign", ".p2align", ".set",
		".globl", ".global", ".local", ".weak", ".hidden", ".type", ".size", ".equ", NULL};

	if (directive_is(s, ".pushsection") || directive_is(s, ".section")) {
		++*depth;
		return ASM_NOTHING;
	}
	if (directive_is(s, ".popsection") || directive_is(s, ".previous")) {
		*depth -= *depth > 0;
		return ASM_NOTHING;
	}
	if (*depth || !strncmp(s, ".cfi_", 5))
		return ASM_NOTHING;
	for (unsigned i = 0; quiet[i]; i++)
		if (directive_is(s, quiet[i]))
			return ASM_NOTHING;
	return ASM_MAY_ORDER; /* code as bytes, or text generated by the assembler */
}

/* --- one inline assembly ---------------------------------------------------------------------- */

static enum asm_does line_does(
	struct rewriter *r, const struct asm_line *l, unsigned *depth, struct asm_meaning *m)
{
	*m = (struct asm_meaning){.does = ASM_NOTHING};
	if (l->label)
		return ASM_NOTHING;
	if (l->directive)
		return directive(l->operand[0], depth);
	if (*depth)
		return ASM_NOTHING;
	*m = asm_meaning(l);
	if (r->intel && m->does == ASM_ACCESSES)
		m->does = ASM_MAY_ORDER;
	return m->does;
}

static enum asm_does statement_does(struct rewriter *r, const char *text, const char *end)
{
	enum asm_does all = ASM_NOTHING, one;
	unsigned depth = 0;
	struct asm_meaning m;
	struct asm_line l;

	while ((text = asm_line_next(text, end, &l))) {
		one = line_does(r, &l, &depth, &m);
		if (r->intel && one == ASM_NOTHING && memchr(l.text, '[', l.length))
			one = l.lock || !strcmp(l.name, "xchg") ? ASM_MAY_ORDER : ASM_IS_UNKNOWN;
		if (one > all)
			all = one;
	}
	return all;
}

static void warn(struct rewriter *r, const char *text, const char *end)
{
	if (r->quiet || (*r->place && !strcmp(r->place, r->warned)))
		return;
	strcpy(r->warned, r->place);
	while (text < end && strchr(" \t\n", *text))
		text++;
	while (end > text && strchr(" \t\n", end[-1]))
		end--;
	fprintf(stderr, "%s%swarning: heddle: inline assembly not understood: %.*s\n", r->place,
		*r->place ? ": " : "", (int)(end - text), text);
}

static void rewrite_statement(struct rewriter *r, const char *text, const char *end)
{
	enum asm_does does = statement_does(r, text, end);
	unsigned depth = 0;
	struct asm_meaning m;
	struct asm_line l;

	if (does == ASM_NOTHING || does >= ASM_IS_UNKNOWN) {
		if (does >= ASM_IS_UNKNOWN) {
			warn(r, text, end);
			put_call(r,
				does == ASM_MAY_ORDER ? HEDDLE_ASM_OPAQUE_ORDER : HEDDLE_ASM_OPAQUE,
				0, 0, 0);
		}
		put_asm_text(r, text, (size_t)(end - text));
		return;
	}
	while ((text = asm_line_next(text, end, &l))) {
		line_does(r, &l, &depth, &m);
		put_asm_line(r, &l, &m);
	}
}

/* --- the text --------------------------------------------------------------------------------- */

static const char *line_end(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));

	return newline ? newline + 1 : end;
}

static bool begins_with(const char *at, const char *end, const char *with)
{
	size_t n = strlen(with);

	return (size_t)(end - at) >= n && !memcmp(at, with, n);
}

/* # 12 "file.c" 1: an inline assembly begins. # 0 "" 2: it has ended. */
static bool is_marker(struct rewriter *r, const char *at, const char *end)
{
	char file[PLACE_MAX - 32];
	unsigned line;

	if (!begins_with(at, end, "# ") || sscanf(at, "# %u \"%900[^\"]\"", &line, file) < 1)
		return false;
	if (line && sscanf(at, "# %u \"%900[^\"]\"", &line, file) == 2)
		snprintf(r->place, sizeof(r->place), "%s:%u", file, line);
	else
		r->place[0] = 0;
	return true;
}

/* The text between #APP and #NO_APP, in a function. */
static void rewrite_app(struct rewriter *r, const char *at, const char *end)
{
	const char *from = at, *next;

	r->place[0] = 0;
	for (; at < end; at = next) {
		next = line_end(at, end);
		if (!begins_with(at, end, "# "))
			continue;
		rewrite_statement(r, from, at);
		if (!is_marker(r, at, end))
			r->place[0] = 0;
		put_asm_text(r, at, (size_t)(next - at));
		from = next;
	}
	rewrite_statement(r, from, end);
}

/* A line of the compiler's own: the beginning or end of a function, a call, an intrinsic. */
static void follow_function(struct rewriter *r, const char *at, const char *next, const char *end)
{
	char name[ASM_SYMBOL_MAX];
	const char *to;
	size_t n;

	if (asm_functions_type(at, name)) {
		strcpy(r->function, name);
		r->inside = false;
	} else if (begins_with(at, next, "\t.size\t") && asm_functions_name(at + 7, name) &&
		   !strcmp(name, r->function)) {
		r->inside = false;
	} else if ((n = strlen(r->function)) && begins_with(at, next, r->function) &&
		   at[n] == ':') {
		r->inside = true;
		to = memmem(at, (size_t)(end - at), "\n\t.size\t", 8);
		n = (size_t)((to ? to : end) - at);
		r->vectors =
			memmem(at, n, "mm", 2) || memmem(at, n, "%st", 3) || memmem(at, n, "%k", 2)
				? HEDDLE_ASM_VECTORS
				: 0;
		r->assembly = memmem(at, n, "\n#APP\n", 6);
	}
}

/* --- calls of functions ----------------------------------------------------------------------- */

static bool is_announced(const struct rewriter *r, const char *function)
{
	static const char *const quiet[] = {"__tsan_", "__fentry__", "mcount", "_mcount",
		"memcpy", "memmove", "memset", "__memcpy_chk", "__memmove_chk", "__memset_chk",
		NULL};

	for (unsigned i = 0; quiet[i]; i++)
		if (i ? !strcmp(function, quiet[i]) : text_starts(function, quiet[i]))
			return false;
	return !plan_is_known(function) && !plan_is_replaced(function) &&
	       !asm_functions_has(&r->functions, function);
}

/* The symbol in the call's operand; *indirect: it is not the function itself. */
static char *called_operand(const struct rewriter *r, char *operand, bool *indirect)
{
	char *table = strstr(operand, "@GOTPCREL"), as_register[ASM_SYMBOL_MAX + 1] = "%";

	if (table) {
		*indirect = false;
		while (table > operand && !strchr(" *[", table[-1]))
			table--;
		return table;
	}
	*indirect = *operand == '*';
	if (!r->intel)
		return operand + *indirect;
	strcpy(as_register + 1, operand);
	*indirect = strchr(operand, '[') || asm_line_register_size(as_register);
	return operand;
}

/* Before the call of a function, in r11, which a call need not keep. */
static void announce_call(struct rewriter *r, const char *at, const char *next)
{
	char text[ASM_SYMBOL_MAX], *operand;
	size_t n = (size_t)(next - at) - 6;
	bool indirect;

	if (!begins_with(at, next, "\tcall\t") || n < 2 || n > sizeof(text))
		return;
	memcpy(text, at + 6, n);
	text[n - 1] = 0; /* in place of the end of the line */
	operand = called_operand(r, text, &indirect);
	if (!indirect) {
		operand[strcspn(operand, "@")] = 0;
		if (!is_announced(r, operand))
			return;
	}
	r->changed = true;
	if (indirect && r->intel)
		put_code(r, "\tmov\tr11, %s\n", operand);
	else if (indirect)
		put_code(r, "\tmovq\t%s, %%r11\n", operand);
	if (r->intel)
		put_code(r, "\t.att_syntax prefix\n");
	if (!indirect)
		put_code(r, "\tmovq\t%s@GOTPCREL(%%rip), %%r11\n", operand);
	put_code(r, "\tcall\t*__heddle_called@GOTPCREL(%%rip)\n");
	if (r->intel)
		put_code(r, "\t.intel_syntax noprefix\n");
}

/*
 * After a call, the registers that it need not preserve are undefined. They are set to zero, so
 * that they are the same each time: the runtime compares registers to detect spin loops.
 */
static void settle_registers(struct rewriter *r, const char *at, const char *next)
{
	static const char *const registers[] = {
		"ecx", "esi", "edi", "r8d", "r9d", "r10d", "r11d"};
	static const char *const results[] = {"__tsan_atomic", "__tsan_mem", "__heddle_mem",
		"__heddle_lib_", "load", "rmw", "cas", "cycles", "turn", NULL};
	const char *name = r->plugin ? "__heddle_" : "__tsan_", *wide = r->plugin ? "16" : "128";
	size_t n = (size_t)(next - at);
	bool result = false;

	if (!begins_with(at, next, "\tcall\t") || !memmem(at, n, name, strlen(name)) ||
		(r->plugin && !r->assembly))
		return;
	for (unsigned i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
		put_code(r, "\txorl\t%%%s, %%%s\n", registers[i], registers[i]);
	for (unsigned i = 0; results[i]; i++)
		result |= memmem(at, n, results[i], strlen(results[i])) != NULL;
	if (!memmem(at, n, wide, strlen(wide)))
		put_code(r, "\txorl\t%%edx, %%edx\n");
	if (!result)
		put_code(r, "\txorl\t%%eax, %%eax\n");
}

static void rewrite_compiler_line(struct rewriter *r, const char *at, const char *next)
{
	struct asm_meaning m;
	struct asm_line l;

	if (r->inside && !r->plugin && begins_with(at, next, "\t") && at[1] != '.' &&
			asm_line_next(at, next, &l)) {
		m = asm_meaning(&l);
		if (m.does == ASM_FENCES || m.does == ASM_PAUSES || m.does == ASM_COUNTS) {
			put_asm_line(r, &l, &m);
			return;
		}
	}
	if (r->inside && !r->plugin)
		announce_call(r, at, next);
	put_asm_text(r, at, (size_t)(next - at));
	if (r->inside && !r->intel)
		settle_registers(r, at, next);
}

static void rewrite(struct rewriter *r, const char *at, const char *end)
{
	const char *next, *stop;

	for (; at < end; at = next) {
		next = line_end(at, end);
		if (begins_with(at, next, "#APP") && r->inside) {
			stop = memmem(next, (size_t)(end - next), "#NO_APP", 7);
			stop = stop ? stop : end;
			put_asm_text(r, at, (size_t)(next - at));
			rewrite_app(r, next, stop);
			next = stop;
		} else {
			r->intel |= begins_with(at, next, "\t.intel_syntax");
			follow_function(r, at, next, end);
			rewrite_compiler_line(r, at, next);
		}
	}
}

char *asm_rewrite(const char *text, size_t size, bool quiet)
{
	struct rewriter r = {.quiet = quiet, .plugin = !memmem(text, size, "__tsan_init", 11)};
	char *out = NULL;
	size_t n = 0;

	if (r.plugin && !memmem(text, size, ".note.heddle", 12)) /* not of this compiler */
		return NULL;
	r.out = open_memstream(&out, &n);
	if (!r.out)
		abort();
	asm_functions_find(&r.functions, text, text + size);
	rewrite(&r, text, text + size);
	asm_functions_release(&r.functions);
	if (fclose(r.out))
		abort();
	if (r.changed)
		return out;
	free(out);
	return NULL;
}
