/* SPDX-License-Identifier: ISC */
/* words.c - names, numbers and punctuation of litmus tests: see litmus.h. */
#include "litmus/litmus.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void litmus_refuse(struct litmus *t, int line, const char *format, ...)
{
	va_list ap;
	char *words;

	va_start(ap, format);
	if (vasprintf(&words, format, ap) < 0)
		die("out of memory");
	va_end(ap);
	t->problem = xprintf("%s:%d: %s", t->path, line, words);
	longjmp(t->leave, 1);
}

char *text_between(const char *from, const char *to)
{
	return xprintf("%.*s", (int)(to - from), from);
}

/* (* a comment, of (* several *) levels *) */
static void skip_litmus_comment(struct litmus *t, const char **at)
{
	int first = t->line, depth = 0;

	do {
		if (!strncmp(*at, "(*", 2))
			depth++, ++*at;
		else if (!strncmp(*at, "*)", 2))
			depth--, ++*at;
		else if (**at == '\n')
			t->line++;
		else if (!**at)
			litmus_refuse(t, first, "a comment does not end");
		++*at;
	} while (depth);
}

/* Comments of C, which tests of the kernel have between and after their threads. */
static bool pass_c_comment(struct litmus *t, const char **at)
{
	const char *end;

	if (!strncmp(*at, "//", 2)) {
		*at += strcspn(*at, "\n");
		return true;
	}
	if (strncmp(*at, "/*", 2) != 0)
		return false;
	end = strstr(*at + 2, "*/");
	if (!end)
		litmus_refuse(t, t->line, "a comment does not end");
	for (; *at < end + 2; ++*at)
		t->line += **at == '\n';
	return true;
}

void skip_blanks(struct litmus *t, const char **at)
{
	for (;;) {
		if (pass_c_comment(t, at))
			continue;
		if (**at == '\n')
			t->line++;
		if (!strncmp(*at, "(*", 2))
			skip_litmus_comment(t, at);
		else if (isspace((unsigned char)**at))
			++*at;
		else
			return;
	}
}

static bool is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool pass_word(struct litmus *t, const char **at, const char *word)
{
	size_t n = strlen(word);

	skip_blanks(t, at);
	if (strncmp(*at, word, n) != 0 || (is_of_name(word[n - 1]) && is_of_name((*at)[n])))
		return false;
	*at += n;
	return true;
}

void need_word(struct litmus *t, const char **at, const char *word)
{
	if (!pass_word(t, at, word))
		litmus_refuse(t, t->line, "`%s' expected before `%.*s'", word,
			(int)strcspn(*at, "\n"), *at);
}

const char *read_name(struct litmus *t, const char **at)
{
	const char *from;

	skip_blanks(t, at);
	from = *at;
	if (!isalpha((unsigned char)*from) && *from != '_')
		return NULL;
	while (is_of_name(**at))
		++*at;
	return text_between(from, *at);
}

bool read_number(struct litmus *t, const char **at, int64_t *to)
{
	char *end;

	skip_blanks(t, at);
	if (!isdigit((unsigned char)**at) && !(**at == '-' && isdigit((unsigned char)(*at)[1])))
		return false;
	*to = (int64_t)(**at == '-' ? (unsigned long long)strtoll(*at, &end, 0)
				    : strtoull(*at, &end, 0));
	*at = end;
	return true;
}

struct litmus_value read_value(struct litmus *t, const char **at)
{
	struct litmus_value v = {0};

	if (read_number(t, at, &v.number))
		return v;
	pass_word(t, at, "&");
	v.address = read_name(t, at);
	if (!v.address)
		litmus_refuse(
			t, t->line, "a value expected before `%.*s'", (int)strcspn(*at, "\n"), *at);
	litmus_location(t, v.address);
	return v;
}
