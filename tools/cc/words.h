/* SPDX-License-Identifier: ISC */
/* words.h - a command line as a list of words. */
#ifndef CC_WORDS_H
#define CC_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct words {
	char **word; /* NULL after the last one */
	size_t n, room;
};

void words_add(struct words *w, const char *word);

/* Add a word, or, for @FILE, the words of this response file; depth: 0. */
void words_expand(struct words *to, const char *word, unsigned depth);

bool word_starts(const char *s, const char *with);
bool word_ends(const char *s, const char *with);

/* `list` ends with NULL. */
bool word_is_one_of(const char *s, const char *const *list);

#endif
