/* SPDX-License-Identifier: ISC */
/* read.c - the file of a litmus test: see litmus.h. */
#include "litmus/litmus.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "path.h"

#define FILE_MOST (1 << 20)

/* --- names ------------------------------------------------------------------------------------ */

struct litmus_location *litmus_location(struct litmus *t, const char *name)
{
	for (unsigned i = 0; i < t->nlocations; i++)
		if (!strcmp(t->locations[i].name, name))
			return &t->locations[i];
	if (t->nlocations == LITMUS_LOCATIONS)
		litmus_refuse(t, t->line, "more than %u locations", LITMUS_LOCATIONS);
	t->locations[t->nlocations].name = name;
	return &t->locations[t->nlocations++];
}

struct litmus_register *litmus_register(struct litmus *t, unsigned thread, const char *name)
{
	struct litmus_thread *p = &t->threads[thread];

	for (unsigned i = 0; i < p->nregisters; i++)
		if (!strcmp(p->registers[i].name, name))
			return &p->registers[i];
	if (p->nregisters == LITMUS_REGISTERS)
		litmus_refuse(t, t->line, "more than %u registers in a thread", LITMUS_REGISTERS);
	p->registers[p->nregisters].name = name;
	return &p->registers[p->nregisters++];
}

static const char *canonical(struct litmus *t, const char *name)
{
	const char *known = NULL;

	switch (t->dialect) {
	case DIALECT_ARM: known = arm_register(name); break;
	case DIALECT_POWER: known = power_register(name); break;
	case DIALECT_RISCV: known = riscv_register(name); break;
	case DIALECT_X86: known = x86_register(name); break;
	default: return name;
	}
	if (!known)
		litmus_refuse(t, t->line, "%s is no register that heddle knows", name);
	return known;
}

/* --- the beginning ---------------------------------------------------------------------------- */

/* AArch64 MP+dmb+addr, and until the brace anything: a description, Cycle=..., Orig=... */
static void read_head(struct litmus *t, const char **at)
{
	static const struct {
		const char *name;
		enum dialect dialect;
		const char *language;
	} dialects[] = {{"C", DIALECT_C, "C"}, {"AArch64", DIALECT_ARM, "AArch64"},
		{"PPC", DIALECT_POWER, "PPC"}, {"RISCV", DIALECT_RISCV, "RISCV"},
		{"X86", DIALECT_X86, "X86"}, {"X86_64", DIALECT_X86, "X86"}};
	const char *word = read_name(t, at), *from;
	bool known = false;

	for (size_t i = 0; word && i < sizeof(dialects) / sizeof(*dialects); i++)
		if (!strcmp(word, dialects[i].name)) {
			t->dialect = dialects[i].dialect;
			t->language = dialects[i].language;
			known = true;
		}
	if (!known)
		litmus_refuse(t, t->line,
			"a test begins with its language and name, as in `AArch64 MP': C, AArch64, "
			"PPC, RISCV, X86 or X86_64%s%s",
			word ? ", not " : "", word ? word : "");
	while (**at == ' ' || **at == '\t')
		++*at;
	from = *at;
	*at += strcspn(*at, " \t\r\n");
	t->name = text_between(from, *at);
	for (; **at && **at != '{'; ++*at)
		if (!strncmp(*at, "(*", 2) || **at == '\n') {
			skip_blanks(t, at);
			--*at;
		}
	need_word(t, at, "{");
}

/* The declaration up to a name: "atomic_int *" of "atomic_int *x". */
static const char *read_type(struct litmus *t, const char **at, const char **name)
{
	const char *from, *before = NULL, *next, *word;

	skip_blanks(t, at);
	from = *at;
	*name = read_name(t, at);
	for (;;) {
		next = *at;
		while (pass_word(t, &next, "*"))
			;
		word = read_name(t, &next);
		if (!word)
			return before ? text_between(from, before) : NULL;
		before = next - strlen(word);
		*name = word;
		*at = next;
	}
}

/* The 0 of 0:X1 and of P0:X1. */
static bool read_thread(struct litmus *t, const char **at, int64_t *thread)
{
	const char *next;

	skip_blanks(t, at);
	next = *at + (**at == 'P');
	if (!isdigit((unsigned char)*next) || next[strspn(next, "0123456789")] != ':')
		return false;
	*at = next;
	return read_number(t, at, thread);
}

static void read_initial_value(struct litmus *t, const char **at)
{
	int64_t thread;
	struct litmus_location *l;
	const char *name, *type;
	struct litmus_value v = {0};

	if (read_thread(t, at, &thread)) {
		need_word(t, at, ":");
		name = read_name(t, at);
		if (!name || thread < 0 || thread >= LITMUS_THREADS)
			litmus_refuse(t, t->line, "THREAD:REGISTER expected");
		if (pass_word(t, at, "="))
			v = read_value(t, at);
		litmus_register(t, (unsigned)thread, canonical(t, name))->initial = v;
		return;
	}
	if (pass_word(t, at, "[")) {
		name = read_name(t, at);
		type = NULL;
		need_word(t, at, "]");
	} else {
		type = read_type(t, at, &name);
	}
	if (!name)
		litmus_refuse(t, t->line, "an initial value expected before `%.*s'",
			(int)strcspn(*at, "\n"), *at);
	if (pass_word(t, at, "["))
		litmus_refuse(t, t->line, "arrays are not supported");
	if (pass_word(t, at, ":")) /* 0: X1 with a type: int64_t 0:X1 */
		litmus_refuse(t, t->line, "THREAD:REGISTER = VALUE expected");
	l = litmus_location(t, name);
	l->type = type && (t->dialect == DIALECT_C || t->dialect == DIALECT_LINUX) ? type : l->type;
	if (pass_word(t, at, "="))
		litmus_location(t, name)->initial = read_value(t, at);
}

/* uint64_t 0:X1 = 3; the type says nothing. */
static void skip_register_type(struct litmus *t, const char **at)
{
	const char *next = *at;
	int64_t n;
	int line = t->line;

	if (read_name(t, &next)) {
		while (pass_word(t, &next, "*"))
			;
		skip_blanks(t, &next);
		if (isdigit((unsigned char)*next)) {
			const char *there = next;

			if (read_number(t, &next, &n) && pass_word(t, &next, ":"))
				*at = there;
		}
	}
	if (*at != next)
		t->line = line;
}

static void read_initial(struct litmus *t, const char **at)
{
	while (!pass_word(t, at, "}")) {
		if (pass_word(t, at, ";"))
			continue;
		skip_register_type(t, at);
		read_initial_value(t, at);
		skip_blanks(t, at);
		if (**at != ';' && **at != '}')
			litmus_refuse(t, t->line, "`;' or `}' expected before `%.*s'",
				(int)strcspn(*at, "\n"), *at);
	}
}

/* --- threads in C ----------------------------------------------------------------------------- */

/* The end of text in brackets, of which the first has been passed. */
static const char *find_end(struct litmus *t, const char *at, char open, char close)
{
	int depth = 1, line = t->line;

	for (;; at++) {
		if (!strncmp(at, "/*", 2)) {
			const char *end = strstr(at + 2, "*/");

			at = end ? end + 1 : at + strlen(at) - 1;
			continue;
		}
		if (!*at)
			litmus_refuse(t, line, "`%c' without `%c'", open, close);
		line += *at == '\n';
		depth += *at == open;
		depth -= *at == close;
		if (!depth)
			return at;
	}
}

static void count_lines(struct litmus *t, const char *from, const char *to)
{
	for (; from < to; from++)
		t->line += *from == '\n';
}

/* "atomic_int *y, int *x": each is a location. */
static void read_parameters(struct litmus *t, const char *text)
{
	const char *at = text, *name, *type;
	struct litmus_location *l;
	char *star;

	while (*at) {
		type = read_type(t, &at, &name);
		star = type ? strrchr(type, '*') : NULL;
		if (!star)
			litmus_refuse(t, t->line,
				"parameters of threads are pointers to locations: %s", text);
		*star = 0;
		l = litmus_location(t, name);
		l->type = type;
		if (!pass_word(t, &at, ","))
			break;
	}
	skip_blanks(t, &at);
	if (*at)
		litmus_refuse(
			t, t->line, "parameters of threads are pointers to locations: %s", text);
}

static void read_functions(struct litmus *t, const char **at)
{
	for (;;) {
		const char *name, *end, *next = *at;
		struct litmus_thread *p = &t->threads[t->nthreads];
		int line = t->line;

		name = read_name(t, &next);
		if (!name || name[0] != 'P' || !isdigit((unsigned char)name[1])) {
			t->line = line;
			return;
		}
		if (t->nthreads == LITMUS_THREADS || atoi(name + 1) != (int)t->nthreads)
			litmus_refuse(t, t->line, "P%u expected, not %s", t->nthreads, name);
		*at = next;
		p->name = name;
		need_word(t, at, "(");
		end = find_end(t, *at, '(', ')');
		p->parameters = text_between(*at, end);
		read_parameters(t, p->parameters);
		*at = end + 1;
		need_word(t, at, "{");
		end = find_end(t, *at, '{', '}');
		p->body = text_between(*at, end);
		count_lines(t, *at, end);
		*at = end + 1;
		t->nthreads++;
	}
}

/* --- threads in assembly ---------------------------------------------------------------------- */

static char *trimmed(const char *from, const char *to)
{
	while (from < to && isspace((unsigned char)*from))
		from++;
	while (to > from && isspace((unsigned char)to[-1]))
		to--;
	return text_between(from, to);
}

static void add_line(struct litmus *t, unsigned thread, const char *text)
{
	struct litmus_thread *p = &t->threads[thread];

	if (!*text)
		return;
	p->code = xgrow(p->code, (p->ncode + 1) * sizeof(*p->code));
	p->code[p->ncode++] = (struct litmus_line){.text = text, .line = t->line};
}

/* "P0 | P1 ;" or a row of instructions. Returns the number of columns. */
static unsigned read_row(struct litmus *t, const char **at, bool head)
{
	unsigned column = 0;

	for (;;) {
		const char *from = *at;
		char *text;

		*at += strcspn(*at, "|;\n");
		if (**at != '|' && **at != ';')
			litmus_refuse(t, t->line, "a row of the threads ends with `;'");
		text = trimmed(from, *at);
		if (head && text[0] != 'P')
			litmus_refuse(t, t->line, "P%u expected, not `%s'", column, text);
		if (column >= (head ? LITMUS_THREADS : t->nthreads))
			litmus_refuse(t, t->line, "too many columns");
		if (!head)
			add_line(t, column, text);
		column++;
		if (*(*at)++ == ';')
			return column;
	}
}

static bool is_at_condition(struct litmus *t, const char *at)
{
	int line = t->line;
	bool is = pass_word(t, &at, "exists") || pass_word(t, &at, "~") ||
		  pass_word(t, &at, "forall") || pass_word(t, &at, "locations") ||
		  pass_word(t, &at, "filter") || !*at;

	t->line = line;
	return is;
}

static void read_columns(struct litmus *t, const char **at)
{
	skip_blanks(t, at);
	t->nthreads = read_row(t, at, true);
	for (skip_blanks(t, at); !is_at_condition(t, *at); skip_blanks(t, at))
		read_row(t, at, false);
}

/* --- a file ----------------------------------------------------------------------------------- */

static char *read_text(struct litmus *t)
{
	char *text = xmalloc(FILE_MOST + 1);
	size_t n = 0;
	ssize_t got;
	int fd = path_open(t->path);

	if (fd < 0) {
		t->problem = xprintf("%s: %s", t->path, strerror(errno));
		longjmp(t->leave, 1);
	}
	while (n < FILE_MOST && (got = read(fd, text + n, FILE_MOST - n)) > 0)
		n += (size_t)got;
	close(fd);
	if (n == FILE_MOST)
		litmus_refuse(t, 1, "more than a megabyte");
	if (memchr(text, 0, n))
		litmus_refuse(t, 1, "not a text");
	return text;
}

/* Of the kernel's primitives, some are in every test of it. */
static bool is_linux(const char *text)
{
	static const char *const words[] = {"READ_ONCE", "WRITE_ONCE", "smp_", "rcu_", "spin_",
		"spinlock_t", "xchg", "atomic_t", "atomic_set", "atomic_read"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(text, words[i]))
			return true;
	return false;
}

static void read_test(struct litmus *t)
{
	const char *text = read_text(t), *at = text;

	t->line = 1;
	read_head(t, &at);
	if (t->dialect == DIALECT_C && is_linux(text))
		t->dialect = DIALECT_LINUX;
	read_initial(t, &at);
	if (t->dialect == DIALECT_C || t->dialect == DIALECT_LINUX)
		read_functions(t, &at);
	else
		read_columns(t, &at);
	if (!t->nthreads)
		litmus_refuse(t, t->line, "there are no threads");
	litmus_read_condition(t, &at);
	pass_word(t, &at, ";");
	skip_blanks(t, &at);
	if (*at)
		litmus_refuse(t, t->line, "unexpected after the condition: `%.*s'",
			(int)strcspn(at, "\n"), at);
}

struct litmus *litmus_read(const char *path, struct litmus *failed)
{
	struct litmus *t = xmalloc(sizeof(*t));

	t->path = path;
	if (setjmp(t->leave)) {
		*failed = *t;
		return NULL;
	}
	read_test(t);
	return t;
}
