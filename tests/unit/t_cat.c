/* SPDX-License-Identifier: ISC */
/* t_cat.c - models in files: mistakes, a line each; what is known of expressions and axioms. */
#include "cat/analysis.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

/* Other files than the model include nothing but this one. */
static bool read_text(void *ctx, const char *from, const char *name, struct source *to)
{
	if (from && strcmp(name, "other.cat"))
		return false;
	to->text = from ? "let mine = po | rf\n" : ctx;
	to->n = (u32)strlen(to->text);
	return true;
}

static bool fast_only(void *ctx, const char *name, u32 n)
{
	(void)ctx;
	return n == 4 && !memcmp(name, "fast", n);
}

static bool read_model(struct cat *c, void *memory, const char *text, struct cat_error *err)
{
	const struct cat_files files = {read_text, (void *)text, fast_only};

	memset(memory, 0, CAT_MEMORY);
	return cat_read(c, memory, &files, "model", err);
}

/* --- mistakes --------------------------------------------------------------------------------- */

static const struct {
	const char *text;
	u32 column; /* of line 1, or behind its end */
	const char *message;
} broken[] = {
	{"acyclic", 8,
		"wanted a set or a relation before the end of the file"},
	{"acyclic po |", 13,
		"wanted a set or a relation before the end of the file"},
	{"acyclic | po", 9,
		"wanted a set or a relation, not `|'"},
	{"acyclic (po", 12,
		"wanted `)' before the end of the file"},
	{"acyclic po)", 11,
		"wanted let, an axiom, include, show or the like, not `)'"},
	{"acyclic [po", 12,
		"wanted `]' before the end of the file"},
	{"acyclic [po]", 9,
		"[ ] takes a set: this is a relation"},
	{"acyclic po ; R", 12,
		"`;' joins relations: an operand is a set (write [S])"},
	{"acyclic R ; po", 11,
		"`;' joins relations: an operand is a set (write [S])"},
	{"acyclic R | po", 11,
		"`|' has a set on one side and a relation on the other"},
	{"acyclic po & W", 12,
		"`&' has a set on one side and a relation on the other"},
	{"acyclic po \\ W", 12,
		"`\\' has a set on one side and a relation on the other"},
	{"acyclic R * po", 11,
		"`*' is the product of sets: an operand is a relation"},
	{"acyclic po * po", 12,
		"`*' is the product of sets: an operand is a relation"},
	{"acyclic R", 9,
		"wanted a relation: this is a set"},
	{"irreflexive W", 13,
		"wanted a relation: this is a set"},
	{"irreflexive R*W;R", 16,
		"`;' joins relations: an operand is a set (write [S])"},
	{"acyclic R+", 10,
		"`+' follows a relation: this is a set"},
	{"acyclic R*", 10,
		"`*' follows a relation: this is a set"},
	{"acyclic R?", 10,
		"`?' follows a relation: this is a set"},
	{"acyclic R^-1", 10,
		"`^-1' follows a relation: this is a set"},
	{"acyclic domain R", 9,
		"`domain' takes a relation: this is a set"},
	{"acyclic [domain po] | range R", 23,
		"`range' takes a relation: this is a set"},
	{"acyclic domain po", 9,
		"wanted a relation: this is a set"},
	{"acyclic pox", 9,
		"`pox' is neither defined nor a set or relation of executions: did you mean `po'?"},
	{"acyclic po-lok", 9,
		"`po-lok' is neither defined nor a set or relation of executions: "
		"did you mean `po-loc'?"},
	{"acyclic toid(po)", 9,
		"[ ] takes a set: this is a relation"},
	{"acyclic po as", 14,
		"wanted a name before the end of the file"},
	{"acyclic po as \"x", 15,
		"this string does not end on its line"},
	{"acyclic po acyclic", 19,
		"wanted a set or a relation before the end of the file"},
	{"cyclic po", 10,
		"the model has no axiom: it allows everything"},
	{"let x = po", 11,
		"the model has no axiom: it allows everything"},
	{"let x po acyclic x", 10,
		"wanted `=', not `acyclic'"},
	{"let = po acyclic po", 5,
		"wanted a name, not `='"},
	{"let x = po and acyclic x", 16,
		"wanted a name, not `acyclic'"},
	{"let x = acyclic x", 9,
		"wanted a set or a relation, not `acyclic'"},
	{"let rec x = po | x;y acyclic x", 20,
		"`y' is neither defined nor a set or relation of executions"},
	{"let rec x = po \\ x acyclic x", 16,
		"recursion through the right side of `\\': no least solution"},
	{"let rec x = ~x & po acyclic x", 13,
		"recursion through `~': no least solution"},
	{"let rec x = po | ~(x;po) acyclic x", 18,
		"recursion through `~': no least solution"},
	{"let rec x = po \\ y and y = rf | (x; y) acyclic x", 16,
		"recursion through the right side of `\\': no least solution"},
	{"let rec x = po \\ (let rec y = x | y in y) acyclic x", 16,
		"recursion through the right side of `\\': no least solution"},
	{"let rec x = R | y and y = po acyclic y", 27,
		"the type of this definition differs from its uses"},
	{"let rec x = [x] | po acyclic x", 13,
		"the type of this definition differs from its uses"},
	{"let rec f(r) = r acyclic f(po)", 9,
		"limit: recursive functions are not supported"},
	{"let f(r) = r acyclic f", 22,
		"`f' is a function: wanted a set or a relation"},
	{"let f(r) = r acyclic f po po", 22,
		"`f' is no function"},
	{"let f(a, b) = a | b acyclic f(po)", 29,
		"`f' is called with the wrong number of arguments"},
	{"let f(a, b) = a | b acyclic f(po, rf, co)", 29,
		"`f' is called with the wrong number of arguments"},
	{"let f(a, b) = a | c acyclic po", 19,
		"`c' is neither defined nor a set or relation of executions"},
	{"let f(r = r acyclic po", 9,
		"wanted `)', not `='"},
	{"let f() = po acyclic f(po)", 22,
		"`f' is called with the wrong number of arguments"},
	{"let (a, b) = po acyclic a", 5,
		"the names do not match the values"},
	{"let (a, b) = (po, rf, co) acyclic a", 5,
		"the names do not match the values"},
	{"let g = fun r -> acyclic po", 18,
		"wanted a set or a relation, not `acyclic'"},
	{"let g = fun r po acyclic po", 15,
		"wanted `->', not `po'"},
	{"acyclic (po, rf)", 9,
		"this is several values: wanted a set or a relation"},
	{"acyclic 'once", 9,
		"`'once' is a tag: wanted a set or a relation"},
	{"acyclic po ++ rf", 12,
		"limit: `++' is not supported"},
	{"acyclic {po}", 10,
		"limit: sets of given elements are not supported, but {}"},
	{"acyclic {", 10,
		"limit: sets of given elements are not supported, but {}"},
	{"acyclic match po with end", 9,
		"limit: `match' is not supported"},
	{"acyclic try pox", 16,
		"wanted `with' before the end of the file"},
	{"acyclic try pox with poy", 22,
		"`poy' is neither defined nor a set or relation of executions: did you mean `po'?"},
	{"acyclic if \"x\" then po", 23,
		"wanted `else' before the end of the file"},
	{"acyclic if po then po else rf", 12,
		"wanted a string, not `po'"},
	{"acyclic let x = po x", 20,
		"`x' is neither defined nor a set or relation of executions"},
	{"acyclic let x = po in y", 23,
		"`y' is neither defined nor a set or relation of executions"},
	{"empty po as 1", 13,
		"a name begins with a letter"},
	{"empty po ^ 1", 10,
		"`^' without `-1'"},
	{"flag ~empty po", 7,
		"a flag needs a name: `as NAME'"},
	{"flag po as x", 6,
		"wanted acyclic, irreflexive or empty, not `po'"},
	{"~po", 2,
		"wanted acyclic, irreflexive or empty, not `po'"},
	{"show", 5,
		"wanted a set or a relation before the end of the file"},
	{"show po as", 11,
		"wanted a name before the end of the file"},
	{"unshow 1 acyclic po", 8,
		"a name begins with a letter"},
	{"include po", 9,
		"wanted a string, not `po'"},
	{"include \"\"", 9,
		"this is not a file name"},
	{"include \"nowhere.cat\"", 9,
		"cannot read \"nowhere.cat\""},
	{"with x from (po, rf)", 13,
		"limit: `with' takes linearisations(S, r), and co"},
	{"with x from linearisations(po, W)", 13,
		"linearisations takes a set and a relation"},
	{"with x from linearisations W", 13,
		"linearisations takes a set and a relation"},
	{"with x from linearisations(W, W)", 13,
		"linearisations takes a set and a relation"},
	{"with x from linearisations(W, po) with y from linearisations(R, po)", 47,
		"limit: one `with' order, outside of procedures"},
	{"with co from", 13,
		"wanted a set or a relation before the end of the file"},
	{"with po", 8,
		"wanted `from' before the end of the file"},
	{"forall x in po do acyclic po end", 1,
		"limit: `forall' is not supported"},
	{"procedure p() = acyclic po", 27,
		"wanted `end' before the end of the file"},
	{"procedure p() acyclic po end", 15,
		"wanted `=', not `acyclic'"},
	{"procedure rec p() = acyclic po end", 15,
		"limit: recursive procedures are not supported"},
	{"call p()", 6,
		"`p' is neither defined nor a set or relation of executions"},
	{"call po()", 6,
		"`po' is no procedure"},
	{"procedure p(a) = acyclic a end call p()", 37,
		"`p' is called with the wrong number of arguments"},
	{"if \"x\" acyclic po", 18,
		"wanted `end' before the end of the file"},
	{"if acyclic po end", 4,
		"wanted a string, not `acyclic'"},
	{"if \"x\" acyclic po else acyclic rf", 34,
		"wanted `end' before the end of the file"},
	{"end", 1,
		"`end' without a beginning"},
	{"else", 1,
		"`else' without a beginning"},
	{"enum x", 7,
		"wanted `=' before the end of the file"},
	{"enum x = once acyclic po", 10,
		"wanted a tag, not `once'"},
	{"instructions x[", 16,
		"wanted `]'"},
	{"let rec r = po | r; r when r", 28,
		"wanted acyclic, irreflexive or empty, not `r'"},
	{"acyclic iico_data", 9,
		"`iico_data' is neither defined nor a set or relation of executions"},
	{"(* open", 1,
		"this comment does not end"},
	{"/* open", 1,
		"this comment does not end"},
	{"\"open", 1,
		"this string does not end on its line"},
	{"acyclic po ! rf", 12,
		"this character has no meaning"},
	{"acyclic po | 1x", 14,
		"a name begins with a letter"},
	{"acyclic $", 9,
		"this character has no meaning"},
	{"(* heddle load fast: A *) acyclic po", 16,
		"no memory order: wanted plain, relaxed, acquire, release, acq_rel or seq_cst"},
	{"(* heddle move: A *) acyclic po", 11,
		"wanted load, store, fence, rmw, cas, sync, empty, if, causes or map"},
	{"(* heddle if tso rmw: X *) acyclic po", 14,
		"wanted llsc or rcpc"},
	{"(* heddle if llsc move: X *) acyclic po", 19,
		"wanted load, store, fence, rmw, cas, sync, empty, if, causes or map"},
	{"(* heddle sync acquire: X *) acyclic po", 16,
		"no memory order: wanted plain, relaxed, acquire, release, acq_rel or seq_cst"},
	{"(* heddle causes : x86 *) acyclic po", 20,
		"wanted arm8, power, riscv, imm, lkmm or none"},
	{"(* heddle map vax *) acyclic po", 15,
		"no such table: wanted c11, x86, arm8, power, ppc, riscv, lkmm, java or "
		"instructions"},
	{"(* heddle load acquire A *) acyclic po", 24,
		"no memory order: wanted plain, relaxed, acquire, release, acq_rel or seq_cst"},
	{"(* heddle load: A ; around B *) acyclic po", 27,
		"wanted `before' or `after'"},
	{"(* heddle load: A ! *) acyclic po", 19,
		"wanted a tag, `; before' or `; after'"},
	{"let po' = pO acyclic po'", 11,
		"`pO' is neither defined nor a set or relation of executions: did you mean `po'?"},
	{"let x = begin po acyclic x", 18,
		"wanted `end', not `acyclic'"},
};

static void broken_models(void)
{
	struct cat *c = malloc(sizeof *c);
	void *memory = malloc(CAT_MEMORY);
	struct cat_error err;

	for (u32 i = 0; i < array_size(broken); i++) {
		struct cat_where w;
		bool good = read_model(c, memory, broken[i].text, &err);

		CU_ASSERT_FALSE(good);
		if (good)
			continue;
		CU_ASSERT_STRING_EQUAL(err.message, broken[i].message);
		w = cat_where(err.source, err.at);
		CU_ASSERT_EQUAL(w.number, 1);
		CU_ASSERT_EQUAL(w.column, broken[i].column);
	}
	free(memory);
	free(c);
}

/* --- what is known ---------------------------------------------------------------------------- */

/* The only axiom of a model. */
static const struct {
	const char *text;
	u8 when;
	bool acyclic_porf, coherent, bounded;
} known[] = {
	{"acyclic po | rf | co | fr", CAT_PRUNES, true, true, true},
	{"acyclic po | rf^-1;co | co | rf", CAT_PRUNES, true, true, true},
	{"acyclic po-loc | rf | co | fr", CAT_IMPLIED, false, true, true},
	{"irreflexive rmw; (rf | co | fr)+", CAT_IMPLIED, false, false, true},
	{"irreflexive po & rf", CAT_IMPLIED, false, false, true},
	{"irreflexive po; rf", CAT_IMPLIED, false, false, true},
	{"acyclic po | rf", CAT_IMPLIED, true, false, true},
	{"irreflexive (po | rf | co)+ & id", CAT_PRUNES, false, false, true},
	{"acyclic addr & loc | rfe | coe", CAT_IMPLIED, false, false, true},
	{"acyclic co | po | rf", CAT_PRUNES, true, false, true},
	{"acyclic co | (po \\ W*R) | rfe", CAT_PRUNES, true, false, true},
	{"let late = po & (W*R) acyclic co | (po \\ late) | rfe", CAT_PRUNES, true, false, true},
	{"acyclic co | (po \\ [R];po) | rfe", CAT_PRUNES, false, false, true},
	{"acyclic co | (po & (W*M)) | rfe", CAT_PRUNES, false, false, true},
	{"acyclic co | [M];po;[M] | rfe", CAT_PRUNES, true, false, true},
	{"acyclic co | [RMW];po | rf", CAT_PRUNES, false, false, true},
	{"let hb = (po | rf)+ irreflexive hb;(co | fr)?", CAT_PRUNES, true, true, true},
	{"let rec r = po | rf | r;r acyclic co | r", CAT_PRUNES, true, false, true},
	{"let rec r = po | (r & s) and s = rf | s;r acyclic co | r",
		CAT_PRUNES, false, false, true},
	/* x keeps what it has */
	{"let rec x = x | po \\ y and y = x; po acyclic co | x", CAT_AT_END, false, false, true},
	{"empty rmw & (fre;coe)", CAT_IMPLIED, false, false, true},
	{"empty rmw & (fr;co)", CAT_IMPLIED, false, false, true},
	{"empty rfe & (fr;co)", CAT_AT_END, false, false, true},
	{"acyclic 0", CAT_IMPLIED, false, false, true},
	{"acyclic co | po \\ (rf;co)", CAT_AT_END, false, false, true},
	{"acyclic co | po \\ rf", CAT_PRUNES, false, false, true},
	{"acyclic co | [domain rf];po", CAT_AT_END, false, false, true},
	{"acyclic co | [range rf];po", CAT_PRUNES, false, false, false},
	{"acyclic co | ~(rf;po) & po", CAT_PRUNES, false, false, true},
	{"acyclic rf^-1;rf & po", CAT_AT_END, false, false, true},
	{"irreflexive po?", CAT_AT_END, false, false, true},
	{"~empty rf", CAT_AT_END, false, false, true},
	{"flag ~empty rf as x", CAT_AT_END, false, false, true},
	{"include \"other.cat\" include \"other.cat\" acyclic co | mine",
		CAT_PRUNES, true, false, true},
	{"if \"fast\" acyclic co | po else acyclic co | po | rf end",
		CAT_PRUNES, false, false, true},
	{"if not \"fast\" acyclic co | po else acyclic co | po | rf end",
		CAT_PRUNES, true, false, true},
	{"acyclic co | (try none with po) | rf", CAT_PRUNES, true, false, true},
	{"let f(a, b) = a | b let g r = f(r, rf) acyclic co | g po", CAT_PRUNES, true, false, true},
	{"procedure p(a, b) = acyclic co | a | b end call p(po, rf)",
		CAT_PRUNES, true, false, true},
	{"let f = fun r -> let s = r | po in s acyclic co | f(rf)", CAT_PRUNES, true, false, true},
};

static void known_axioms(void)
{
	struct cat *c = malloc(sizeof *c);
	void *memory = malloc(CAT_MEMORY);
	struct cat_error err;

	for (u32 i = 0; i < array_size(known); i++) {
		bool good = read_model(c, memory, known[i].text, &err);

		CU_ASSERT_TRUE(good);
		if (!good)
			continue;
		CU_ASSERT_EQUAL(c->naxioms, 1);
		if (c->axiom[0].when != known[i].when || c->acyclic_porf != known[i].acyclic_porf ||
			c->coherent != known[i].coherent || c->bounded != known[i].bounded)
			CU_FAIL(known[i].text);
	}
	free(memory);
	free(c);
}

/* Is an execution without an idle iteration allowed if that with it is? */
static const struct {
	const char *text;
	bool shrinks;
} shrinking[] = {
	{"acyclic po | rf | co | fr", true},
	{"acyclic po & (R*M | W*W) | rfe | co | fr", true},
	/* no way from u to r of its own thread, nor from w to the last write of the iteration */
	{"acyclic po & (W*M) | rfe | co | fr", false},
	{"acyclic po | rfe | fr", false},
	{"acyclic po & (R*M) | rfe | fr", false},
	{"acyclic po | rf | fr", true},
	{"acyclic po | rfe | rf & loc", true},
	{"acyclic po | rf; [ACQ] | fr", false}, /* u need not acquire */
	{"let hb = (po | rf)+ irreflexive hb; (co | fr)?", true},
	{"let hb = (po | rf)* irreflexive hb; co", true},
	{"let hb = (po | rf)? irreflexive hb; co", false},
	{"irreflexive rf; po; fr", false},
	{"irreflexive co; fr", true},
	{"acyclic po \\ (po; po) | co", false}, /* more pairs are direct */
	{"acyclic (po \\ loc) | co", true},
	{"acyclic po | rfe | (co \\ IW*W)", false},
	{"acyclic po | rf | ctrl | fr", false},
	{"acyclic po | rf flag ~empty co as x", false},
	{"empty rmw & (fre; coe)", true},
	{"empty rf & co", false},
};

static void idle_iterations(void)
{
	struct cat *c = malloc(sizeof *c);
	void *memory = malloc(CAT_MEMORY);
	struct cat_error err;

	for (u32 i = 0; i < array_size(shrinking); i++)
		if (!read_model(c, memory, shrinking[i].text, &err) ||
			c->shrinks != shrinking[i].shrinks)
			CU_FAIL(shrinking[i].text);
	free(memory);
	free(c);
}

static void unused_names(void)
{
	struct cat *c = malloc(sizeof *c);
	void *memory = malloc(CAT_MEMORY);
	struct cat_error err;
	u32 n;

	CU_ASSERT(read_model(c, memory, "let a = po let b = a let f(x) = rf acyclic f(a)", &err));
	CU_ASSERT_EQUAL_FATAL(c->nwarnings, 1);
	CU_ASSERT(!strncmp(cat_text(c, c->warning[0].token, &n), "b", 1) && n == 1);
	CU_ASSERT(read_model(c, memory, "let a = po acyclic try a with rf", &err));
	CU_ASSERT_EQUAL(c->nwarnings, 0);
	free(memory);
	free(c);
}

/* --- maps ------------------------------------------------------------------------------------- */

static void map_of_file(void)
{
	static const char text[] =
		"(* heddle map x86\n store release seq_cst: L ; before M N ; after O\n *)\n"
		"acyclic po";
	struct cat *c = malloc(sizeof *c);
	void *memory = malloc(CAT_MEMORY);
	struct cat_error err;
	const struct decoration *d;

	CU_ASSERT_FATAL(read_model(c, memory, text, &err));
	d = &c->map.of[MAP_STORE][3];
	CU_ASSERT_EQUAL(d->tags, 1ull << map_tag(&c->map, "L", 1));
	CU_ASSERT_EQUAL(d->before,
		1ull << map_tag(&c->map, "M", 1) | 1ull << map_tag(&c->map, "N", 1));
	CU_ASSERT_EQUAL(d->after, 1ull << map_tag(&c->map, "O", 1));
	CU_ASSERT_EQUAL(c->map.of[MAP_STORE][0].after, 0);
	CU_ASSERT_EQUAL(c->map.of[MAP_FENCE][5].tags, 1ull << map_tag(&c->map, "MFENCE", 6));
	CU_ASSERT_EQUAL(map_tag(&c->map, "ACQ", 3), MAP_TAGS);
	free(memory);
	free(c);
}

/* By the tags that are named: x86, as c11 has no MFENCE; c11, as x86 has no ACQ. */
static void map_by_tags(void)
{
	static const struct {
		const char *text, *tag, *other;
	} model[] = {
		{"let m = try fencerel(MFENCE) with 0\nacyclic [A]; po | m", "MFENCE", "ACQ"},
		{"let m = try fencerel(MFENCE) with 0\nacyclic [ACQ]; po | m", "ACQ", "MFENCE"},
		{"(* heddle map c11 *) acyclic [A]; po | [MFENCE]; po", "ACQ", "MFENCE"},
	};

	for (u32 i = 0; i < array_size(model); i++) {
		struct cat *c = malloc(sizeof *c);
		void *memory = calloc(1, CAT_MEMORY);
		struct cat_error err;
		u32 n = (u32)strlen(model[i].tag), other = (u32)strlen(model[i].other);

		CU_ASSERT_FATAL(read_model(c, memory, model[i].text, &err));
		CU_ASSERT_NOT_EQUAL(map_tag(&c->map, model[i].tag, n), MAP_TAGS);
		CU_ASSERT_EQUAL(map_tag(&c->map, model[i].other, other), MAP_TAGS);
		free(memory);
		free(c);
	}
}

/* Of read-modify-writes: by instructions that do both, and by pairs of exclusives. */
static void map_of_rmw(void)
{
	static const char text[] =
		"(* heddle rmw: X\n if llsc rmw: EX\n rmw acquire: A\n rmw release: L\n"
		" rmw acq_rel: A L\n empty: NONE *)\nacyclic [NONE]; po";
	static const struct {
		bool llsc;
		enum map_kind half;
		const char *tags, *common; /* with acq_rel */
	} row[] = {
		{false, MAP_LOAD, "AL", "X"}, {false, MAP_STORE, "AL", "X"},
		{true, MAP_LOAD, "A", "EX"}, {true, MAP_STORE, "L", "EX"},
	};
	struct cat_map *m = calloc(1, sizeof *m);

	for (u32 i = 0; i < array_size(row); i++) {
		const char *why;
		struct decoration d;
		u32 at, n = (u32)strlen(row[i].common);
		u64 wanted = 0;

		m->llsc = row[i].llsc;
		map_clear(m);
		CU_ASSERT_FATAL(map_read(m, text, (u32)strcspn(text, ")") + 1, &at, &why));
		d = map_rmw(m, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED, row[i].half);
		for (const char *tag = row[i].tags; *tag; tag++)
			wanted |= 1ull << map_tag(m, tag, 1);
		CU_ASSERT_EQUAL(d.tags, wanted);
		CU_ASSERT_EQUAL(m->rmw.tags, 1ull << map_tag(m, row[i].common, n));
		d = map_rmw(m, __ATOMIC_RELAXED, __ATOMIC_RELAXED, row[i].half);
		CU_ASSERT_EQUAL(d.tags, 0);
		CU_ASSERT_NOT_EQUAL(map_tag(m, "NONE", 4), MAP_TAGS);
	}
	free(m);
}

/* Dependencies that a model defines by registers are those of the execution. */
static void own_dependencies(void)
{
	static const char text[] = "catdep\n"
				   "let data = [Exp & R]; iico_data; [Exp & W]\n"
				   "let kept = data | ctrl; [W]\n"
				   "include \"enumerations.cat\"\n"
				   "with DC-after from all-DC-Exp_W-enums(po)\n"
				   "acyclic kept | rf | DC-after | [TLBI]; po as one";
	struct cat *c = malloc(sizeof *c);
	void *memory = calloc(1, CAT_MEMORY);
	struct cat_error err;
	bool used = false;

	CU_ASSERT_FATAL(read_model(c, memory, text, &err));
	for (u32 i = 1; i < c->nnodes; i++)
		used |= c->node[i].op == CAT_BASE && c->node[i].a == CAT_BASE_data;
	CU_ASSERT_TRUE(used);
	CU_ASSERT_EQUAL(c->naxioms, 1);
	free(memory);
	free(c);
}

const struct unit_test cat_tests[] = {
	{"broken models", broken_models},
	{"when axioms are checked", known_axioms},
	{"idle iterations", idle_iterations},
	{"names that are not used", unused_names},
	{"the tags of C's operations", map_of_file},
	{"the tags of C's operations, by those that are named", map_by_tags},
	{"the tags of read-modify-writes", map_of_rmw},
	{"dependencies that a model defines", own_dependencies},
	{NULL, NULL},
};
