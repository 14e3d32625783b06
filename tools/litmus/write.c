/* SPDX-License-Identifier: ISC */
/* write.c - the C program of a litmus test: see litmus.h. */
#include "litmus/instruction.h"
#include "litmus/run.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_c(const struct litmus *t)
{
	return t->dialect == DIALECT_C || t->dialect == DIALECT_LINUX;
}

static void write_head(const struct litmus *t, FILE *out)
{
	fprintf(out, "/* %s, of %s */\n#include <heddle/heddle.h>\n", t->name, path_base(t->path));
	if (t->dialect == DIALECT_C)
		fputs("#include <stdatomic.h>\n", out);
	else
		fputs("#include <heddle/linux.h>\n", out);
	fputs("#include <pthread.h>\n#include <stdint.h>\n#include <stdlib.h>\n\n", out);
	if (is_c(t))
		return;
	fputs("#define LOAD(p, order) __atomic_load_n((int64_t *)(p), __ATOMIC_##order)\n"
	      "#define STORE(p, v, order) __atomic_store_n((int64_t *)(p), (v), __ATOMIC_##order)\n"
	      "#define UPDATE(how, p, v, order) \\\n"
	      "\t__atomic_##how((int64_t *)(p), (v), __ATOMIC_##order)\n"
	      "#define UPDATE_ONLY(how, p, v, order) \\\n"
	      "\t__heddle_rmw8((void *)(p), (uint64_t)(v), how, \\\n"
	      "\t\t__ATOMIC_##order | HEDDLE_NO_RESULT)\n"
	      /* The builtin branches on its success, which the instruction does not. */
	      "#define SWAP(p, from, to, order, fail) \\\n"
	      "\tSWAP_AS(0, p, from, to, order, fail)\n"
	      "#define SWAP_ONLY(p, from, to, order, fail) \\\n"
	      "\tSWAP_AS(HEDDLE_NO_RESULT, p, from, to, order, fail)\n"
	      "#define SWAP_AS(kind, p, from, to, order, fail) \\\n"
	      "\t__extension__({ \\\n"
	      "\t\tuint64_t found = (uint64_t)(from); \\\n"
	      "\t\t__heddle_cas8((void *)(p), &found, (uint64_t)(to), \\\n"
	      "\t\t\t__ATOMIC_##order | __ATOMIC_##fail << 8 | (kind)); \\\n"
	      "\t\t(int64_t)found; \\\n"
	      "\t})\n"
	      /* So does the conditional operator. The result depends on the value that is selected,
	       * and only its choice on the condition. */
	      "#define SELECT(condition, yes, no) \\\n"
	      "\t__extension__({ \\\n"
	      "\t\tint64_t which = (condition), of[2] = {(no), (yes)}, selected; \\\n"
	      "\t\tuint32_t deps = __heddle_deps_load(&which, 8, 0); \\\n"
	      "\t\t__heddle_deps_store(&which, 8, 0, 0); \\\n"
	      "\t\tselected = of[which]; \\\n"
	      "\t\t__heddle_deps_store(&selected, 8, __heddle_deps_union( \\\n"
	      "\t\t\t__heddle_deps_load(&of[which], 8, 0), \\\n"
	      "\t\t\tdeps + (deps != 0) * HEDDLE_DEPS_PICK), 0); \\\n"
	      "\t\tselected; \\\n"
	      "\t})\n"
	      "#define FENCE(order) __atomic_thread_fence(__ATOMIC_##order)\n\n",
		out);
}

/* The part of a location that has its value: of the kernel's types. */
static const char *value_member(const struct litmus *t, const char *location)
{
	static const struct {
		const char *type, *member;
	} types[] = {{"atomic_t", ".counter"}, {"atomic64_t", ".counter"},
		{"spinlock_t", ".locked"}};

	for (unsigned i = 0; i < t->nlocations; i++)
		for (unsigned k = 0; k < sizeof(types) / sizeof(*types); k++)
			if (!strcmp(t->locations[i].name, location) && t->locations[i].type &&
				!strncmp(t->locations[i].type, types[k].type,
					strlen(types[k].type)))
				return types[k].member;
	return "";
}

static void write_locations(const struct litmus *t, FILE *out)
{
	for (unsigned i = 0; i < t->nlocations; i++)
		fprintf(out, "static %s %s;\n",
			!is_c(t)	       ? "int64_t"
			: t->locations[i].type ? t->locations[i].type
					       : "int",
			t->locations[i].name);
	for (unsigned i = 0; i < t->nitems; i++)
		if (t->items[i].thread >= 0)
			fprintf(out, "static int64_t result_%u; /* %s */\n", i, t->items[i].shown);
	fputs("\n/* Addresses have numbers. */\nstatic int64_t number_of(int64_t value)\n{\n", out);
	for (unsigned i = 0; i < t->nlocations; i++)
		fprintf(out, "\tif (value == (int64_t)&%s)\n\t\treturn %lldLL;\n",
			t->locations[i].name, (long long)(RUN_ADDRESSES + (int64_t)i));
	fputs("\treturn value;\n}\n", out);
}

/* Registers keep their values for the condition. */
static void write_results(const struct litmus *t, unsigned thread, FILE *out)
{
	for (unsigned i = 0; i < t->nitems; i++)
		if (t->items[i].thread == (int)thread)
			fprintf(out, "\tresult_%u = (int64_t)%s;\n", i, t->items[i].name);
}

static void write_function(const struct litmus *t, unsigned thread, FILE *out)
{
	const struct litmus_thread *p = &t->threads[thread];
	char *names = xstrdup(p->parameters), *rest = names, *word;
	bool first = true;

	fprintf(out, "\nstatic void %s(%s)\n{%s\n", p->name,
		*p->parameters ? p->parameters : "void", p->body);
	write_results(t, thread, out);
	fprintf(out, "}\n\nstatic void *thread_%u(void *unused)\n{\n\t%s(", thread, p->name);
	while ((word = strtok_r(rest, ",", &rest))) {
		char *name = strrchr(word, '*');

		name += strspn(name, "* \t\n");
		fprintf(out, "%s&%.*s", first ? "" : ", ", (int)strcspn(name, " \t\n"), name);
		first = false;
	}
	fputs(");\n\treturn unused;\n}\n", out);
}

static void write_value(const struct litmus_value *v, FILE *out)
{
	if (v->address)
		fprintf(out, "(int64_t)&%s", v->address);
	else
		fprintf(out, "%lldLL", (long long)v->number);
}

static void write_assembly(struct litmus *t, unsigned thread, FILE *out)
{
	static void (*const writers[])(struct litmus *, const struct instruction *, FILE *) = {
		[DIALECT_ARM] = arm_write,
		[DIALECT_POWER] = power_write,
		[DIALECT_RISCV] = riscv_write,
		[DIALECT_X86] = x86_write};
	struct litmus_thread *p = &t->threads[thread];
	char *code;
	size_t size;
	FILE *statements = open_memstream(&code, &size);
	struct instruction i;

	if (!statements)
		die("out of memory");
	for (unsigned k = 0; k < p->ncode; k++) {
		if (!instruction_read(t, thread, &p->code[k], &i, statements))
			continue;
		if (exclusive_loads(t, &i))
			exclusive_write(t, thread, k++, &i, statements);
		else
			writers[t->dialect](t, &i, statements);
	}
	fclose(statements);
	if (t->exclusive && t->updates)
		litmus_refuse(t, p->ncode ? p->code[0].line : t->line,
			"exclusive loads and stores beside read-modify-writes of one instruction "
			"are not supported");
	fprintf(out, "\nstatic void *thread_%u(void *unused)\n{\n\tint64_t flags = 0;\n", thread);
	for (unsigned k = 0; k < p->nregisters; k++) {
		fprintf(out, "\tint64_t %s = ", p->registers[k].name);
		write_value(&p->registers[k].initial, out);
		fputs(";\n", out);
	}
	fprintf(out, "\n%s", code);
	write_results(t, thread, out);
	fputs("\t(void)flags;\n\treturn unused;\n}\n", out);
}

static void write_main(const struct litmus *t, FILE *out)
{
	fprintf(out, "\nint main(void)\n{\n\tpthread_t threads[%u];\n\n", t->nthreads);
	for (unsigned i = 0; i < t->nlocations; i++) {
		const struct litmus_location *l = &t->locations[i];

		if (!l->initial.address && !l->initial.number)
			continue;
		fprintf(out, "\t%s%s = ", l->name, value_member(t, l->name));
		if (is_c(t) && l->initial.address)
			fprintf(out, "(void *)");
		write_value(&l->initial, out);
		fputs(";\n", out);
	}
	for (unsigned i = 0; i < t->nthreads; i++)
		fprintf(out, "\tpthread_create(&threads[%u], NULL, thread_%u, NULL);\n", i, i);
	for (unsigned i = 0; i < t->nthreads; i++)
		fprintf(out, "\tpthread_join(threads[%u], NULL);\n", i);
	for (unsigned i = 0; i < t->nitems; i++)
		if (t->items[i].thread >= 0)
			fprintf(out, "\theddle_observe(\"%s\", number_of(result_%u));\n",
				t->items[i].shown, i);
		else
			fprintf(out, "\theddle_observe(\"%s\", number_of((int64_t)%s%s));\n",
				t->items[i].shown, t->items[i].name,
				value_member(t, t->items[i].name));
	fputs("\treturn 0;\n}\n", out);
}

bool litmus_write(struct litmus *t, FILE *out)
{
	char *threads;
	size_t size;
	FILE *to = open_memstream(&threads, &size);

	if (!to)
		die("out of memory");
	if (setjmp(t->leave))
		return false;
	for (unsigned i = 0; i < t->nthreads; i++)
		if (is_c(t))
			write_function(t, i, to);
		else
			write_assembly(t, i, to);
	fclose(to);
	write_head(t, out);
	write_locations(t, out);
	fputs(threads, out);
	write_main(t, out);
	return true;
}
