/* SPDX-License-Identifier: ISC */
/* t_patch.c - tools/repair: insertion of fences into source text, and changes of orders. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/csource.h"
#include "repair/patch.h"

#define RLX __ATOMIC_RELAXED
#define ACQ __ATOMIC_ACQUIRE
#define REL __ATOMIC_RELEASE
#define AR  __ATOMIC_ACQ_REL
#define SC  __ATOMIC_SEQ_CST

#define F "atomic_thread_fence(memory_order_seq_cst)"

struct access_edit {
	enum edit_kind kind;
	u8 order;
	bool write;
	const char *callee; /* in C++: what is inlined there */
};

/* A file of lines, in which @ marks the places of the edits; and the lines removed and
 * added. */
struct patch_case {
	const char *text;
	struct access_edit edit[3]; /* one for each @; the last one for those that are left */
	const char *want; /* the diff without its context; or the reason if it is impossible */
};

#define BEFORE {{EDIT_FENCE_BEFORE, SC, false}}
#define AFTER  {{EDIT_FENCE_AFTER, SC, false}}
#define AFTER_STORE {{EDIT_FENCE_AFTER, SC, true}}
#define ORDER(o) {{EDIT_ORDER, o, false}}
#define CXX(o, callee) {{EDIT_ORDER, o, false, callee}}
#define REMOVE {{EDIT_FENCE_REMOVE, SC, false}}

static const struct patch_case cases[] = {
	/* beside the statement */
	{"\t@set(&x, 1);\n", AFTER, "+\t" F ";\n"},
	{"\t@set(&x, 1); /* say so */\n", AFTER, "+\t" F ";\n"},
	{"\t@set(&x, 1); /* say\n\tso */\n", AFTER,
		"-\tset(&x, 1); /* say\n+\tset(&x, 1); " F "; /* say\n"},
	{"\t@set(&x, 1); y++;\n", AFTER, "-\tset(&x, 1); y++;\n+\tset(&x, 1); " F "; y++;\n"},
	{"\tx @= 1;\n", AFTER, "+\t" F ";\n"},
	{"\tx @= f(y);\n", AFTER, "+\t" F ";\n"},
	{"\tint r = @get(&x);\n", BEFORE, "+\t" F ";\n"},
	{"\treturn @x == 1;\n", BEFORE, "+\t" F ";\n"},
	{"again: @set(&x, 1);\n", BEFORE, "-again: set(&x, 1);\n+again: " F "; set(&x, 1);\n"},
	{"\tswitch (y) {\n\tcase 1: @set(&x, 1);\n\t}\n", AFTER, "+\t" F ";\n"},
	{"#define NOTHING (\n\t@set(&x, \"; /*\"); // }\n", AFTER, "+\t" F ";\n"},
	/* a body without braces */
	{"\tif (y)\n\t\t@set(&x, 1);\n", AFTER, "-\t\tset(&x, 1);\n+\t\t{ set(&x, 1); " F "; }\n"},
	{"\tif (y)\n\t\t@@set(&x, 1);\n",
		{{EDIT_FENCE_BEFORE, REL, true}, {EDIT_FENCE_AFTER, SC, true}},
		"-\t\tset(&x, 1);\n+\t\t{ atomic_thread_fence(memory_order_release); set(&x, 1); " F
		"; }\n"},
	{"\tif (y)\n\t\ty = 2;\n\telse if (@get(&x))\n\t\ty = 1;\n", BEFORE,
		"-\telse if (get(&x))\n-\t\ty = 1;\n+\telse { " F
		"; if (get(&x))\n+\t\ty = 1; }\n"},
	{"\tdo\n\t\t@set(&x, 1);\n\twhile (y);\n", AFTER,
		"-\t\tset(&x, 1);\n+\t\t{ set(&x, 1); " F "; }\n"},
	/* in a condition */
	{"\tif (@get(&x))\n\t\ty = 1;\n", BEFORE, "+\t" F ";\n"},
	{"\twhile (@get(&x))\n\t\t;\n", BEFORE,
		"-\twhile (get(&x))\n+\twhile ((" F ", get(&x)))\n"},
	{"\twhile (@v != 1)\n\t\t;\n", BEFORE, "-\twhile (v != 1)\n+\twhile ((" F ", v != 1))\n"},
	{"\tfor (y = 0; @v; y++)\n\t\t;\n", BEFORE,
		"-\tfor (y = 0; v; y++)\n+\tfor (y = 0; (" F ", v); y++)\n"},
	{"\tfor (y = @v; y; y++)\n\t\t;\n", BEFORE, "+\t" F ";\n"},
	{"\tif (get(&y) && @get(&x))\n\t\ty = 1;\n", BEFORE,
		"-\tif (get(&y) && get(&x))\n+\tif (get(&y) && (" F ", get(&x)))\n"},
	{"\twhile (@get(&x)) {\n\t\ty = 1;\n\t}\n", AFTER,
		"-\twhile (get(&x)) {\n+\twhile (get(&x)) { " F ";\n+\t" F ";\n"},
	/* several accesses in one statement */
	{"\ty = get(&y) + @get(&x);\n", BEFORE,
		"-\ty = get(&y) + get(&x);\n+\ty = get(&y) + (" F ", get(&x));\n"},
	{"\t@set(&x, 1), y = get(&y);\n", AFTER_STORE,
		"-\tset(&x, 1), y = get(&y);\n+\t(set(&x, 1), " F "), y = get(&y);\n"},
	{"\tset(&x, 1);\n\t@set(&y, @get(&x));\n",
		{{EDIT_FENCE_AFTER, SC, true}, {EDIT_FENCE_BEFORE, SC, false}},
		"-\tset(&y, get(&x));\n+\tset(&y, (" F ", get(&x)));\n+\t" F ";\n"},
	{"\ty = ({ int r; @set(&x, 1); r = 2; r; });\n", AFTER_STORE,
		"-\ty = ({ int r; set(&x, 1); r = 2; r; });\n"
		"+\ty = ({ int r; set(&x, 1); " F "; r = 2; r; });\n"},
	/* orders */
	{"\t@atomic_store_explicit(&x, f(1, 2), memory_order_relaxed);\n", ORDER(REL),
		"-\tatomic_store_explicit(&x, f(1, 2), memory_order_relaxed);\n"
		"+\tatomic_store_explicit(&x, f(1, 2), memory_order_release);\n"},
	{"\ty = @atomic_load(&x);\n", ORDER(ACQ),
		"-\ty = atomic_load(&x);\n+\ty = atomic_load_explicit(&x, "
		"memory_order_acquire);\n"},
	{"\tif (@atomic_compare_exchange_weak(&x, &y, 1))\n\t\ty = 2;\n", ORDER(AR),
		"-\tif (atomic_compare_exchange_weak(&x, &y, 1))\n+\tif "
		"(atomic_compare_exchange_weak_explicit("
		"&x, &y, 1, memory_order_acq_rel, memory_order_acquire))\n"},
	{"\t@atomic_compare_exchange_strong_explicit(&x, &y, 1, memory_order_relaxed, "
	 "memory_order_relaxed);\n",
		ORDER(REL),
		"-\tatomic_compare_exchange_strong_explicit(&x, &y, 1, memory_order_relaxed, "
		"memory_order_relaxed);\n"
		"+\tatomic_compare_exchange_strong_explicit(&x, &y, 1, memory_order_release, "
		"memory_order_relaxed);\n"},
	{"\ty = @__atomic_load_n(&x, __ATOMIC_RELAXED);\n", ORDER(ACQ),
		"-\ty = __atomic_load_n(&x, __ATOMIC_RELAXED);\n+\ty = __atomic_load_n(&x, "
		"__ATOMIC_ACQUIRE);\n"},
	{"\t@my_store(&x, memory_order_relaxed, 1);\n", ORDER(REL),
		"-\tmy_store(&x, memory_order_relaxed, 1);\n+\tmy_store(&x, memory_order_release, "
		"1);\n"},
	{"\t@set(&x, 1);\n", ORDER(REL), "set() has no order of that access"},
	{"\tp->a[i].x @= y + 1;\n", {{EDIT_ORDER, REL, true}},
		"-\tp->a[i].x = y + 1;\n+\tatomic_store_explicit(&p->a[i].x, y + 1, "
		"memory_order_release);\n"},
	{"\tx@++;\n", ORDER(RLX),
		"-\tx++;\n+\tatomic_fetch_add_explicit(&x, 1, memory_order_relaxed);\n"},
	{"\ty = x @= 1;\n", {{EDIT_ORDER, REL, true}}, "it is part of a larger expression"},
	{"\twhile (!@p->a[i].x)\n\t\t;\n", ORDER(ACQ),
		"-\twhile (!p->a[i].x)\n+\twhile (!atomic_load_explicit(&p->a[i].x, "
		"memory_order_acquire))\n"},
	{"\t@atomic_thread_fence(memory_order_seq_cst);\n", ORDER(REL),
		"-\tatomic_thread_fence(memory_order_seq_cst);\n+\tatomic_thread_fence(memory_"
		"order_release);\n"},
	{"\t@__sync_synchronize();\n", ORDER(AR),
		"-\t__sync_synchronize();\n+\tatomic_thread_fence(memory_order_acq_rel);\n"},
	/* members and operators of std::atomic */
	{"\tx.@store(f(1, 2), std::memory_order_relaxed);\n", CXX(REL, "store"),
		"-\tx.store(f(1, 2), std::memory_order_relaxed);\n+\tx.store(f(1, 2), "
		"std::memory_order_release);\n"},
	{"\ty = p->x.@load();\n", CXX(ACQ, "load"),
		"-\ty = p->x.load();\n+\ty = p->x.load(std::memory_order_acquire);\n"},
	{"\tx.store@(1);\n", CXX(REL, "store"),
		"-\tx.store(1);\n+\tx.store(1, std::memory_order_release);\n"},
	{"\tif (a[i].@compare_exchange_weak(y, 1, std::memory_order::seq_cst))\n\t\ty = 2;\n",
		CXX(REL, "compare_exchange_weak"),
		"-\tif (a[i].compare_exchange_weak(y, 1, std::memory_order::seq_cst))\n"
		"+\tif (a[i].compare_exchange_weak(y, 1, std::memory_order::release))\n"},
	{"\t@std::atomic_load(&x);\n", CXX(ACQ, "atomic_load"),
		"-\tstd::atomic_load(&x);\n+\tstd::atomic_load_explicit(&x, "
		"std::memory_order_acquire);\n"},
	{"\t@std::atomic_thread_fence(std::memory_order_seq_cst);\n",
		{{EDIT_FENCE_REMOVE, SC, false, "atomic_thread_fence"}},
		"-\tstd::atomic_thread_fence(std::memory_order_seq_cst);\n"},
	{"\t@*p = y;\n", CXX(REL, "operator="),
		"-\t*p = y;\n+\t(*p).store(y, std::memory_order_release);\n"},
	{"\t@p->n++;\n", CXX(RLX, "operator++"),
		"-\tp->n++;\n+\tp->n.fetch_add(1, std::memory_order_relaxed);\n"},
	{"\tif (@x)\n\t\ty = 1;\n", CXX(ACQ, "operator int"),
		"-\tif (x)\n+\tif (x.load(std::memory_order_acquire))\n"},
	{"\ty = x.load().@z;\n", CXX(ACQ, "operator int"), "the position of the read is ambiguous"},
	{"\t@y = 1;\n", CXX(RLX, "operator++"), "operator++ was not found there"},
	{"\trun([&](int i) mutable { x.@store(i); y = 1; });\n", CXX(REL, "store"),
		"-\trun([&](int i) mutable { x.store(i); y = 1; });\n"
		"+\trun([&](int i) mutable { x.store(i, std::memory_order_release); y = 1; });\n"},
	{"\tgo = [] { y = 1; @x = 1; };\n", CXX(REL, "operator="),
		"-\tgo = [] { y = 1; x = 1; };\n+\tgo = [] { y = 1; x.store(1, "
		"std::memory_order_release); };\n"},
	{"\ty = 1 + s.q->x.@load();\n", {{EDIT_FENCE_BEFORE, SC, false, "load"}},
		"+\tstd::"
		"atomic_thread_fence(std::memory_order_seq_cst);\n"},
	/* an order and a fence */
	{"\t@@set(&x, memory_order_relaxed);\n",
		{{EDIT_ORDER, REL, true}, {EDIT_FENCE_AFTER, SC, true}},
		"-\tset(&x, memory_order_relaxed);\n+\tset(&x, memory_order_release);\n+\t" F
		";\n"},
	{"\t@@x = 1;\n", {{EDIT_FENCE_BEFORE, SC, true}}, "+\t" F ";\n"},
	/* fences away */
	{"\t@atomic_thread_fence(memory_order_seq_cst); /* why */\n\ty = 1;\n", REMOVE,
		"-\tatomic_thread_fence(memory_order_seq_cst); /* why */\n"},
	{"\tif (y)\n\t\t@FENCE();\n", REMOVE, "-\t\tFENCE();\n+\t\t;\n"},
	{"\t@__asm__ volatile(\"mfence\" ::: \"memory\");\n", REMOVE,
		"-\t__asm__ volatile(\"mfence\" ::: \"memory\");\n"},
	{"\ty = (@FENCE(), 1);\n", REMOVE, "it is not a statement by itself"},
};

static char name[] = "/tmp/heddle-patch-XXXXXX";

/* The file without its @; their places. */
static unsigned make_file(const struct patch_case *c, struct edit *e)
{
	int fd = (strcpy(name, "/tmp/heddle-patch-XXXXXX"), mkstemp(name)), line = 3, column = 1;
	FILE *f = fdopen(fd, "w");
	unsigned n = 0;

	fputs("/* memory_order_ */\nvoid f(void)\n{", f);
	fputc('\n', f);
	line = 4;
	for (const char *s = c->text; *s; s++) {
		if (*s == '@') {
			e[n] = (struct edit){
				.file = name, .line = line, .column = column, .fail = 255};
			n++;
			continue;
		}
		fputc(*s, f);
		column = *s == '\n' ? 1 : column + 1;
		line += *s == '\n';
	}
	fputs("\treturn;\n}\n", f);
	fclose(f);
	return n;
}

/* The removed and added lines of a diff, all removed ones first. */
static char *bare(const char *diff)
{
	char *to = calloc(1, strlen(diff) + 1);

	for (int pass = 0; pass < 2; pass++)
		for (const char *s = diff, *end; (end = strchr(s, '\n')); s = end + 1)
			if (*s == "-+"[pass] && strncmp(s, "---", 3) && strncmp(s, "+++", 3))
				strncat(to, s, (size_t)(end - s) + 1);
	return to;
}

static char *result(const struct patch_case *c)
{
	struct patch *p = patch_new(NULL);
	struct edit e[3];
	unsigned n = make_file(c, e);
	char *text = NULL;
	size_t size;
	FILE *out;

	for (unsigned i = 0; i < n; i++) {
		const struct access_edit *x = &c->edit[i];

		e[i].kind = x->kind;
		e[i].order = x->order;
		e[i].write = x->write;
		e[i].callee = x->callee;
		e[i].cxx = x->callee;
		if (i && !x->kind && !x->order)
			continue;
		if (!patch_add(p, &e[i])) {
			unlink(name);
			return strdup(e[i].problem);
		}
	}
	for (unsigned times = 0; times < 2; times++) { /* the second time is the same */
		free(text);
		out = open_memstream(&text, &size);
		patch_write(p, out);
		fclose(out);
	}
	unlink(name);
	return bare(text);
}

static void test_edits(void)
{
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *got = result(&cases[i]);

		if (strcmp(got, cases[i].want))
			printf("\n%swanted:\n%s\ngot:\n%s\n", cases[i].text, cases[i].want, got);
		CU_ASSERT_STRING_EQUAL(got, cases[i].want);
		free(got);
	}
}

/* Missing places are reported, not guessed. */
static void test_problems(void)
{
	struct edit e[] = {
		{.file = NULL},
		{.file = "/nonexistent.c", .line = 1, .column = 1},
		{.file = name, .line = 5, .column = 7},
		{.file = name, .line = 2, .column = 6},
	};
	static const struct patch_case one = {"\tset(&x, 1);\n", AFTER, ""};
	struct patch *p = patch_new(NULL);
	struct edit none[3];

	make_file(&one, none);
	for (unsigned i = 0; i < sizeof(e) / sizeof(e[0]); i++) {
		e[i].kind = EDIT_FENCE_AFTER;
		CU_ASSERT(!patch_add(p, &e[i]));
		CU_ASSERT_PTR_NOT_NULL(e[i].problem);
	}
	CU_ASSERT_EQUAL(patch_write(p, stdout), 0);
	unlink(name);
}

/* n of them in each other, in a function. */
static char *nested(const char *open, const char *close, u32 n)
{
	char *text = malloc((size_t)n * (strlen(open) + strlen(close)) + 64), *to;

	to = stpcpy(text, "struct {\nvoid f(void)\n{\n");
	for (u32 i = 0; i < n; i++)
		to = stpcpy(to, open);
	to = stpcpy(to, "x = 1;");
	for (u32 i = 0; i < n; i++)
		to = stpcpy(to, close);
	strcpy(to, "\n}\n}\n");
	return text;
}

/* Very deep nesting stops the parser, without a stack overflow; some hundred levels are parsed. */
static void test_depth(void)
{
	static const struct {
		const char *open, *close;
	} of[] = {{"{", "}"}, {"if (x) ", ""}, {"if (x) y; else ", ""}, {"do ", ""},
		{"x = ({ ", "}); "}, {"for (;;) {", "}"}, {"a: { ", "}"}, {"", "}"}};

	for (unsigned i = 0; i < array_size(of); i++) {
		bool nests = of[i].open[0];
		char *some = nested(of[i].open, of[i].close, 400);
		char *many = nested(of[i].open, of[i].close, 200000);

		CU_ASSERT_EQUAL(csource_parse("some.c", some, (u32)strlen(some))->deep, 0);
		CU_ASSERT_EQUAL(
			csource_parse("many.c", many, (u32)strlen(many))->deep, nests ? 4 : 0);
		free(some);
		free(many);
	}
}

const struct unit_test patch_tests[] = {
	{"edits", test_edits},
	{"problems", test_problems},
	{"depth", test_depth},
	{NULL, NULL},
};
