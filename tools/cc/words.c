/* SPDX-License-Identifier: ISC */
/* words.c - see words.h. */
#include "cc/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"

#define RESPONSE_DEPTH	  8 /* response files that name response files */
#define RESPONSE_SIZE_MAX (64 << 20)

void words_add(struct words *w, const char *word)
{
	if (w->n + 1 >= w->room) {
		w->room = w->room ? 2 * w->room : 64;
		w->word = xgrow(w->word, w->room * sizeof(*w->word));
	}
	w->word[w->n++] = (char *)word;
	w->word[w->n] = NULL;
}

/* --- comparisons ------------------------------------------------------------------------------ */

bool word_starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

bool word_ends(const char *s, const char *with)
{
	size_t n = strlen(s), m = strlen(with);

	return n >= m && !strcmp(s + n - m, with);
}

bool word_is_one_of(const char *s, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(s, *list))
			return true;
	return false;
}

/* --- response files -------------------------------------------------------------------------- */

static char *read_words_file(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t n = 0, room = 0, got;

	if (!f)
		return NULL; /* clang treats the word as a file name, and reports an error */
	do {
		room = 2 * room + 4096;
		text = xgrow(text, room + 1);
		got = fread(text + n, 1, room - n, f);
		n += got;
	} while (got && n < RESPONSE_SIZE_MAX);
	fclose(f);
	text[n] = 0;
	return text;
}

/* The next word of a response file, as clang and gcc read it: white space separates, quotes and
 * backslashes hide it. */
static const char *next_shell_word(const char *s, char **word)
{
	char *to, quote = 0;

	s += strspn(s, " \t\r\n\f\v");
	*word = NULL;
	if (!*s)
		return s;
	*word = to = xgrow(NULL, strlen(s) + 1);
	for (; *s && (quote || !strchr(" \t\r\n\f\v", *s)); s++) {
		if (*s == '\\' && s[1])
			*to++ = *++s;
		else if (quote ? *s == quote : *s == '"' || *s == '\'')
			quote = quote ? 0 : *s;
		else
			*to++ = *s;
	}
	*to = 0;
	return s;
}

void words_expand(struct words *to, const char *word, unsigned depth)
{
	char *text = *word == '@' && depth < RESPONSE_DEPTH ? read_words_file(word + 1) : NULL,
	     *inner;
	const char *s = text;

	if (!text) {
		words_add(to, word);
		return;
	}
	for (s = next_shell_word(s, &inner); inner; s = next_shell_word(s, &inner))
		words_expand(to, inner, depth + 1);
	free(text);
}
