/* SPDX-License-Identifier: ISC */
/*
 * random.c - random programs of relaxed loads and stores, of which nothing but sequentially consistent outcomes is
 * asserted: the repair that `heddle fences' finds costs as much as the cheapest of all choices, each tried by itself.
 *
 *     random HEDDLE HEDDLE-CC MODEL SEED N      N programs that fail; in the current directory
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../random.h"

#define THREADS	  3
#define STEPS	  3
#define VARIABLES 3
#define VALUES	  (THREADS * STEPS)
#define SITES	  16

struct step {
	bool write;
	int variable, n; /* the value written, or the register */
};

static struct thread {
	struct step step[STEPS];
	int n;
} thread[THREADS];

static int nthreads, nregisters;
static const char *heddle, *cc, *model;
static bool buffers; /* tso, pso */

static void make_program(uint64_t *seed)
{
	int values = 1;

	nthreads = random_below(seed, 3) == 0 ? 3 : 2;
	nregisters = 0;
	for (int t = 0; t < nthreads; t++) {
		thread[t].n = nthreads == 2 || random_below(seed, 3) ? 2 : 1;
		if (nthreads == 2)
			thread[t].n += (int)random_below(seed, 2);
		for (int i = 0; i < thread[t].n; i++) {
			struct step *s = &thread[t].step[i];

			s->variable = (int)random_below(seed, (unsigned)nthreads);
			s->write = random_below(seed, 100) < 55;
			s->n = s->write ? values++ : nregisters++;
		}
	}
}

/* The outcomes of all interleavings, as conditions; one may be written several times. */
static const char *write_outcomes(FILE *to, const int *at, const int *memory, const int *registers, const char *before)
{
	bool ended = true;

	for (int t = 0; t < nthreads; t++) {
		const struct step *s = &thread[t].step[at[t]];
		int next[THREADS], m[VARIABLES], r[VALUES];

		if (at[t] == thread[t].n)
			continue;
		ended = false;
		memcpy(next, at, sizeof next);
		memcpy(m, memory, sizeof m);
		memcpy(r, registers, sizeof r);
		next[t]++;
		if (s->write)
			m[s->variable] = s->n;
		else
			r[s->n] = m[s->variable];
		before = write_outcomes(to, next, m, r, before);
	}
	if (!ended)
		return before;
	fprintf(to, "%s(X == %d && Y == %d && Z == %d", before, memory[0], memory[1], memory[2]);
	for (int i = 0; i < nregisters; i++)
		fprintf(to, " && r[%d] == %d", i, registers[i]);
	fputc(')', to);
	return " ||\n\t\t";
}

static void write_program(void)
{
	static const int zero[VALUES];
	FILE *to = fopen("program.c", "w");

	fputs("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y, z;\nint r[16];\n", to);
	for (int t = 0; t < nthreads; t++) {
		fprintf(to, "static void *t%d(void *arg)\n{\n", t);
		for (int i = 0; i < thread[t].n; i++) {
			const struct step *s = &thread[t].step[i];

			if (s->write)
				fprintf(to, "\tatomic_store_explicit(&%c, %d, memory_order_relaxed);\n",
					"xyz"[s->variable], s->n);
			else
				fprintf(to, "\tr[%d] = atomic_load_explicit(&%c, memory_order_relaxed);\n", s->n,
					"xyz"[s->variable]);
		}
		fputs("\treturn arg;\n}\n", to);
	}
	fputs("int main(void)\n{\n\tpthread_t t[3];\n", to);
	for (int t = 0; t < nthreads; t++)
		fprintf(to, "\tpthread_create(&t[%d], 0, t%d, 0);\n", t, t);
	for (int t = 0; t < nthreads; t++)
		fprintf(to, "\tpthread_join(t[%d], 0);\n", t);
	fputs("\tint X = x, Y = y, Z = z;\n\tassert(", to);
	write_outcomes(to, zero, zero, zero, "");
	fputs(");\n\treturn 0;\n}\n", to);
	fclose(to);
}

static __attribute__((format(printf, 1, 2))) int run(const char *format, ...)
{
	char command[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(command, sizeof command - 32, format, args);
	va_end(args);
	return system(strcat(command, " >run.log 2>&1"));
}

/* --- the cheapest choice --------------------------------------------------------------------- */

static struct site {
	char address[64];
	bool store;
} site[SITES];
static int nsites;

struct change {
	int cost;
	const char *words;
};

/* The i-th change at a site; words NULL: there are no more. */
static struct change change_at(const struct site *s, int i)
{
	const struct change orders[] = {
		{0, ""}, {1, s->store ? "order=release" : "order=acquire"}, {7, "order=seq_cst"}, {0, NULL}};
	const struct change load[] = {{0, ""}, {6, "before=seq_cst"}, {0, NULL}};
	const struct change store[] = {{0, ""}, {6, "after=seq_cst"}, {1, "order=release"},
		{7, "order=release after=seq_cst"}, {0, NULL}};

	if (!buffers)
		return orders[i];
	if (!s->store)
		return load[i];
	return i == 2 && strcmp(model, "pso") ? (struct change){0, NULL} : store[i];
}

static void read_sites(void)
{
	char line[512], kind[64];
	FILE *from;

	nsites = 0;
	run("HEDDLE_OPTIONS=explore,sites=sites,keep-going,model=%s ./program", model);
	from = fopen("sites", "r");
	while (from && nsites < SITES && fgets(line, sizeof line, from))
		if (!strstr(line, " plain ") && !strstr(line, "alone") &&
			sscanf(line, "%63s %63s", site[nsites].address, kind) == 2)
			site[nsites++].store = !strcmp(kind, "store");
	if (from)
		fclose(from);
}

/* Do changes of exactly this cost, at sites from i on and as chosen before, repair the program? */
static bool repairs(int i, int cost, const char **chosen)
{
	FILE *to;

	if (i < nsites) {
		for (int k = 0;; k++) {
			struct change c = change_at(&site[i], k);

			if (!c.words)
				return false;
			chosen[i] = c.words;
			if (c.cost <= cost && repairs(i + 1, cost - c.cost, chosen))
				return true;
		}
	}
	if (cost)
		return false;
	to = fopen("orders", "w");
	for (int k = 0; k < nsites; k++)
		if (*chosen[k])
			fprintf(to, "%s %s\n", site[k].address, chosen[k]);
	fclose(to);
	return run("%s run -q --model %s --orders orders ./program", heddle, model) == 0;
}

/* -1: there is none. */
static int cheapest_cost(void)
{
	const char *chosen[SITES];

	read_sites();
	for (int cost = 0; cost <= 7 * nsites; cost++)
		if (repairs(0, cost, chosen))
			return cost;
	return -1;
}

/* --- its cost, as found ---------------------------------------------------------------------- */

/* In result.json; -1: impossible, -2: it does not fail. */
static int found_cost(void)
{
	int cost;
	FILE *from;

	run("%s fences --model %s --json result.json --patch /dev/null %s ./program", heddle, model,
		buffers ? "" : "--changes order");
	from = popen("jq 'if .result == \"clean\" then -2 else .repairs[0].cost // -1 end' result.json", "r");
	if (!from || fscanf(from, "%d", &cost) != 1)
		cost = -3;
	if (from)
		pclose(from);
	return cost;
}

int main(int argc, char **argv)
{
	uint64_t seed;
	int wanted;

	if (argc != 6)
		return 2;
	heddle = argv[1], cc = argv[2], model = argv[3], wanted = atoi(argv[5]);
	seed = strtoull(argv[4], NULL, 10);
	buffers = !strcmp(model, "tso") || !strcmp(model, "pso");
	for (int done = 0; done < wanted;) {
		int found, best;

		make_program(&seed);
		write_program();
		if (run("%s -g -O1 -pthread program.c -o program", cc) != 0) {
			printf("not ok - random: a program does not compile\n");
			return 1;
		}
		found = found_cost();
		if (found == -2)
			continue;
		best = cheapest_cost();
		/* -1: impossible. */
		printf("%sok - random program %d of seed %s, %s: the repair costs %d", found == best ? "" : "not ", ++done,
			argv[4], model, found);
		printf(found == best ? "\n" : ", the cheapest %d\n", best);
		fflush(stdout);
	}
	return 0;
}
