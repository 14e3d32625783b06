/* SPDX-License-Identifier: ISC */
/*
 * loops_random.c - writes random loops for turns.c, as C.
 *
 *     loops_random SEED N
 *
 * Each iteration begins with a load of a shared variable, so that it can wait; a store is made at
 * most once, and other effects of an iteration are a few bits: a thread that stays in a loop for
 * ever returns to an earlier state.
 */
#include "../random.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;

static unsigned pick(unsigned n)
{
	return random_below(&state, n);
}

static const char *variable(void)
{
	return pick(3) ? "X" : "Y";
}

static const char *local(void)
{
	static const char *const names[] = {"a", "b", "c", "t[0]", "t[1]", "s.k"};

	return names[pick(6)];
}

static void statement(unsigned k, unsigned depth);

static void statements(unsigned k, unsigned depth, unsigned n)
{
	while (n--)
		statement(k, depth);
}

/* Only some comparisons use the iteration count. */
static void counted(unsigned k, unsigned depth, const char *x, const char *l, unsigned v)
{
	static const char *const operators[] = {">", ">=", "==", "<", "!="};
	const char *type = pick(4) ? pick(2) ? "unsigned" : "int" : "unsigned char";
	unsigned first = pick(3), bound = first + 2 + pick(2);

	printf("%s = 0;\n{\n%s turns = %u;\nwhile (get(&%s) != %u) {\n", l, type, first, x, v);
	if (pick(2))
		printf("if (++turns > %u) break;\n", bound);
	else
		printf("turns++;\nif (turns == %u) { put(&Z, 3); break; }\n", bound);
	if (pick(2))
		printf("if (turns %s %u) %s ^= 1;\n", operators[pick(5)], first + 1 + pick(2), l);
	statements(k, depth, pick(2));
	if (!pick(4))
		printf("if (turns == %u) turns = %u;\n", bound + 1, first);
	printf("}\n%s |= (turns %s %u) << 1;\n", l, operators[pick(5)], first + 1 + pick(3));
}

static void loop(unsigned k, unsigned depth)
{
	const char *x = variable(), *l = local();
	unsigned v = 1 + pick(2);

	switch (pick(10)) {
	case 0:
		printf("while (get(&%s) != %u) {\n", x, v);
		statements(k, depth, 1 + pick(3));
		break;
	case 1:
		printf("while (get(&%s) != %u && %s < 3) {\n", x, v, l);
		statements(k, depth, pick(2));
		printf("%s = (%s + 1) & 3;\n", l, l);
		break;
	case 2:
		printf("for (int i = 0; i < %u && !get(&%s); i++) {\n", 1 + pick(3), x);
		statements(k, depth, 1 + pick(2));
		break;
	case 3:
		printf("for (;;) {\n%s = get(&%s);\nif (%s == %u) break;\n", l, x, l, v);
		statements(k, depth, 1 + pick(3));
		break;
	case 4: /* the same load before the loop and at the end of each iteration */
		printf("for (%s = get(&%s) & 3; %s != %u; %s = get(&%s) & 3) {\n", l, x, l, v, l,
			x);
		statements(k, depth, pick(2));
		break;
	case 5:
		printf("%s = atomic_load(&%s) & 3;\nwhile (%s != %u) {\n", l, x, l, v);
		printf("%s = atomic_load(&%s) & 3;\n", l, x);
		statements(k, depth, pick(2));
		break;
	case 6:
	case 7:
		counted(k, depth, x, l, v);
		break;
	default:
		printf("for (int from = %u;;) {\n", pick(3));
		printf("if (atomic_compare_exchange_strong(&%s, &from, 3)) break;\n", x);
		printf("%s = from & 3;\nif (from == 3) break;\n", l);
		statements(k, depth, pick(2));
	}
	printf("}\n");
}

static void statement(unsigned k, unsigned depth)
{
	const char *l = local(), *m = local();

	switch (pick(depth ? 14 : 12)) {
	case 0: printf("%s = get(&%s) & 3;\n", l, variable()); break;
	case 1: printf("%s = (%s + %s) & 3;\n", l, l, m); break;
	case 2: printf("%s ^= 1;\n", l); break;
	case 3: printf("%s = (%s + 1) & 3;\n", l, l); break;
	case 4: printf("t[%s & 1] = %s;\n", l, m); break;
	case 5: printf("if (%s == %u) %s = get(&%s) & 3;\n", l, pick(3), m, variable()); break;
	case 6: printf("if (%s == %u) break;\n", l, 2 + pick(2)); break;
	case 7: printf("if (%s == %u) continue;\n", l, pick(4)); break;
	case 8: printf("if (!once) { once = 1; put(&Z, %s); }\n", l); break;
	case 9: printf("%s = step%u(&%s);\n", l, k, m); break;
	case 10: printf("%s = out%u(&n) ? n : %s;\n", l, k, m); break;
	case 11: printf("s = (struct small){%s, s.k};\n%s = s.j;\n", l, m); break;
	default: loop(k, depth - 1); break;
	}
}

static void writer(unsigned k)
{
	printf("static int writer%u(void)\n{\n", k);
	for (unsigned i = 0, n = 1 + pick(2); i < n; i++)
		printf("put(&%s, %u);\n", variable(), 1 + pick(2));
	printf("return 0;\n}\n\n");
}

static void body(unsigned k)
{
	printf("static NOINLINE int step%u(int *p)\n{\n*p = (*p + get(&%s)) & 3;\nreturn "
	       "*p;\n}\n\n",
		k, variable());
	printf("static NOINLINE int out%u(int *p)\n{\nint v = get(&%s);\nif (v == 1) return 0;\n"
	       "*p = v & 3;\nreturn 1;\n}\n\n", k, variable());
	printf("static int body%u(void)\n{\nint a = 0, b = 0, c = 0, n = 0, once = 0, t[2] = {0, "
	       "0};\n"
	       "struct small s = {0, 0};\n\n(void)n;\n(void)once;\n",
		k);
	loop(k, 1);
	if (!pick(3))
		loop(k, 0);
	printf("return (a & 3) * 256 + (b & 3) * 64 + (c & 3) * 16 + (t[%u] & 3) * 4 + (s.k & "
	       "3);\n}\n\n",
		pick(2));
}

int main(int argc, char **argv)
{
	unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 10;

	state = argc > 1 ? strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15u : 1;
	printf("#include \"turns.h\"\n#define NOINLINE __attribute__((noinline))\nstruct small { "
	       "int j, k; };\n");
	for (unsigned k = 0; k < n; k++) {
		writer(k);
		body(k);
	}
	printf("const struct turns_case turns_cases[] = {\n");
	for (unsigned k = 0; k < n; k++)
		printf("{\"loop %u\", {body%u, writer%u}},\n", k, k, k);
	printf("};\nconst int turns_ncases = %u;\n", n);
	return 0;
}
