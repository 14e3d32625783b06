/* SPDX-License-Identifier: ISC */
/* scope.c - names: the user's, those of every execution, and tags. See reader.h. */
#include "cat/reader.h"

#include "base/text.h"

static const char *const base_names[] = {
#define BASE_TEXT(name) #name,
	CAT_BASES(BASE_TEXT)
#undef BASE_TEXT
};

const char *cat_base_name(enum cat_base b)
{
	return base_names[b];
}

static const struct primitive {
	const char *name;
	u8 op;
} primitives[] = {
	{"domain", CAT_DOMAIN},
	{"range", CAT_RANGE},
	{"toid", CAT_ID},
};

/* Other names for the same. */
static const struct alias {
	const char *name, *is;
} aliases[] = {
	{"amo", "rmw"}, {"lxsx", "rmw"}, {"si", "id"}, {"sm", "id"}, {"atom", "rmw"},
	{"at", "rmw"}, {"IM", "IW"}, {"FENCE", "F"}, {"P", "NA"},
	{"sthd", "int"}, {"sloc", "loc"},
};

static bool is_dependency(const struct cat_reader *r, u32 token)
{
	static const char *const names[] = {"addr", "data", "ctrl"};
	u32 n;
	const char *name = cat_text(r->c, token, &n);

	for (u32 i = 0; i < array_size(names); i++)
		if (text_equal_n(names[i], name, n))
			return true;
	return false;
}

void scope_bind(struct cat_reader *r, u32 token, struct reader_value v)
{
	if (r->c->catdep && is_dependency(r, token))
		return;
	if (r->nbindings == READER_BINDINGS) {
		reader_refuse(r, token, "limit: too many names");
		return;
	}
	r->binding[r->nbindings] = (struct binding){.token = token,
		.below = r->scope,
		.value = v,
		.silent = r->inside || r->c->source[r->c->token[token].source].library};
	r->scope = r->nbindings++;
}

static bool same_text(const struct cat *c, u32 token, const char *name, u32 n)
{
	u32 size;
	const char *text = cat_text(c, token, &size);

	if (size != n)
		return false;
	for (u32 i = 0; i < n; i++)
		if (text[i] != name[i])
			return false;
	return true;
}

static struct reader_value find_base(struct cat_reader *r, const char *name, u32 n)
{
	const char *table;
	u32 tag;

	for (u32 i = 0; i < array_size(base_names); i++)
		if (text_equal_n(base_names[i], name, n))
			return value_node(node_make(&r->nodes, CAT_BASE, i, 0));
	for (u32 i = 0; i < array_size(primitives); i++)
		if (text_equal_n(primitives[i].name, name, n))
			return (struct reader_value){
				.kind = VALUE_PRIMITIVE, .node = primitives[i].op};
	tag = map_tag(&r->c->map, name, n);
	if (tag < MAP_TAGS) {
		r->tags |= 1ull << tag;
		return value_node(node_make(&r->nodes, CAT_TAG, tag, 0));
	}
	for (u32 i = 0; i < array_size(aliases); i++)
		if (text_equal_n(aliases[i].name, name, n))
			return find_base(r, aliases[i].is, (u32)text_length(aliases[i].is));
	table = map_of_tag(name, n);
	if (!table)
		return (struct reader_value){.kind = VALUE_UNKNOWN};
	if (!r->wanted)
		r->wanted = table;
	return value_node(node_constant(&r->nodes, CAT_EMPTY, CAT_SET));
}

/* The best name so far that is like the unknown one, but for typing errors. */
struct likeness {
	const char *name;
	u32 n;
	unsigned distance;
};

static void compare_name(struct likeness *best, const char *unknown, const char *name, u32 n)
{
	char other[64];
	unsigned d;

	if (n >= sizeof other)
		return;
	__builtin_memcpy(other, name, n);
	other[n] = 0;
	d = text_distance(unknown, other);
	if (d >= best->distance || d >= text_length(unknown))
		return;
	*best = (struct likeness){name, n, d};
}

/* ": did you mean `NAME'?", if there is one. */
static void suggest(struct cat_reader *r, u32 token, struct text *to)
{
	struct likeness best = {.distance = 3};
	char unknown[64];
	u32 n;
	const char *text = cat_text(r->c, token, &n);

	if (n >= sizeof unknown)
		return;
	__builtin_memcpy(unknown, text, n);
	unknown[n] = 0;
	for (u32 i = 0; i < array_size(base_names); i++)
		compare_name(&best, unknown, base_names[i], (u32)text_length(base_names[i]));
	for (u32 b = r->scope; b; b = r->binding[b].below) {
		text = cat_text(r->c, r->binding[b].token, &n);
		compare_name(&best, unknown, text, n);
	}
	if (!best.name)
		return;
	text_put(to, ": did you mean `");
	text_put_n(to, best.name, best.n);
	text_put(to, "'?");
}

struct reader_value scope_find(struct cat_reader *r, u32 token)
{
	char message[160];
	struct text t = text_begin(message, sizeof message);
	struct reader_value v;
	u32 n;
	const char *name = cat_text(r->c, token, &n);

	for (u32 b = r->scope; b; b = r->binding[b].below) {
		if (!same_text(r->c, r->binding[b].token, name, n))
			continue;
		r->binding[b].used |= !(r->quiet && r->unchosen);
		return r->binding[b].value;
	}
	v = find_base(r, name, n);
	if (v.kind != VALUE_UNKNOWN || r->failed)
		return v;
	if (r->quiet) {
		r->missed = true;
		return v;
	}
	text_put(&t, "`%' is neither defined nor a set or relation of executions");
	suggest(r, token, &t);
	reader_refuse(r, token, message);
	return v;
}

/* Of the model's own file: others are made for several models. */
void scope_warn(struct cat_reader *r)
{
	struct cat *c = r->c;

	for (u32 i = 1; i < r->nbindings; i++) {
		const struct binding *b = &r->binding[i];

		if (b->used || b->silent || c->nwarnings == CAT_WARNINGS ||
			c->token[b->token].source != r->own)
			continue;
		c->warning[c->nwarnings++] = (struct cat_warning){b->token, "is not used"};
	}
}
