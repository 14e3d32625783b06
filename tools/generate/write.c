/* SPDX-License-Identifier: ISC */
/* write.c - clients_write() (client.h): the program, whose main is in <heddle/clients.h>. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "generate/client.h"

static bool has_values(const struct argument *a)
{
	return a->kind == ARGUMENT_VALUES && a->from != a->to;
}

/* push, add(2): new values are not said. */
static void write_name(const struct client_call *c, FILE *out)
{
	const char *before = "(";

	fputs(c->operation->name, out);
	for (unsigned i = 0; i < c->operation->n; i++)
		if (has_values(&c->operation->argument[i])) {
			fprintf(out, "%s%ld", before, c->value[i]);
			before = ", ";
		}
	if (*before == ',')
		fputc(')', out);
}

static void write_names(const struct sequence *s, FILE *out)
{
	for (unsigned i = 0; i < s->n; i++) {
		fputs(i ? " " : "", out);
		write_name(s->call[i], out);
	}
}

/* --- calls ----------------------------------------------------------------------------------- */

/* The thread that calls, main is 0; and how many new values it has used. */
struct caller {
	unsigned thread, used;
};

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The C expression, with values in place of the words new and thread. *new: it has that word. */
static char *fill_in(const char *text, const struct caller *by, bool *new)
{
	char *all = xstrdup("");

	while (*text) {
		size_t n = 1;

		while (is_word_char(text[0]) && is_word_char(text[n]))
			n++;
		if (n == 3 && !strncmp(text, "new", n)) {
			all = xprintf("%s%u", all, 10 * by->thread + by->used + 1);
			*new = true;
		} else if (n == 6 && !strncmp(text, "thread", n)) {
			all = xprintf("%s%u", all, by->thread);
		} else {
			all = xprintf("%s%.*s", all, (int)n, text);
		}
		text += n;
	}
	return all;
}

/* HEDDLE_PERFORM("push", 11, 0, stack_push(&s, 11)), without a newline. */
static void write_call(
	const struct list *l, const struct client_call *c, struct caller *by, FILE *out)
{
	const struct operation *o = c->operation;
	const char *values = "", *all = "";
	unsigned nvalues = 0;
	bool new = false;

	for (unsigned i = 0; i < o->n; i++) {
		const struct argument *a = &o->argument[i];
		const char *text = a->kind == ARGUMENT_VALUES ? xprintf("%ld", c->value[i])
							      : fill_in(a->text, by, &new);

		all = xprintf("%s%s%s", all, i ? ", " : "", text);
		if (a->kind == ARGUMENT_NEW || a->kind == ARGUMENT_VALUES)
			if (nvalues++ < 2)
				values = xprintf("%s, %s", values, text);
	}
	by->used += new;
	if (l->specified)
		fprintf(out, "HEDDLE_PERFORM(\"%s\"%s%s, %s(%s))", o->name, values,
			nvalues > 1 ? "" : nvalues ? ", 0" : ", 0, 0", o->function, all);
	else
		fprintf(out, "HEDDLE_RESULT(%s(%s))", o->function, all);
}

/* --- functions ------------------------------------------------------------------------------- */

static void write_client_thread(const struct clients *c, unsigned number, unsigned sequence,
	FILE *out)
{
	const struct sequence *s = &c->sequence[sequence];
	struct caller by = {number, 0};

	fputs("\n/* ", out);
	write_names(s, out);
	fprintf(out, " */\nstatic void *thread%u_%u(void *unused)\n{\n", number, sequence + 1);
	for (unsigned i = 0; i < s->n; i++) {
		fputs("\t(void)", out);
		write_call(c->list, s->call[i], &by, out);
		fputs(";\n", out);
	}
	fputs("\treturn unused;\n}\n", out);
}

/* Each sequence as a function of each thread that performs it. */
static void write_threads(const struct clients *c, FILE *out)
{
	unsigned *as = xmalloc(c->nsequences * sizeof(*as)); /* sets of threads */

	for (unsigned i = 0; i < c->n; i++)
		for (unsigned t = 0; t < c->at[i].n; t++)
			as[c->at[i].thread[t] - c->sequence] |= 1u << t;
	for (unsigned s = 0; s < c->nsequences; s++)
		for (unsigned t = 0; t < THREADS_MAX; t++)
			if (as[s] >> t & 1)
				write_client_thread(c, t + 1, s, out);
}

/* main's operations, those with values with each, if it is afterwards. */
static void write_main_calls(
	const struct list *l, const struct thread_role *r, bool after, FILE *out)
{
	struct caller by = {0, 0};

	for (unsigned i = 0; i < r->n; i++) {
		struct client_call c = {.operation = &r->operation[i]};
		const struct argument *a = c.operation->argument;
		unsigned varies = c.operation->n;

		for (unsigned k = 0; k < c.operation->n; k++) {
			c.value[k] = a[k].from;
			varies = has_values(&a[k]) ? k : varies;
		}
		for (bool more = true; more;) {
			fputs(after && !c.operation->n ? "\tHEDDLE_REPEAT(" : "\t(void)(", out);
			write_call(l, &c, &by, out);
			fputs(");\n", out);
			more = after && varies < c.operation->n &&
			       c.value[varies]++ < a[varies].to;
		}
	}
}

static void write_main_parts(const struct list *l, FILE *out)
{
	fputs("\nstatic void before(void)\n{\n", out);
	if (l->specified)
		fputs("\theddle_generate_specify();\n", out);
	if (l->setup)
		fputs("\theddle_generate_setup();\n", out);
	write_main_calls(l, &l->before, false, out);
	fputs("}\n\nstatic void after(void)\n{\n", out);
	write_main_calls(l, &l->after, true, out);
	fputs("}\n", out);
}

static void write_client(const struct clients *c, unsigned i, FILE *out)
{
	const struct client *one = &c->at[i];

	fprintf(out, "\t{\"%u: ", i + 1);
	for (unsigned t = 0; t < one->n; t++) {
		fputs(t ? " | " : "", out);
		write_names(one->thread[t], out);
	}
	fputs("\", {", out);
	for (unsigned t = 0; t < one->n; t++)
		fprintf(out, "%sthread%u_%u", t ? ", " : "", t + 1,
			(unsigned)(one->thread[t] - c->sequence) + 1);
	fputs("}},\n", out);
}

void clients_write(const struct clients *c, FILE *out)
{
	char path[PATH_MAX];

	if (!realpath(c->list->path, path))
		die("%s: it has gone", c->list->path);
	fprintf(out, "/* Made by heddle generate: %u clients of %s. */\n", c->n, c->list->path);
	fprintf(out, "#include \"%s\"\n\n#include <heddle/clients.h>\n", path);
	write_threads(c, out);
	write_main_parts(c->list, out);
	fputs("\nstatic const struct heddle_client clients[] = {\n", out);
	for (unsigned i = 0; i < c->n; i++)
		write_client(c, i, out);
	fprintf(out, "};\n\n#undef main\nint main(int argc, char **argv)\n{\n"
		     "\treturn heddle_clients_main(argc, argv,\n"
		     "\t\t&(struct heddle_clients){before, after, clients, %u});\n}\n", c->n);
}
