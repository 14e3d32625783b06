/* SPDX-License-Identifier: ISC */
/* program.c - see program.h. */
#include "kater/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "die.h"
#include "program/compiler.h"

static const char *const orders[] = {[__ATOMIC_RELAXED] = "memory_order_relaxed",
	[__ATOMIC_ACQUIRE] = "memory_order_acquire",
	[__ATOMIC_RELEASE] = "memory_order_release",
	[__ATOMIC_ACQ_REL] = "memory_order_acq_rel",
	[__ATOMIC_SEQ_CST] = "memory_order_seq_cst"};

static const struct kind *event_kind_of(const struct execution *x, u32 e)
{
	return &kind_table[x->event[e].kind];
}

const char *program_problem(const struct execution *x)
{
	if (x->nlocs > 26)
		return "it has too many locations";
	for (u32 e = 0; e < x->n; e++)
		if (1u << event_kind_of(x, e)->op & (KINDS_SYNC | 1u << KIND_BARRIER))
			return "it has an operation on a thread or mutex";
	return NULL;
}

static char location_letter(const struct execution *x, u32 e)
{
	return (char)('x' - (x->event[e].loc - 1) +
		      (x->event[e].loc <= 3 ? 2 * (x->event[e].loc - 1) : 0));
}

/* The value of a write: the number of its place. */
static u32 value_read(const struct execution *x, u32 r)
{
	return x->event[r].rf == EXECUTION_INIT ? 0 : x->event[x->event[r].rf].place;
}

static u32 writes_to(const struct execution *x, u32 loc)
{
	u32 n = 0;

	for (u32 e = 0; e < x->n; e++)
		n += execution_is(x, e, KINDS_WRITES) && x->event[e].loc == loc;
	return n;
}

/* --- source ----------------------------------------------------------------------------------- */

/* A term that is 0, and depends on these reads. */
static char *zero(u32 reads, const char *sign)
{
	char *text = xstrdup("");

	for (; reads; reads &= reads - 1)
		text = xprintf("%s%s(r%u ^ r%u)", text, sign, (u32)__builtin_ctz(reads),
			(u32)__builtin_ctz(reads));
	return text;
}

static void write_operation(const struct execution *x, u32 e, FILE *out)
{
	const struct execution_event *v = &x->event[e];
	const struct kind *k = event_kind_of(x, e);
	const char *plain = k->order == MAP_PLAIN ? "(int *)" : "";
	char *place = xprintf(
		"%s(&%c%s)", plain, location_letter(x, e), zero(v->depends[0], " + "));
	u32 w = execution_is(x, e, KINDS_READS) && v->half ? v->half - 1u : e;
	char *value = xprintf("%u%s", x->event[w].place, zero(x->event[w].depends[1], " + "));

	switch (k->op) {
	case KIND_LOAD:
		if (k->order == MAP_PLAIN)
			fprintf(out, "r%u = *%s;\n", e, place);
		else
			fprintf(out, "r%u = atomic_load_explicit(%s, %s);\n", e, place,
				orders[k->order]);
		break;
	case KIND_STORE:
		if (k->order == MAP_PLAIN)
			fprintf(out, "*%s = %s;\n", place, value);
		else
			fprintf(out, "atomic_store_explicit(%s, %s, %s);\n", place, value,
				orders[k->order]);
		break;
	case KIND_RMW_READ:
		fprintf(out, "r%u = atomic_exchange_explicit(%s, %s, %s);\n", e, place, value,
			orders[k->order]);
		break;
	case KIND_FAILED:
		fprintf(out,
			"r%u = 99;\n\tatomic_compare_exchange_strong_explicit(%s, &r%u, 99, %s, "
			"%s);\n",
			e, place, e, orders[k->order], orders[k->fail]);
		break;
	default: fprintf(out, "atomic_thread_fence(%s);\n", orders[k->order]); break;
	}
}

static void write_litmus_thread(const struct execution *x, u32 thread, FILE *out)
{
	u32 branches = 0;

	fprintf(out, "static void *thread_%u(void *unused)\n{\n", thread);
	for (u32 e = 0; e < x->n; e++) {
		const struct execution_event *v = &x->event[e];
		u32 more = v->depends[2] & ~branches;

		if (v->thread != thread || event_kind_of(x, e)->op == KIND_RMW_WRITE)
			continue;
		if (more)
			fprintf(out, "\tif (1%s)\n\t\tlabel_%u: ;\n", zero(more, " + "), e);
		branches |= more;
		fputc('\t', out);
		write_operation(x, e, out);
	}
	fputs("\treturn unused;\n}\n\n", out);
}

static void write_outcome(const struct execution *x, FILE *out)
{
	const char *and = "";

	for (u32 e = 0; e < x->n; e++) {
		if (!execution_is(x, e, KINDS_READS))
			continue;
		fprintf(out, "%sr%u == %u", and, e, value_read(x, e));
		and = " && ";
	}
	for (u32 e = 0; e < x->n; e++) {
		const struct execution_event *v = &x->event[e];

		if (!execution_is(x, e, KINDS_WRITES) || v->place < 2 ||
			v->place != writes_to(x, v->loc))
			continue;
		fprintf(out, "%s%c == %u", and, location_letter(x, e), v->place);
		and = " && ";
	}
	if (!*and)
		fputs("1", out);
}

/* The source; `about' is the text of its first comment. */
static void write_program(const struct execution *x, const char *about, FILE *out)
{
	const char *comma = " ";

	fprintf(out,
		"/*\n%s */\n#include <assert.h>\n#include <pthread.h>\n#include "
		"<stdatomic.h>\n\nstatic atomic_int",
		about);
	for (u32 loc = 1; loc <= x->nlocs; loc++)
		for (u32 e = 0; e < x->n; e++)
			if (x->event[e].loc == loc) {
				fprintf(out, "%s%c", comma, location_letter(x, e));
				comma = ", ";
				break;
			}
	fputs(";\n", out);
	for (u32 e = 0; e < x->n; e++)
		if (execution_is(x, e, KINDS_READS))
			fprintf(out, "static int r%u; /* thread %u reads %c */\n", e,
				x->event[e].thread, location_letter(x, e));
	fputc('\n', out);
	for (u32 t = 0; t < x->nthreads; t++)
		write_litmus_thread(x, t, out);
	fprintf(out, "int main(void)\n{\n\tpthread_t thread[%u];\n\n", x->nthreads);
	for (u32 t = 0; t < x->nthreads; t++)
		fprintf(out, "\tpthread_create(&thread[%u], NULL, thread_%u, NULL);\n", t, t);
	for (u32 t = 0; t < x->nthreads; t++)
		fprintf(out, "\tpthread_join(thread[%u], NULL);\n", t);
	fputs("\tassert(!(", out);
	write_outcome(x, out);
	fputs("));\n\treturn 0;\n}\n", out);
}

char *program_line(const struct execution *x)
{
	char *text = xstrdup("");

	for (u32 t = 0; t < x->nthreads; t++) {
		const char *between = "";

		text = xprintf("%s%sT%u: ", text, t ? "   " : "", t);
		for (u32 e = 0; e < x->n; e++) {
			const struct execution_event *v = &x->event[e];

			if (v->thread != t)
				continue;
			text = xprintf("%s%s%s", text, between, kinds_name(v->kind));
			if (v->loc)
				text = xprintf("%s %c=%u", text, location_letter(x, e),
					execution_is(x, e, KINDS_READS) ? value_read(x, e)
									: v->place);
			between = "; ";
		}
	}
	return text;
}

/* --- compiling and running -------------------------------------------------------------------- */

char *program_build(
	const struct execution *x, const char *about, const char *folder, const char *name)
{
	char *program = xprintf("%s/%s", folder, name), *none[] = {NULL};
	const char *source = xprintf("%s.c", program);
	/* Not optimised: false dependencies would go. */
	const char *const words[] = {
		"-g", "-O0", "-w", "--deps", "-pthread", "-o", program, source, NULL};
	FILE *f = fopen(source, "we");

	if (!f)
		die("%s: %s", source, strerror(errno));
	write_program(x, about, f);
	if (fclose(f) != 0)
		die("%s: %s", source, strerror(errno));
	if (!compiler_run(words, none, NULL))
		die("%s does not compile: see above", source);
	return program;
}

int program_observed(const char *program, const char *model)
{
	char *folder =
		     xprintf("--replay-dir=%.*s", (int)(strrchr(program, '/') - program), program),
	     *words[] = {"/proc/self/exe", "run", "--quiet", "--races", "ignore", folder, "--model",
		     xstrdup(model), xstrdup(program), NULL};
	int status, fd;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		die("%s: %s", program, strerror(errno));
	if (!pid) {
		fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
		dup2(fd, STDOUT_FILENO);
		execv("/proc/self/exe", words);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(status) || WEXITSTATUS(status) > EXIT_CUT)
		die("%s: its exploration under %s has failed", program, model);
	return WEXITSTATUS(status) == EXIT_FINDING ? 1 : WEXITSTATUS(status) == EXIT_CLEAN ? 0 : -1;
}
