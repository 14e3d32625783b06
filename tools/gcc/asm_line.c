/* SPDX-License-Identifier: ISC */
/* asm_line.c - see asm_line.h. */
#include "gcc/asm_line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- characters ------------------------------------------------------------------------------ */

/* The length of the comment that begins here; 0: there is none. */
static size_t comment_length(const char *s, size_t size)
{
	const char *end;

	if (size && *s == '#') {
		end = memchr(s, '\n', size);
		return end ? (size_t)(end - s) : size;
	}
	if (size < 2 || s[0] != '/' || s[1] != '*')
		return 0;
	end = memmem(s + 2, size - 2, "*/", 2);
	return end ? (size_t)(end + 2 - s) : size;
}

/* The length of the statement at s: up to a line's end or a semicolon, but not one in a string or a
 * comment. */
static size_t statement_length(const char *s, size_t size)
{
	bool quoted = false;
	size_t i, comment;

	for (i = 0; i < size && s[i] != '\n'; i++) {
		comment = quoted ? 0 : comment_length(s + i, size - i);
		if (comment)
			i += comment - 1;
		else if (quoted && s[i] == '\\' && i + 1 < size)
			i++;
		else if (s[i] == '"')
			quoted = !quoted;
		else if (!quoted && s[i] == ';')
			break;
	}
	return i;
}

/* The statement without comments and with single blanks; false if it is too long. */
static bool clean(const char *s, size_t n, char out[ASM_LINE_MAX])
{
	size_t k = 0, comment;

	for (size_t i = 0; i < n; i++) {
		comment = comment_length(s + i, n - i);
		if (comment) {
			i += comment - 1;
			continue;
		}
		if (k + 1 >= ASM_LINE_MAX || !s[i])
			return false;
		if (!isspace((unsigned char)s[i]))
			out[k++] = s[i];
		else if (k && out[k - 1] != ' ')
			out[k++] = ' ';
	}
	while (k && out[k - 1] == ' ')
		k--;
	out[k] = 0;
	return true;
}

/* --- operands -------------------------------------------------------------------------------- */

/* Blanks are removed: "% eax", "8 (%rax)". */
static void split_operands(struct asm_line *l, char *s)
{
	char *to = s;
	int depth = 0;

	l->n = 0;
	if (!*s)
		return;
	l->operand[l->n++] = s;
	for (; *s; s++) {
		if (*s == ' ')
			continue;
		depth += (*s == '(') - (*s == ')');
		if (*s == ',' && !depth && l->n < ASM_LINE_OPERANDS) {
			*to++ = 0;
			l->operand[l->n++] = to;
		} else {
			*to++ = *s;
		}
	}
	*to = 0;
}

bool asm_line_is_register(const char *operand)
{
	return *operand == '%' && !strchr(operand, ':');
}

bool asm_line_is_memory(const char *operand)
{
	return *operand != '%' && *operand != '$' && *operand != '*' && *operand != '{' &&
	       !strchr(operand, '@');
}

unsigned asm_line_register_size(const char *operand)
{
	static const char *const names[] = {"a", "b", "c", "d"};
	const char *s = operand + 1;
	size_t n = strlen(s);

	if (!asm_line_is_register(operand))
		return 0;
	if (!strncmp(s, "xmm", 3))
		return 16;
	if (*s == 'r' && isdigit((unsigned char)s[1])) {
		if (s[n - 1] == 'b')
			return 1;
		return s[n - 1] == 'w' ? 2 : s[n - 1] == 'd' ? 4 : 8;
	}
	for (unsigned i = 0; i < 4 && n == 2; i++)
		if (*s == *names[i] && (s[1] == 'l' || s[1] == 'h'))
			return 1;
	if (n == 3 && s[2] == 'l')
		return 1; /* sil, dil, spl, bpl */
	return n == 2 ? 2 : n == 3 && *s == 'e' ? 4 : n == 3 && *s == 'r' ? 8 : 0;
}

/* --- instructions ---------------------------------------------------------------------------- */

/* The next word in lower case, up to a blank; returns the rest. */
static char *next_asm_word(char *s, char *out, size_t room)
{
	size_t n = 0;

	for (; *s && *s != ' '; s++)
		if (n + 1 < room)
			out[n++] = (char)tolower((unsigned char)*s);
	out[n] = 0;
	return s + (*s == ' ');
}

/* A statement without its comments. Returns whether it is complete: more than prefixes. */
static bool statement(struct asm_line *l, char *s)
{
	static const char *const repeat[] = {"rep", "repe", "repz", "repne", "repnz"};
	bool prefix;

	if (*s == '.') {
		l->directive = true;
		l->operand[0] = s;
		return true;
	}
	do {
		if (!*s)
			return false;
		s = next_asm_word(s, l->name, sizeof(l->name));
		prefix = !strcmp(l->name, "lock");
		l->lock |= prefix;
		for (unsigned i = 0; i < 5 && !prefix; i++)
			l->rep |= prefix = !strcmp(l->name, repeat[i]);
	} while (prefix);
	split_operands(l, s);
	return true;
}

/* A label at the beginning of a statement is one of its own: its length in the text, or 0. */
static size_t label_length(const char *s, const char *end)
{
	const char *at = s;

	while (at < end && isspace((unsigned char)*at))
		at++;
	s = at;
	while (at < end && (isalnum((unsigned char)*at) || (*at && strchr("._$", *at))))
		at++;
	return at > s && at < end && *at == ':' ? (size_t)(at + 1 - s) : 0;
}

const char *asm_line_next(const char *text, const char *end, struct asm_line *l)
{
	size_t n;

	*l = (struct asm_line){.text = NULL};
	while (text < end && isspace((unsigned char)*text))
		text++;
	l->text = text;
	l->length = label_length(text, end);
	if (l->length) {
		l->label = true;
		return text + l->length;
	}
	while (text < end) {
		n = statement_length(text, (size_t)(end - text));
		l->length = (size_t)(text + n - l->text);
		if (!clean(text, n, l->buffer)) {
			l->name[0] = 0;
			return text + n;
		}
		text += n + (text + n < end);
		if (statement(l, l->buffer))
			return text;
		if (!l->lock && !l->rep) /* only a comment */
			return asm_line_next(text, end, l);
	}
	l->name[0] = 0;
	return l->lock || l->rep ? text : NULL;
}
