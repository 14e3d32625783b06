/* SPDX-License-Identifier: ISC */
/* primitive.c - see primitive.h. */
#include "source/primitive.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dwarf.h>

#include "die.h"
#include "path.h"
#include "source/csource.h"
#include "source/variable.h"

#define RULES_FILE  "heddle.primitives"
#define BLANKS	    " \t\r\n"
#define TOKENS_MOST 80 /* of an accessor's body */

/* --- rules ----------------------------------------------------------------------------------- */

struct rules {
	const char **glob;
	unsigned n;
};

static struct rules given, found; /* on the command line; in the file */

static void add_glob(struct rules *r, const char *glob)
{
	r->glob = xgrow(r->glob, (r->n + 1) * sizeof(*r->glob));
	r->glob[r->n++] = glob;
}

void primitive_rule(const char *glob)
{
	if (!glob[*glob == '!'])
		die("wrong value `%s' for primitive: wanted a glob of functions or files", glob);
	add_glob(&given, glob);
}

void primitive_rules_forget(void)
{
	given = found = (struct rules){NULL, 0};
}

void primitive_rules_read(void)
{
	FILE *f = fopen(RULES_FILE, "re");
	char *line = NULL;
	size_t room = 0;

	if (!f && errno != ENOENT)
		die("%s: %s", RULES_FILE, strerror(errno));
	for (int number = 1; f && getline(&line, &room, f) >= 0; number++) {
		char *rest, *word = strtok_r(line, BLANKS, &rest), *more;

		if (!word || *word == '#')
			continue;
		more = strtok_r(NULL, BLANKS, &rest);
		if (more && *more != '#')
			die("%s:%d: `%s': wanted one glob per line", RULES_FILE, number, more);
		if (!word[*word == '!'])
			die("%s:%d: `%s': wanted a glob of functions or files", RULES_FILE, number,
				word);
		add_glob(&found, xstrdup(word));
	}
	if (f)
		fclose(f);
	free(line);
}

static bool glob_matches(const char *glob, const struct frame *f)
{
	return (f->function && !fnmatch(glob, f->function, 0)) ||
	       (f->file && path_matches(glob, f->file));
}

/* The last rule that matches; NULL: none does. */
static const char *rule_of(const struct rules *r, const struct frame *f)
{
	for (unsigned i = r->n; i--;)
		if (glob_matches(r->glob[i] + (*r->glob[i] == '!'), f))
			return r->glob[i];
	return NULL;
}

/* --- accessors ------------------------------------------------------------------------------- */

static bool is_branch(const struct csource *s, u32 i)
{
	static const char *const words[] = {"if", "while", "for", "do", "switch", "goto", "try",
		"throw", "{", "}", "?", "&&", "||", "co_await"};

	for (u32 k = 0; k < array_size(words); k++)
		if (token_is(s, i, words[k]))
			return true;
	return false;
}

static bool is_call(const struct csource *s, u32 i)
{
	return s->token[i].kind == TOKEN_WORD && token_is(s, i + 1, "(") &&
	       !token_is(s, i, "sizeof") && !token_is(s, i, "return");
}

/* Tokens from..to-1: one statement, or one that declares a value and one that returns it. */
static bool is_one_access(const struct csource *s, u32 from, u32 to)
{
	u32 ends = 0, calls = 0;

	if (to <= from || to - from > TOKENS_MOST)
		return false;
	for (u32 i = from; i < to; i++) {
		if (is_branch(s, i))
			return false;
		ends += token_is(s, i, ";");
		calls += is_call(s, i);
	}
	if (!token_is(s, to - 1, ";") || calls > 1)
		return false;
	return ends == 1 || (ends == 2 && to - from > 4 && token_is(s, to - 3, "return") &&
				    token_is(s, to - 4, ";"));
}

/* The { of the function's body; 0: not at the place in debug information. */
static u32 function_body(const struct csource *s, const char *name, int line)
{
	size_t n = strcspn(name, "<"); /* of templates */
	u32 i = 1;

	while (i < s->ntokens &&
		(s->token[i].line < line || s->token[i].n != n ||
			memcmp(s->text + s->token[i].at, name, n) || !token_is(s, i + 1, "(")))
		i++;
	if (i >= s->ntokens || s->token[i].line > line + 2)
		return 0;
	for (i = s->token[i + 1].match + 1; i < s->ntokens && s->token[i].kind == TOKEN_WORD; i++)
		if (token_is(s, i + 1, "(")) /* noexcept(...), __attribute__((...)) */
			i = s->token[i + 1].match;
	return token_is(s, i, "{") && s->token[i].match > i ? i : 0;
}

/* smp_mb() */
static bool is_fence(const struct csource *s, u32 from, u32 to)
{
	static const char *const parts[] = {"fence", "barrier", "synchronize", "asm"};

	for (u32 i = from; i < to; i++)
		for (u32 k = 0; k < array_size(parts) && is_call(s, i); k++)
			if (strstr(csource_copy(s, i, i), parts[k]))
				return true;
	return token_is(s, from, "asm") || token_is(s, from, "__asm__");
}

static bool has_pointer(Dwarf_Die *function)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin = *function, child, type, bare;

	if (dwarf_attr(function, DW_AT_abstract_origin, &attr) &&
		!dwarf_formref_die(&attr, &origin))
		return false;
	if (dwarf_child(&origin, &child) != 0)
		return false;
	do {
		int tag;

		if (dwarf_tag(&child) != DW_TAG_formal_parameter || !type_of(&child, &type) ||
			dwarf_peel_type(&type, &bare) != 0)
			continue;
		tag = dwarf_tag(&bare);
		if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
			tag == DW_TAG_rvalue_reference_type)
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

bool primitive_is_accessor(const struct frame *f, Dwarf_Die *function)
{
	const struct csource *s;
	int line;
	u32 body;

	if (!f->function || !f->file || !function || dwarf_decl_line(function, &line) != 0)
		return false;
	s = csource_once(f->file);
	body = s ? function_body(s, f->function, line) : 0;
	return body && is_one_access(s, body + 1, s->token[body].match) &&
	       (has_pointer(function) || is_fence(s, body + 1, s->token[body].match));
}

/* --- all of it ------------------------------------------------------------------------------- */

bool primitive_is_system(const char *path)
{
	static const char *const folders[] = {"/usr/include/", "/usr/local/include/", "/usr/lib",
		"/usr/local/lib", "/lib/", "/lib64/"};

	for (unsigned i = 0; i < array_size(folders); i++)
		if (!strncmp(path, folders[i], strlen(folders[i])))
			return true;
	return strstr(path, "/include/c++/") || strstr(path, "/lib/clang/") ||
	       (!strncmp(path, "/opt/", 5) && strstr(path, "/include/"));
}

static bool is_marked(Dwarf_Die *function)
{
	Dwarf_Attribute attr;
	bool artificial;
	int line;

	/* Functions made by the compiler, like g++'s lambdas, have no line. */
	return dwarf_decl_line(function, &line) == 0 &&
	       dwarf_attr_integrate(function, DW_AT_artificial, &attr) &&
	       dwarf_formflag(&attr, &artificial) == 0 && artificial;
}

static const char *rule_for(const struct frame *f)
{
	const char *rule = rule_of(&given, f);

	return rule ? rule : rule_of(&found, f);
}

bool primitive_is_denied(const struct frame *f)
{
	const char *rule = rule_for(f);

	return rule && *rule == '!';
}

bool primitive_is(const struct frame *f, const char *module, Dwarf_Die *function)
{
	const char *rule = rule_for(f);

	if (rule)
		return *rule != '!';
	if (f->file ? primitive_is_system(f->file) : module && primitive_is_system(module))
		return true;
	return function && is_marked(function);
}
