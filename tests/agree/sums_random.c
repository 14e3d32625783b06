/* SPDX-License-Identifier: ISC */
/*
 * sums_random.c - writes random loops for turns.c that take from a count and return it, as C.
 *
 *     sums_random SEED N
 *
 * The count Z is 4 initially. A taker subtracts, and if there was too little, adds the same again
 * and waits, or not; others add, try once, compare what they have read, or set the count. With
 * turns_bounded, turn() ends executions with many iterations.
 */
#include "../random.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;

static unsigned pick(unsigned n)
{
	return random_below(&state, n);
}

static const char *order(void)
{
	static const char *const name[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};

	return name[pick(5)];
}

/* An addition of n, or of `how' text. */
static void change(int n, const char *before, const char *after)
{
	bool subtracts = n < 0 ? pick(4) : !pick(4);

	printf("%satomic_fetch_%s_explicit(&Z, %d, memory_order_%s)%s", before,
		subtracts ? "sub" : "add", subtracts ? -n : n, order(), after);
}

static const char *variable(void)
{
	return pick(2) ? "X" : "Y";
}

/* Between taking and returning, or elsewhere. */
static void act(void)
{
	switch (pick(5)) {
	case 0: printf("put(&%s, %u);\n", variable(), 1 + pick(2)); return;
	case 1: printf("r = r * 3 + get(&%s);\n", variable()); return;
	case 2: printf("r = r * 3 + atomic_load(&%s);\n", variable()); return;
	default: return;
	}
}

static void wait_until(int n)
{
	switch (pick(4)) {
	case 0: return;
	case 1: printf("while (atomic_load(&Z) < %d)\n;\n", n); return;
	case 2: printf("while (get(&Z) <= %d)\n;\n", n - 1); return;
	default: printf("if (get(&%s) == 2)\nbreak;\n", variable());
	}
}

static void taker(int n)
{
	static const char *const fails[] = {" < %d", " <= %d - 1", " - %d < 0"};
	char text[40];

	printf("int n = 0, was;\n\n(void)n;\n(void)was;\n");
	if (!pick(4))
		act();
	snprintf(text, sizeof text, fails[pick(3)], n);
	switch (pick(3)) {
	case 0:
		change(-n, "while (", text);
		printf(") {\n");
		change(n, "", ";\n");
		wait_until(n);
		printf("turn(&n);\n}\n");
		break;
	case 1:
		printf("for (;;) {\n");
		change(-n, "was = ", ";\n");
		printf("if (!(was%s))\nbreak;\n", text);
		change(n, "", ";\n");
		wait_until(n);
		printf("turn(&n);\n}\n");
		break;
	default:
		change(-n, "was = ", ";\n");
		printf("while (was%s) {\n", text);
		change(n, "", ";\n");
		wait_until(n);
		printf("turn(&n);\n");
		change(-n, "was = ", ";\n}\n");
	}
	act();
	if (pick(6))
		change(n, "", ";\n");
}

/* Takes some, and looks, by additions, whether another thread attempts to take more. */
static void hold(void)
{
	static const char *const how[] = {"==", "<", ">=", "!="};
	int k = 1 + (int)pick(4);

	change(-k, "", ";\n");
	for (unsigned m = 1 + !pick(3); m; m--) {
		change((int)pick(3) - 1, "r = r * 2 + (", "");
		printf(" %s %d);\n", how[pick(4)], 4 - k - (int)pick(2) * (1 + (int)pick(4)));
	}
	if (pick(4))
		change(k, "", ";\n");
}

/* One try, or additions whose results are used in all ways. */
static void other(int n)
{
	if (pick(2)) {
		hold();
		return;
	}
	switch (pick(7)) {
	case 0:
		change(-n, "if (", "");
		printf(" >= %d)\nr++;\n", n);
		change(n, "", ";\n");
		return;
	case 1:
		change((int)pick(7) - 3, "r = r * 2 + (", "");
		printf(" == %d);\n", (int)pick(8) - 2);
		return;
	case 2:
		change((int)pick(7) - 3, "r = r * 2 + ((unsigned)", "");
		printf(" > %uu);\n", pick(7));
		return;
	case 3: change((int)pick(5) - 2, "r += ", ";\n"); return;
	case 4: printf("r = r * 9 + get(&Z);\n"); return;
	case 5: printf(pick(2) ? "put(&Z, 4);\n" : "r += atomic_exchange(&Z, 3);\n"); return;
	default:
		change(-1, "", ";\n");
		act();
		change(1, "", ";\n");
	}
}

static void body(unsigned k, unsigned i)
{
	bool takes = !i || pick(3);
	int n = pick(2) ? 4 : 1 + (int)pick(3);

	printf("static int body%u_%u(void)\n{\nint r = 0;\n", k, i);
	if (takes)
		taker(n);
	for (unsigned m = takes ? pick(3) / 2 : 1 + pick(2); m; m--) {
		other(n);
		if (!pick(3))
			act();
	}
	printf("return r;\n}\n\n");
}

int main(int argc, char **argv)
{
	unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 10, threads[1000];

	state = argc > 1 ? strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15u : 1;
	printf("#include \"turns.h\"\n\n__attribute__((constructor)) static void begin(void)\n{\n"
	       "put(&Z, 4);\n}\n\n");
	for (unsigned k = 0; k < n; k++) {
		threads[k] = 2 + !pick(3);
		for (unsigned i = 0; i < threads[k]; i++)
			body(k, i);
	}
	printf("const struct turns_case turns_cases[] = {\n");
	for (unsigned k = 0; k < n; k++) {
		printf("{\"sums %u\", {", k);
		for (unsigned i = 0; i < threads[k]; i++)
			printf("body%u_%u, ", k, i);
		printf("}},\n");
	}
	printf("};\nconst int turns_ncases = %u;\n", n);
	return 0;
}
