/* SPDX-License-Identifier: ISC */
/*
 * option.c - the options of an exploration: one list (option.def) for the command line,
 * HEDDLE_OPTIONS in the tested process, and the replay file.
 */
#include "base/option.h"

#include <string.h> /* memset, memcpy */

#include "base/option_value.h"
#include "base/text.h"

enum option_type { TYPE_NUMBER, TYPE_SECONDS, TYPE_FLAG, TYPE_MODEL, TYPE_STRATEGY, TYPE_RACES,
	TYPE_EQUIVALENCE, TYPE_REUSE, TYPE_WHEN, TYPE_SLEEPERS, TYPE_DEPENDENCIES,
	TYPE_ARCH_RMW, TYPE_LEVEL, TYPE_DETECT,
	TYPE_SHARD, TYPE_TEXT };

struct option_row {
	const char *name, *help;
	u64 standard; /* the default */
	u16 offset;
	u8 type;
	bool recorded; /* in replay files */
};

static const struct option_row rows[] = {
#define ROW(name, c_name, type, value, help, recorded) \
	{name, help, value, offsetof(struct options, c_name), TYPE_##type, recorded},
#define OPTION(name, field, type, value, help)	   ROW(name, field, type, value, help, true)
#define UNRECORDED(name, field, type, value, help) ROW(name, field, type, value, help, false)
#define RECORDED(name, field, type, value)	   ROW(name, field, type, value, "", true)
#define INTERNAL(name, field, type, value)	   ROW(name, field, type, value, "", false)
#include "base/option.def"
#undef ROW
#undef OPTION
#undef UNRECORDED
#undef RECORDED
#undef INTERNAL
};

/* The ranges of options that do not accept every number. */
static const struct {
	const char *name;
	u64 least, most;
} ranges[] = {
	{"buffer-size", 1, 64},
	{"jobs", 1, JOBS_MAX},
	{"depth", 1, 1000},
	{"history", 1, 1000},
	{"max-findings", 1, 64},
	{"max-steps", 0, UINT32_MAX},
};

static const char *const model_names[] = {
#define MODEL_TEXT(name, NAME, traits) #name,
	MODELS(MODEL_TEXT)
#undef MODEL_TEXT
	"cat", "auto",
};
static const char *const strategy_names[] = {"random", "pct", "pos", "surw", "pctwm", "dfs",
	"mixed", "graph", "rf", "traces", "states", "auto", "follow"};
static const char *const races_names[] = {"auto", "report", "ignore", "promote"};
static const char *const equivalence_names[] = {"rf+co", "rf", "auto"};
static const char *const reuse_names[] = {"never", "lifo", "choose"};
static const char *const when_names[] = {"auto", "never", "always"};
static const char *const sleepers_names[] = {"any", "last", "auto"};
static const char *const dependencies_names[] = {"tracked", "none", "all"};
static const char *const arch_rmw_names[] = {"lse", "llsc"};
static const char *const level_names[] = {"auto", "findings", "outcomes", "state", "executions"};

#define STRATEGIES_BY_NAME STRATEGY_FOLLOW /* users can select those before it */

const char *model_name(enum model_id m)
{
	BUG_ON(m >= array_size(model_names));
	return model_names[m];
}

const char *strategy_name(enum strategy s)
{
	BUG_ON(s >= array_size(strategy_names));
	return strategy_names[s];
}

const char *equivalence_name(enum equivalence e)
{
	BUG_ON(e >= array_size(equivalence_names));
	return equivalence_names[e];
}

const char *level_name(enum compare_level l)
{
	BUG_ON(l >= array_size(level_names));
	return level_names[l];
}

/* Options whose value is one of a few names. */
static const struct choices {
	const char *const *name;
	size_t n; /* that users can select */
	const char *wanted;
} choices_of[] = {
	[TYPE_MODEL] = {model_names, array_size(model_names),
		MODEL_NAMES "or auto, or a file FILE.cat"},
	[TYPE_STRATEGY] = {strategy_names, STRATEGIES_BY_NAME,
		"graph, rf, traces, states, auto, random, pct, pos, surw, pctwm, dfs or mixed"},
	[TYPE_RACES] = {races_names, array_size(races_names), "auto, report, ignore or promote"},
	[TYPE_EQUIVALENCE] = {equivalence_names, array_size(equivalence_names),
		"rf+co, rf or auto"},
	[TYPE_REUSE] = {reuse_names, array_size(reuse_names), "never, lifo or choose"},
	[TYPE_WHEN] = {when_names, array_size(when_names), "auto, never or always"},
	[TYPE_SLEEPERS] = {sleepers_names, array_size(sleepers_names), "auto, any or last"},
	[TYPE_DEPENDENCIES] = {dependencies_names, array_size(dependencies_names),
		"tracked, none or all"},
	[TYPE_ARCH_RMW] = {arch_rmw_names, array_size(arch_rmw_names), "lse or llsc"},
	[TYPE_LEVEL] = {level_names, array_size(level_names),
		"auto, findings, outcomes, state or executions"},
	[TYPE_TEXT] = {NULL, 0, NULL}, /* the last type */
};

static bool is_enum(const struct option_row *r)
{
	return choices_of[r->type].n;
}

/* Every field of struct options is read and written through these: enums and u64 differ in size. */
static u64 field_get(const struct options *o, const struct option_row *r)
{
	const char *at = (const char *)o + r->offset;
	u64 wide;
	u32 narrow;

	if (is_enum(r)) {
		memcpy(&narrow, at, sizeof(narrow));
		return narrow;
	}
	memcpy(&wide, at, sizeof(wide));
	return wide;
}

static void field_put(struct options *o, const struct option_row *r, u64 value)
{
	char *at = (char *)o + r->offset;
	u32 narrow = (u32)value;

	_Static_assert(sizeof(enum model_id) == 4 && sizeof(enum strategy) == 4 &&
			       sizeof(enum races) == 4 && sizeof(enum equivalence) == 4 &&
			       sizeof(enum reuse) == 4 && sizeof(enum sleepers) == 4 &&
			       sizeof(enum when) == 4 && sizeof(enum dependencies) == 4 &&
			       sizeof(enum arch_rmw) == 4 &&
			       sizeof(enum compare_level) == 4,
		"enums are u32");
	if (is_enum(r))
		memcpy(at, &narrow, sizeof(narrow));
	else
		memcpy(at, &value, sizeof(value));
}

static const char *field_text(const struct options *o, const struct option_row *r)
{
	return (const char *)o + r->offset;
}

void option_defaults(struct options *o)
{
	memset(o, 0, sizeof(*o));
	for (size_t i = 0; i < array_size(rows); i++)
		if (rows[i].type != TYPE_TEXT)
			field_put(o, &rows[i], rows[i].standard);
}

/* --- mistakes -------------------------------------------------------------------------------- */

/* "<a> `<word>'<b>"; always false, so that a caller can return it. */
static bool mistake(struct err *err, const char *a, const char *word, size_t n, const char *b)
{
	struct text t = text_begin(err->message, sizeof(err->message));

	err->at = 0;
	text_put(&t, a);
	text_put(&t, " `");
	text_put_n(&t, word, n < 60 ? n : 60);
	text_put(&t, "'");
	text_put(&t, b);
	return false;
}

static bool mistake_value(struct err *err, const char *name, const char *value, const char *wanted)
{
	char end[120];
	struct text t = text_begin(end, sizeof(end));

	text_put(&t, " for ");
	text_put(&t, name);
	text_put(&t, ": wanted ");
	text_put(&t, wanted);
	return mistake(err, "wrong value", value, text_length(value), end);
}

static bool mistake_name(struct err *err, const char *name)
{
	char end[80];
	struct text t = text_begin(end, sizeof(end));
	const char *best = NULL;
	unsigned distance = 4; /* no typing error beyond that */

	for (size_t i = 0; i < array_size(rows); i++) {
		unsigned d = text_distance(name, rows[i].name);

		if (rows[i].help[0] && d < distance && d < text_length(rows[i].name)) {
			distance = d;
			best = rows[i].name;
		}
	}
	if (best) {
		text_put(&t, ": did you mean `");
		text_put(&t, best);
		text_put(&t, "'?");
	} else {
		text_put(&t, ": `heddle help run' lists them");
	}
	return mistake(err, "no option", name, text_length(name), end);
}

/* --- values ---------------------------------------------------------------------------------- */

static bool check_range(const struct option_row *r, const char *text, u64 value, struct err *err)
{
	char wanted[80];
	struct text t = text_begin(wanted, sizeof(wanted));

	for (size_t i = 0; i < array_size(ranges); i++) {
		if (!text_equal(ranges[i].name, r->name))
			continue;
		if (value >= ranges[i].least && value <= ranges[i].most)
			return true;
		text_put(&t, "a number from ");
		text_number(&t, ranges[i].least);
		text_put(&t, " to ");
		text_number(&t, ranges[i].most);
		return mistake_value(err, r->name, text, wanted);
	}
	return true;
}

static bool set_option_text(struct options *o, const struct option_row *r, const char *s,
	struct err *err)
{
	size_t n = text_length(s);

	if (n >= OPTION_TEXT_MAX)
		return mistake_value(err, r->name, s, "at most 511 bytes");
	memcpy((char *)o + r->offset, s, n + 1);
	return true;
}

/* With underscores, too, as in C. */
static bool same_name(const char *a, const char *b)
{
	for (; *a && (*a == *b || (*a == '-' && *b == '_')); a++, b++)
		;
	return *a == *b;
}

static void put_option_value(struct options *o, const struct option_row *r, u64 value)
{
	if (r->type == TYPE_DETECT && value & DETECT_UNINIT)
		value |= DETECT_HEAP; /* it has to see the blocks */
	field_put(o, r, value);
}

/* The word for no bound, of an option that has none by default. */
static bool is_any(const struct option_row *r, const char *s, u64 *value)
{
	*value = NUMBER_ANY;
	return r->standard == NUMBER_ANY && text_equal(s, "any");
}

/* Is the value of an option for models the name of a file? */
static bool is_model_file(const char *s)
{
	size_t n = text_length(s);

	return n > 4 && text_equal(s + n - 4, ".cat");
}

static bool set_value(struct options *o, const struct option_row *r, const char *s, struct err *err)
{
	const char *wanted = "";
	u64 value = r->type == TYPE_DETECT ? o->detect : 0;
	bool good = false;

	if (r->type == TYPE_MODEL && is_model_file(s)) {
		field_put(o, r, MODEL_CAT);
		return option_set(o, "cat", s, err);
	}
	switch (r->type) {
	case TYPE_TEXT: return set_option_text(o, r, s, err);
	case TYPE_NUMBER:
		good = is_any(r, s, &value) || value_read_number(s, &value);
		wanted = "a number, as 500 or 20k";
		break;
	case TYPE_SECONDS:
		good = value_read_seconds(s, &value);
		wanted = "seconds, as 60 or 0.5";
		break;
	case TYPE_FLAG:
		good = value_read_flag(s, &value);
		wanted = "on or off";
		break;
	case TYPE_DETECT:
		good = value_read_detectors(s, &value);
		wanted = "names of detectors, as heap,leak or +leak: see `heddle help run'";
		break;
	case TYPE_SHARD:
		good = value_read_shard(s, &value);
		wanted = "a number and how many there are, as 2/7 (1/1 to 9999/9999)";
		break;
	default: /* is_enum() */
		good = value_read_name(s, choices_of[r->type].name, choices_of[r->type].n, &value);
		wanted = choices_of[r->type].wanted;
		break;
	}
	if (!good)
		return mistake_value(err, r->name, s, wanted);
	if (!check_range(r, s, value, err))
		return false;
	put_option_value(o, r, value);
	if (r->type == TYPE_STRATEGY)
		o->graphs_only = value == STRATEGY_GRAPH; /* the user's choice, not the default */
	if (r->type == TYPE_STRATEGY && value == STRATEGY_AUTO) {
		o->strategy = STRATEGY_GRAPH;
		o->equivalence = EQUIVALENCE_AUTO;
	}
	return true;
}

/* --- the interface --------------------------------------------------------------------------- */

/* Files of older versions have underscores in the names of internal options. */
unsigned option_find(const char *name)
{
	for (unsigned i = 0; i < array_size(rows); i++) {
		bool internal = rows[i].recorded && !*rows[i].help;

		if (internal ? same_name(rows[i].name, name) : text_equal(rows[i].name, name))
			return i;
	}
	return ~0u;
}

bool option_set(struct options *o, const char *name, const char *value, struct err *err)
{
	unsigned i = 0;

	while (i < array_size(rows) && !same_name(rows[i].name, name))
		i++;
	if (i >= array_size(rows))
		return mistake_name(err, name);
	if (value)
		return set_value(o, &rows[i], value, err);
	if (rows[i].type != TYPE_FLAG)
		return mistake(err, "option", name, text_length(name), " needs a value");
	put_option_value(o, &rows[i], 1);
	return true;
}

/* Copy text up to a comma or `stop`, %XX decoded. False: it is too long, see *err. */
static bool copy_item(const char **text, char stop, struct text *to, struct err *err)
{
	const char *s = *text;

	for (; *s && *s != ',' && *s != stop; s++) {
		char c = *s;

		if (c == '%' && text_digit(s[1]) >= 0 && text_digit(s[2]) >= 0) {
			c = (char)(text_digit(s[1]) << 4 | text_digit(s[2]));
			s += 2;
		}
		if (to->n + 1 == to->room)
			return mistake(err, "too long:", to->to, to->n, "...");
		text_char(to, c);
	}
	*text = s;
	return true;
}

bool option_parse(struct options *o, const char *text, struct err *err)
{
	const char *start = text;
	char name[64], value[OPTION_TEXT_MAX];

	while (*text) {
		const char *part = text;
		struct text n = text_begin(name, sizeof(name));
		struct text v = text_begin(value, sizeof(value));
		bool has_value = false, good = copy_item(&text, '=', &n, err);

		if (good && *text == '=') {
			text++;
			has_value = true;
			good = copy_item(&text, ',', &v, err);
		}
		if (good && n.n)
			good = option_set(o, name, has_value ? value : NULL, err);
		if (!good) {
			err->at = (size_t)(part - start);
			return false;
		}
		if (*text == ',')
			text++;
	}
	return true;
}

enum model_id option_model(const struct options *o)
{
	if (o->model != MODEL_AUTO)
		return o->model;
	if (option_is_bounded(o))
		return MODEL_SC;
	return o->strategy == STRATEGY_GRAPH || o->strategy == STRATEGY_TRACES ? MODEL_OF_GRAPHS
									       : MODEL_OF_SCHEDULES;
}

bool option_show(const struct options *o, unsigned i, const char **name, char *to, size_t n)
{
	const struct option_row *r = &rows[i];
	struct text t = text_begin(to, n);

	if (i >= array_size(rows))
		return false;
	*name = r->name;
	switch (r->type) {
	case TYPE_TEXT: text_put(&t, field_text(o, r)); break;
	case TYPE_NUMBER:
		if (r->standard == NUMBER_ANY && field_get(o, r) == NUMBER_ANY)
			text_put(&t, "any");
		else
			text_number(&t, field_get(o, r));
		break;
	case TYPE_SECONDS: value_show_seconds(&t, field_get(o, r)); break;
	case TYPE_FLAG: text_put(&t, field_get(o, r) ? "on" : "off"); break;
	case TYPE_DETECT: value_show_detectors(&t, field_get(o, r)); break;
	case TYPE_SHARD: value_show_shard(&t, field_get(o, r)); break;
	default: text_put(&t, choices_of[r->type].name[field_get(o, r)]); break;
	}
	return true;
}

bool option_is_default(const struct options *o, unsigned i)
{
	if (i >= array_size(rows))
		return true;
	if (rows[i].type == TYPE_TEXT)
		return !field_text(o, &rows[i])[0];
	return field_get(o, &rows[i]) == rows[i].standard;
}

bool option_is_recorded(unsigned i)
{
	return i < array_size(rows) && rows[i].recorded;
}

const char *option_choice(unsigned i, unsigned k)
{
	if (i >= array_size(rows))
		return NULL;
	if (rows[i].type == TYPE_DETECT)
		return detect_name(k);
	if (rows[i].type == TYPE_MODEL && k >= MODEL_CAT)
		k++; /* named by its file */
	return k < choices_of[rows[i].type].n ? choices_of[rows[i].type].name[k] : NULL;
}

bool option_describe(unsigned i, const char **name, const char **value_shape, const char **help)
{
	static const char *const shapes[] = {[TYPE_NUMBER] = "N",
		[TYPE_SECONDS] = "SECONDS",
		[TYPE_FLAG] = "",
		[TYPE_MODEL] = "MODEL",
		[TYPE_STRATEGY] = "STRATEGY",
		[TYPE_RACES] = "WHAT",
		[TYPE_EQUIVALENCE] = "WHAT",
		[TYPE_REUSE] = "WHEN",
		[TYPE_WHEN] = "WHEN",
		[TYPE_SLEEPERS] = "WHEN",
		[TYPE_DEPENDENCIES] = "WHICH",
		[TYPE_ARCH_RMW] = "HOW",
		[TYPE_LEVEL] = "LEVEL",
		[TYPE_DETECT] = "NAMES",
		[TYPE_SHARD] = "K/N",
		[TYPE_TEXT] = "FILE"};

	if (i >= array_size(rows))
		return false;
	*name = rows[i].name;
	*value_shape = shapes[rows[i].type];
	*help = rows[i].help;
	return true;
}
