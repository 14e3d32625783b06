/* SPDX-License-Identifier: ISC */
/* token.c - see token.h. Input is untrusted. */
#include "cat/token.h"

#include "base/text.h"

static const struct keyword {
	const char *name;
	u8 type;
} keywords[] = {
	{"let", TOKEN_LET}, {"rec", TOKEN_REC}, {"and", TOKEN_WORD_AND}, {"when", TOKEN_WHEN},
	{"as", TOKEN_AS}, {"acyclic", TOKEN_ACYCLIC}, {"irreflexive", TOKEN_IRREFLEXIVE},
	{"empty", TOKEN_EMPTY}, {"flag", TOKEN_FLAG}, {"undefined_unless", TOKEN_UNDEFINED},
	{"assert", TOKEN_ASSERT}, {"include", TOKEN_INCLUDE}, {"show", TOKEN_SHOW},
	{"unshow", TOKEN_UNSHOW}, {"fun", TOKEN_FUN}, {"in", TOKEN_IN}, {"if", TOKEN_IF},
	{"then", TOKEN_THEN}, {"else", TOKEN_ELSE}, {"try", TOKEN_TRY}, {"with", TOKEN_WITH},
	{"match", TOKEN_MATCH}, {"end", TOKEN_WORD_END}, {"begin", TOKEN_BEGIN},
	{"from", TOKEN_FROM}, {"forall", TOKEN_FORALL}, {"do", TOKEN_DO},
	{"procedure", TOKEN_PROCEDURE}, {"call", TOKEN_CALL}, {"enum", TOKEN_ENUM},
	{"instructions", TOKEN_INSTRUCTIONS}, {"default", TOKEN_DEFAULT},
	{"variant", TOKEN_VARIANT}, {"not", TOKEN_NOT}, {"catdep", TOKEN_CATDEP},
};

static const struct keyword pairs[] = {
	{"++", TOKEN_INSERT}, {"||", TOKEN_BARS}, {"&&", TOKEN_AND}, {"->", TOKEN_ARROW},
};

static char char_at(const struct source *s, u32 at)
{
	return at < s->n ? s->text[at] : 0;
}

static bool is_alphabetic(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_in_name(char c)
{
	return is_alphabetic(c) || is_digit(c) || c == '_' || c == '.' || c == '-';
}

static bool is_white_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool source_begins_with(const struct source *s, u32 at, const char *with)
{
	for (; *with; with++, at++)
		if (char_at(s, at) != *with)
			return false;
	return true;
}

/* Is `at' the first byte of a comment that is a token? */
static bool is_map(const struct source *s, u32 at)
{
	for (at += 2; is_white_space(char_at(s, at)); at++)
		;
	return source_begins_with(s, at, "heddle") && !is_in_name(char_at(s, at + 6));
}

/* Behind the comment that begins at `at'; 0: it does not end. */
static u32 skip_comment(const struct source *s, u32 at)
{
	u32 depth = 0;
	bool nests = source_begins_with(s, at, "(*");

	for (; at < s->n; at++) {
		if (source_begins_with(s, at, nests ? "(*" : "/*") && (nests || !depth)) {
			depth++;
			at++;
		} else if (source_begins_with(s, at, nests ? "*)" : "*/")) {
			at++;
			if (!--depth)
				return at + 1;
		}
	}
	return 0;
}

/* Behind spaces and comments; *open: where a comment begins that does not end. */
static u32 skip_blank(const struct source *s, u32 at, bool *open)
{
	*open = false;
	while (at < s->n) {
		u32 end;

		if (is_white_space(s->text[at])) {
			at++;
		} else if (source_begins_with(s, at, "//") || s->text[at] == '#') {
			while (at < s->n && s->text[at] != '\n')
				at++;
		} else if ((source_begins_with(s, at, "(*") && !is_map(s, at)) ||
			   source_begins_with(s, at, "/*")) {
			end = skip_comment(s, at);
			if (!end) {
				*open = true;
				return at;
			}
			at = end;
		} else {
			break;
		}
	}
	return at;
}

static u8 type_of_word(const char *word, u32 n)
{
	for (u32 i = 0; i < array_size(keywords); i++)
		if (text_equal_n(keywords[i].name, word, n))
			return keywords[i].type;
	return TOKEN_NAME;
}

static u32 end_of_name(const struct source *s, u32 at)
{
	at += char_at(s, at) == '_';
	while (is_in_name(char_at(s, at)))
		at++;
	while (char_at(s, at) == '\'')
		at++;
	return at;
}

static u32 end_of_string(const struct source *s, u32 at)
{
	for (at++; at < s->n && s->text[at] != '"' && s->text[at] != '\n'; at++)
		;
	return char_at(s, at) == '"' ? at + 1 : 0;
}

/* The token that begins at `at' with something else than a name or a comment. */
static u8 read_sign(const struct source *s, u32 at, u32 *end, const char **why)
{
	char c = char_at(s, at);

	*end = at + 1;
	for (u32 i = 0; i < array_size(pairs); i++) {
		if (!source_begins_with(s, at, pairs[i].name))
			continue;
		*end = at + 2;
		return pairs[i].type;
	}
	if (c == '^') {
		for (at++; is_white_space(char_at(s, at)); at++)
			;
		if (source_begins_with(s, at, "-1")) {
			*end = at + 2;
			return TOKEN_INVERSE;
		}
		*why = "`^' without `-1'";
		return TOKEN_WRONG;
	}
	if (c == '0' && !is_in_name(char_at(s, at + 1)))
		return TOKEN_ZERO;
	for (const char *one = "|&\\;*+?~()[]{},=_"; *one; one++)
		if (c == *one)
			return (u8)c;
	*why = is_digit(c) ? "a name begins with a letter" : "this character has no meaning";
	return TOKEN_WRONG;
}

static u8 read_token(const struct source *s, u32 at, u32 *end, const char **why)
{
	char c = char_at(s, at);

	if (is_alphabetic(c) || (c == '_' && is_alphabetic(char_at(s, at + 1)))) {
		*end = end_of_name(s, at);
		return type_of_word(s->text + at, *end - at);
	}
	if (c == '\'' && is_alphabetic(char_at(s, at + 1))) {
		*end = end_of_name(s, at + 1);
		return TOKEN_TAG;
	}
	if (c == '"') {
		*end = end_of_string(s, at);
		if (*end)
			return TOKEN_STRING;
		*end = at + 1;
		*why = "this string does not end on its line";
		return TOKEN_WRONG;
	}
	if (source_begins_with(s, at, "(*")) {
		*end = skip_comment(s, at);
		if (*end)
			return TOKEN_MAP;
		*end = at + 2;
		*why = "this comment does not end";
		return TOKEN_WRONG;
	}
	return read_sign(s, at, end, why);
}

struct token token_next(const struct source *s, u32 *at, const char **why)
{
	struct token t = {.type = TOKEN_END};
	u32 end;
	bool open;

	t.at = skip_blank(s, *at, &open);
	end = t.at;
	if (open) {
		*why = "this comment does not end";
		t.type = TOKEN_WRONG;
		end = t.at + 2;
	} else if (t.at < s->n) {
		t.type = read_token(s, t.at, &end, why);
	}
	if (end - t.at > 0xffff) {
		*why = "this is too long";
		t.type = TOKEN_WRONG;
		end = t.at + 1;
	}
	t.n = (u16)(end - t.at);
	*at = end;
	return t;
}

const char *token_words(u8 type, char words[8])
{
	struct text t = text_begin(words, 8);

	switch (type) {
	case TOKEN_END: return "the end of the file";
	case TOKEN_NAME: return "a name";
	case TOKEN_TAG: return "a tag";
	case TOKEN_STRING: return "a string";
	case TOKEN_INVERSE: return "`^-1'";
	case TOKEN_WORD_END: return "`end'";
	case TOKEN_IN: return "`in'";
	case TOKEN_WITH: return "`with'";
	case TOKEN_THEN: return "`then'";
	case TOKEN_ELSE: return "`else'";
	case TOKEN_FROM: return "`from'";
	case TOKEN_DO: return "`do'";
	case TOKEN_ARROW: return "`->'";
	}
	text_put(&t, "`");
	text_char(&t, (char)type);
	text_put(&t, "'");
	return words;
}
