/* SPDX-License-Identifier: ISC */
/* request.c - see request.h. */
#include "cc/request.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "die.h"

/* Options whose argument is the next word. */
static bool option_takes_word(const char *option)
{
	static const char *const options[] = {"-o", "-x", "-I", "-L", "-D", "-U", "-include",
		"-imacros", "-isystem", "-iquote", "-idirafter", "-iprefix", "-iwithprefix",
		"-iwithprefixbefore", "-isysroot", "--sysroot", "-include-pch", "-MF", "-MT", "-MQ",
		"-MJ", "-Xclang", "-Xlinker", "-Xpreprocessor", "-Xassembler", "-Xanalyzer",
		"-mllvm", "-T", "-u", "-z", "-e", "--param", "-B", "-F", "-framework", "-arch",
		"-target", "-rpath", "-aux-info", "-G", "-A", "-l", "-ccc-install-dir",
		"-resource-dir", "--output", "--language", "-ivfsoverlay", "-working-directory",
		"--serialize-diagnostics", "-serialize-diagnostics", "-dependency-file",
		"-cxx-isystem", "-stdlib++-isystem", "-install_name", "-dumpdir", NULL};

	return word_is_one_of(option, options);
}

static bool stops_before_linking(const char *option)
{
	static const char *const options[] = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only",
		"--analyze", "--precompile", "-emit-ast", "-emit-pch", "--compile", "--assemble",
		"--preprocess", "--dependencies", "--user-dependencies", "-fdriver-only", "--help",
		"--version", "-dumpversion", "-dumpmachine", NULL};

	return word_is_one_of(option, options) || word_starts(option, "-print-") ||
	       word_starts(option, "--print-");
}

static bool is_header(const char *file, const char *language)
{
	static const char *const suffixes[] = {
		".h", ".hh", ".hp", ".hpp", ".hxx", ".h++", ".H", ".tcc", NULL};

	if (language && strcmp(language, "none"))
		return word_ends(language, "-header");
	for (unsigned i = 0; suffixes[i]; i++)
		if (word_ends(file, suffixes[i]))
			return true;
	return false;
}

static void read_input(struct request *r, const char *file)
{
	r->inputs = true;
	if (!is_header(file, r->language))
		r->other_than_headers = true;
}

/* Is one of the values after -fsanitize= or -fno-sanitize= in the list? */
static bool names_one_of(const char *values, const char *const *list)
{
	size_t n;

	for (; *values; values += n + (values[n] == ',')) {
		n = strcspn(values, ",");
		for (const char *const *x = list; *x; x++)
			if (strlen(*x) == n && !memcmp(values, *x, n))
				return true;
	}
	return false;
}

static void read_sanitizer(struct request *r, const char *option)
{
	static const char *const thread[] = {"thread", NULL};
	/* They have their own allocator, stacks, or shadow of all memory. */
	static const char *const refused[] = {"address", "kernel-address", "hwaddress",
		"kernel-hwaddress", "memory", "kernel-memory", "leak", "dataflow", "safe-stack",
		"pointer-compare", "pointer-subtract", NULL};
	const char *values = strchr(option, '=') + 1;
	bool on = word_starts(option, "-fsanitize="), all = !strcmp(values, "all");

	if (all || names_one_of(values, thread))
		r->tsan = on ? option : NULL;
	if (all || names_one_of(values, refused))
		r->sanitizer = on ? option : NULL;
}

static void read_target(struct request *r, const char *target)
{
	r->musl = strstr(target, "musl") ? target : NULL;
	r->port = arch_port_of(target);
}

static void read_option(struct request *r, const char *s)
{
	static const char *const bare[] = {"-nostdlib", "-nodefaultlibs", "-nolibc",
		"-nostartfiles", "--no-standard-libraries", NULL};
	static const char *const is_static[] = {
		"-static", "--static", "-static-pie", "-Wl,-static", "-Wl,--static", NULL};
	static const char *const no_undefined[] = {
		"-Wl,--no-undefined", "-Wl,-no-undefined", "-Wl,-z,defs", "-Wl,-zdefs", NULL};
	static const char *const partial[] = {
		"-shared", "--shared", "-r", "-Wl,-r", "-Wl,-shared", "-Wl,--relocatable", NULL};

	if (stops_before_linking(s))
		r->stops = true;
	else if (word_is_one_of(s, partial))
		r->shared = true;
	else if (word_is_one_of(s, no_undefined))
		r->no_undefined = true;
	else if (word_is_one_of(s, bare))
		r->bare = true;
	else if (word_is_one_of(s, is_static))
		r->is_static = s;
	else if (!strcmp(s, "-pipe"))
		r->pipe = true;
	else if (word_starts(s, "-flto"))
		r->lto = s;
	else if (!strcmp(s, "-fno-lto"))
		r->lto = NULL;
	else if (word_starts(s, "-fsanitize=") || word_starts(s, "-fno-sanitize="))
		read_sanitizer(r, s);
	else if (!strcmp(s, "-m32") || !strcmp(s, "-mx32"))
		r->m32 = s;
	else if (word_starts(s, "-masm="))
		r->intel = !strcmp(s, "-masm=intel") ? s : NULL;
	else if (!strcmp(s, "-w"))
		setenv("HEDDLE_ASM_QUIET", "1", 1);
	else if (!strcmp(s, "-m64"))
		r->m32 = NULL;
	else if (word_starts(s, "--target="))
		read_target(r, s + 9);
	else if (word_starts(s, "-l"))
		read_input(r, s);
	else if (word_starts(s, "-x") && s[2])
		r->language = s + 2;
}

void request_read(struct request *r, const struct words *w)
{
	const char *s, *next;
	bool only_files = false;

	r->port = arch_port_of(ARCH_NAME);
	for (size_t i = 0; i < w->n; i++) {
		s = w->word[i];
		next = i + 1 < w->n ? w->word[i + 1] : "";
		if (only_files || *s != '-' || !strcmp(s, "-")) {
			read_input(r, s);
		} else if (!strcmp(s, "--")) {
			only_files = true;
		} else {
			read_option(r, s);
			if (!option_takes_word(s))
				continue;
			if (!strcmp(s, "-x") || !strcmp(s, "--language"))
				r->language = next;
			else if (!strcmp(s, "-target"))
				read_target(r, next);
			else if (!strcmp(s, "-Xlinker") &&
				 (!strcmp(next, "-r") || !strcmp(next, "-shared")))
				r->shared = true;
			i++;
		}
	}
}

bool request_is_link(const struct request *r)
{
	return !r->stops && r->inputs && r->other_than_headers;
}

void request_refuse(const struct request *r)
{
	if (r->lto)
		die("%s: link-time optimisation is not supported: it would run after the "
		    "instrumentation",
			r->lto);
	if (r->deps && r->gcc)
		die("--deps: not with --gcc: only heddle's own pass for clang tracks dependencies; "
		    "compile without --gcc, or give heddle run --deps none or --deps all");
	if (r->recorder && (r->deps || r->gcc))
		die("--recorder: not with --deps or --gcc: it is for production, and made by "
		    "clang");
	if (r->tsan && !r->gcc)
		die("%s: not together with heddle's own instrumentation; compile with clang or gcc "
		    "and "
		    "link with %s, or use %s --gcc",
			r->tsan, die_name, die_name);
	if (r->sanitizer && !r->recorder)
		die("%s: not together with heddle: both replace the allocator and the "
		    "threads; "
		    "compile without it",
			r->sanitizer);
	if (r->intel && r->gcc)
		die("%s: not with --gcc, where inline assembly is interpreted in AT&T syntax; "
		    "compile without it, or by clang",
			r->intel);
	if (r->m32)
		die("%s: only 64-bit programs can be tested", r->m32);
	if (r->musl)
		die("%s: musl (Alpine) is not supported, as the runtime interposes functions of "
		    "glibc: compile for glibc, and test the program there",
			r->musl);
	if (!r->port)
		die("there is no port to this target's processor: only to x86_64 and aarch64");
	if (r->recorder && r->port != arch_port_of(ARCH_NAME))
		die("--recorder: only for programs of this machine, not of %s", r->port->name);
	if (r->gcc && !r->port->no_red_zone)
		die("--gcc: gcc's inline assembly is only understood for x86_64: leave out "
		    "--gcc, or link objects of `gcc -fsanitize=thread'");
	if (request_is_link(r) && r->is_static && !r->recorder)
		die("%s: leave it out for tests: the runtime interposes functions of the shared C "
		    "library, so statically linked programs cannot be tested",
			r->is_static);
}
