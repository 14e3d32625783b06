/* SPDX-License-Identifier: ISC */
/*
 * cc.c - heddle-cc and heddle-c++: clang with the pass plugin and, where a program is linked, the
 * runtime. With --gcc it is gcc with the plugin for gcc, or with -fsanitize=thread, whose calls the
 * runtime implements as well; and with gcc/as.c between gcc and the assembler.
 *
 * A drop-in for cc: all options are passed to the compiler unchanged; the command line is read only
 * to find out whether this is a link, and to refuse unsupported options.
 *
 * All files are found relative to the driver's own location, so build/ and an installed prefix both
 * work.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "cc/request.h"
#include "die.h"

#ifndef HEDDLE_LLVM_BINDIR
#define HEDDLE_LLVM_BINDIR "/usr/bin"
#endif

/* --- our own options ------------------------------------------------------------------------- */

static void help(void)
{
	printf("usage: %s [options of clang] file...\n\n"
	       "Compiles like clang and instruments for heddle. Accepts all options of clang but "
	       "-flto,\n"
	       "-static and sanitizers other than undefined, and also:\n\n"
	       "  --gcc                    run gcc, not clang, with heddle's plugin if it was "
	       "built\n"
	       "  --gcc=tsan, --gcc=plugin the same with -fsanitize=thread; with the plugin\n"
	       "  --deps                   also track dependencies between accesses: for --model "
	       "arm8, power, riscv\n"
	       "                           and imm\n"
	       "  --recorder               not for tests: a production build with a flight "
	       "recorder\n"
	       "                           (heddle help recorder)\n"
	       "  --volatile=plain         volatile accesses are plain accesses (default: relaxed "
	       "atomics)\n"
	       "  --heddle-runtime=FILE    link this runtime; `none': do not link any\n"
	       "  --heddle-launcher        before the name of another compiler: replaces it\n"
	       "  --heddle-verbose         print the commands\n"
	       "  --help, --heddle-help    this text (`clang --help' has the other options)\n\n"
	       "Objects compiled by gcc or clang with -fsanitize=thread can be linked as well; "
	       "`heddle\n"
	       "help build' has the differences.\n\n"
	       "environment: HEDDLE_CC, HEDDLE_CXX     the clang, the clang++ to run\n"
	       "             HEDDLE_GCC, HEDDLE_GXX    the gcc, the g++ to run with --gcc\n\n"
	       "exit status: that of the compiler, 0 success, 1 failure; 2 refused by heddle-cc, "
	       "or a tool is\n"
	       "missing. Linked programs have heddle's exit status only under `heddle run'.\n\n"
	       "examples:\n"
	       "  %s -g -O1 -o queue_test queue_test.c queue.c\n"
	       "  %s --gcc -g -O1 -o queue_test queue_test.c queue.c\n"
	       "  gcc -fsanitize=thread -g -c queue.c && %s -g queue_test.c queue.o -o queue_test\n"
	       "  ./configure CC=%s && make\n",
		die_name, die_name, die_name, die_name, die_name);
	exit(0);
}

static bool is_gcc_option(const char *s)
{
	static const char *const options[] = {"--gcc", "--gcc=tsan", "--gcc=plugin", NULL};

	return word_is_one_of(s, options);
}

/* Is it an option of heddle-cc's own? Those are not passed to clang. */
static bool own_option(struct request *r, const char *s)
{
	if (is_gcc_option(s))
		r->gcc = true;
	else if (word_starts(s, "--gcc="))
		die("%s: wanted `tsan' or `plugin'", s);
	else if (!strcmp(s, "--deps"))
		r->deps = true;
	else if (!strcmp(s, "--recorder"))
		r->recorder = true;
	else if (!strcmp(s, "--volatile=plain"))
		setenv("HEDDLE_VOLATILE", "plain", 1);
	else if (!strcmp(s, "--volatile=atomic"))
		unsetenv("HEDDLE_VOLATILE");
	else if (word_starts(s, "--volatile="))
		die("%s: wanted `plain' or `atomic'", s);
	else if (word_starts(s, "--heddle-runtime="))
		r->runtime = strchr(s, '=') + 1;
	else if (!strcmp(s, "--heddle-verbose"))
		r->verbose = true;
	else if (!strcmp(s, "--heddle-help") || !strcmp(s, "--help"))
		help();
	else if (word_starts(s, "--heddle-"))
		die("%s: no such option (--heddle-help lists them)", s);
	else
		return false;
	return true;
}

/* --- the command ----------------------------------------------------------------------------- */

/* <prefix> where this is <prefix>/bin/heddle-cc. */
static char *find_prefix(void)
{
	static char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	if (n < 0)
		die("cannot read /proc/self/exe: %s", strerror(errno));
	path[n] = 0;
	for (unsigned i = 0; i < 2; i++) {
		slash = strrchr(path, '/');
		if (!slash)
			die("%s: not an absolute path", path);
		*slash = 0;
	}
	return path;
}

static const char *must_exist(const char *path, const char *what)
{
	if (access(path, R_OK))
		die("%s: %s (%s); is heddle installed completely?", path, strerror(errno), what);
	return path;
}

/* A file that is linked into programs, of the processor that they are for. */
static const char *part(const struct request *r, const char *prefix, const char *name,
	const char *what)
{
	bool native = !strcmp(r->port->name, ARCH_NAME);
	const char *path = xprintf("%s/lib/heddle/%s%s%s", prefix, native ? "" : r->port->name,
		native ? "" : "/", name);

	if (!native && access(path, R_OK))
		die("%s: %s (%s); for each processor but this one's own it is made by "
		    "`make TARGET=%s-linux-gnu' in heddle's source",
			path, strerror(errno), what, r->port->name);
	return must_exist(path, what);
}

static const char *find_gcc(bool cxx)
{
	const char *set = getenv(cxx ? "HEDDLE_GXX" : "HEDDLE_GCC");

	return set && *set ? set : cxx ? "g++" : "gcc";
}

static const char *find_clang(bool cxx)
{
	const char *set = getenv(cxx ? "HEDDLE_CXX" : "HEDDLE_CC");
	const char *name = cxx ? "clang++" : "clang";
	char *path;

	if (set && *set)
		return set;
	path = xprintf("%s/%s", HEDDLE_LLVM_BINDIR, name);
	return access(path, X_OK) ? name : path;
}

/* By -Xlinker, as after -x c an archive would be a source. */
static void add_linker_word(struct words *w, const char *word)
{
	words_add(w, "-Xlinker");
	words_add(w, word);
}

/* The functions of libstdc++ that its templates call, before libstdc++ itself, in programs and in
 * libraries: the linker takes those that are used. */
static void add_templates(struct words *w, const struct request *r, const char *prefix)
{
	add_linker_word(w, "--exclude-libs=libheddle_cxx.a"); /* not for other libraries */
	add_linker_word(w, part(r, prefix, "libheddle_cxx.a", "the part for C++"));
}

/* The flight recorder of a production build; libraries that are opened later find it, too. */
static void add_recorder(struct words *w, const struct request *r, const char *prefix)
{
	if (r->shared || r->bare)
		return; /* it comes with the executable */
	add_linker_word(w, "--undefined=heddle_flight");
	words_add(w, xprintf("-Wl,--dynamic-list=%s",
			     must_exist(xprintf("%s/lib/heddle/recorder.list", prefix),
				     "the list of the flight recorder's symbols")));
	add_linker_word(w, must_exist(xprintf("%s/lib/heddle/libheddle_recorder.a", prefix),
				   "the flight recorder"));
	words_add(w, "-lpthread");
}

/* The runtime, all of it, and the calls of test libraries that it replaces. */
static void add_runtime(struct words *w, const char *runtime)
{
	static const char *const wrapped[] = {"--wrap=_ck_assert_failed", "--wrap=_tcase_add_test",
		"--wrap=tcase_fn_start", /* runtime/intercept/process/libcheck.c */
		"--wrap=UnityDefaultTestRun" /* and unity.c */};

	add_linker_word(w, "--whole-archive");
	add_linker_word(w, must_exist(runtime, "the runtime"));
	add_linker_word(w, "--no-whole-archive");
	for (size_t i = 0; i < array_size(wrapped); i++)
		add_linker_word(w, wrapped[i]);
}

/* Its parts that are not in the archive of --heddle-runtime. */
static void add_runtime_parts(struct words *w, const struct request *r, const char *prefix)
{
	if (r->gcc && !r->plugin)
		add_linker_word(w, "--undefined=__heddle_tsan_gcc");
	words_add(w, "-lc"); /* memcpy() of the runtime is libc's, not of the next archive */
	add_linker_word(w, part(r, prefix, "libheddle_tsan.a",
				   "the runtime's part for -fsanitize=thread"));
	add_linker_word(w, xprintf("--dynamic-list=%s",
				   part(r, prefix, "exports.list",
					   "the runtime's list of exported names")));
}

/* Add the words for linking, before any `--'. */
static void add_link(struct words *w, const struct request *r, const char *prefix)
{
	const char *runtime = r->runtime;

	if (r->shared && r->no_undefined) /* the runtime comes with the executable */
		add_linker_word(w, "--unresolved-symbols=ignore-all"); /* gold: no -z undefs */
	if (r->recorder) {
		add_recorder(w, r, prefix);
		return;
	}
	if (r->cxx && !r->bare && !r->runtime)
		add_templates(w, r, prefix);
	if (r->shared || r->bare || (runtime && !strcmp(runtime, "none")))
		return;
	if (!runtime)
		runtime = !strcmp(r->port->name, ARCH_NAME)
				  ? xprintf("%s/lib/libheddle.a", prefix)
				  : part(r, prefix, "libheddle.a", "the runtime");
	add_runtime(w, runtime);
	if (!r->runtime)
		add_runtime_parts(w, r, prefix);
	if (r->gcc) { /* __atomic_feraiseexcept() is not ours */
		words_add(w, "-Wl,--push-state,--as-needed");
		words_add(w, "-latomic");
		words_add(w, "-Wl,--pop-state");
	}
	words_add(w, "-lpthread");
	words_add(w, "-ldl");
}

static void add_compile(struct words *w, const struct request *r, const char *prefix)
{
	const char *plugin = xprintf("%s/lib/heddle/heddle_pass.so", prefix);

	words_add(w, "-Wno-unused-command-line-argument");
	words_add(w, "-Wno-error=inline-asm"); /* not an error of a build with -Werror */
	words_add(w, xprintf("-fpass-plugin=%s", must_exist(plugin, "the compiler pass")));
	words_add(w, "-idirafter"); /* last, so that a prefix like /usr leaves the order as it is */
	words_add(w, xprintf("%s/include", prefix));
	if (!r->recorder)
		words_add(w, r->port->cas16); /* inline atomics, not calls of libatomic */
}

/* The plugin; reports tell calls apart by their lines. A load that gcc moves out of a loop that may
 * not make it, or that fills a vector with elements that the program does not access, would be a
 * race that is not the program's. */
static void add_plugin(struct words *w, const struct request *r)
{
	words_add(w, xprintf("-fplugin=%s", r->plugin));
	words_add(w, "-fno-crossjumping");
	words_add(w, "-fno-tree-tail-merge");
	words_add(w, "-fno-tree-loop-im");
	words_add(w, "-fno-tree-vectorize");
}

/* Memory functions stay calls, so that the runtime sees their accesses. */
static void add_sanitizer(struct words *w, const char *prefix)
{
	static const char *const options[] = {"-fsanitize=thread", "--param",
		"tsan-distinguish-volatile=1", "-fno-builtin-memcpy", "-fno-builtin-memmove",
		"-fno-builtin-memset", "-fno-builtin-memcmp", "-fno-builtin-strlen",
		"-fno-builtin-strcpy", "-fno-builtin-strcmp", "-fno-builtin-strncmp",
		"-fno-builtin-strcat", "-fno-builtin-stpcpy", "-fno-builtin-strchr", NULL};

	for (unsigned i = 0; options[i]; i++)
		words_add(w, options[i]);
	words_add(w, xprintf("-L%s/lib/heddle/gcc", prefix)); /* an empty libtsan */
}

static void add_gcc(struct words *w, const struct request *r, const char *prefix)
{
	if (r->plugin)
		add_plugin(w, r);
	else
		add_sanitizer(w, prefix);
	words_add(w, r->port->cas16);
	words_add(w, r->port->no_red_zone); /* calls stand in inline assembly */
	words_add(w, "-idirafter");
	words_add(w, xprintf("%s/include", prefix));
	words_add(w, "-wrapper"); /* inline assembly (gcc/as.c) */
	words_add(w, must_exist(xprintf("%s/lib/heddle/gcc/as", prefix),
			     "the part for inline assembly"));
}

/* The plugin, if the option asks for it and it was built; NULL: -fsanitize=thread. */
static const char *find_plugin(const char *option, const char *prefix)
{
	const char *path = xprintf("%s/lib/heddle/gcc/plugin.so", prefix);

	if (!strcmp(option, "--gcc=tsan"))
		return NULL;
	if (!access(path, R_OK))
		return path;
	if (!strcmp(option, "--gcc=plugin"))
		die("%s: %s is missing: it is built where gcc's headers for plugins are installed "
		    "(Debian: gcc-12-plugin-dev)",
			option, path);
	return NULL;
}

static _Noreturn void run_compiler(struct words *w, bool verbose, bool gcc)
{
	if (verbose)
		for (size_t i = 0; i < w->n; i++)
			fprintf(stderr, "%s%s", w->word[i], i + 1 < w->n ? " " : "\n");
	fflush(NULL);
	execvp(w->word[0], w->word);
	die("cannot run %s: %s; install it or set %s", w->word[0], strerror(errno),
		gcc ? "HEDDLE_GCC and HEDDLE_GXX" : "HEDDLE_CC and HEDDLE_CXX");
}

/*
 * heddle-cc --heddle-launcher [--gcc] COMPILER ...: CMake's launcher; the compiler's name
 * determines the language, C or C++. Returns the number of words before the compiler's name.
 */
static int read_launcher(struct request *r, const char *prefix, int argc, char **argv)
{
	int i;

	if (argc <= 2 || strcmp(argv[1], "--heddle-launcher"))
		return 0;
	r->gcc = is_gcc_option(argv[2]);
	if (r->gcc)
		r->plugin = find_plugin(argv[2], prefix);
	i = 2 + r->gcc;
	r->cxx = i < argc && strstr(argv[i], "++");
	return i;
}

/* Add the words as given, without heddle-cc's own options and without -pipe, with which gcc would
 * not run the assembler by its -wrapper; words for linking come before any `--'. */
static void add_request_words(struct words *w, struct request *r, const char *prefix, char **words)
{
	bool linked = !request_is_link(r);

	for (; *words; words++) {
		if (own_option(r, *words) || (r->gcc && !strcmp(*words, "-pipe")))
			continue;
		if (!strcmp(*words, "--") && !linked) {
			add_link(w, r, prefix); /* after this, everything is a file name */
			linked = true;
		}
		words_add(w, *words);
	}
	if (!linked)
		add_link(w, r, prefix);
}

int main(int argc, char **argv)
{
	struct words all = {0}, command = {0};
	struct request r = {0};
	const char *prefix = find_prefix(), *slash = strrchr(argv[0], '/');
	int skipped;

	die_name = slash ? slash + 1 : argv[0];
	r.cxx = word_ends(die_name, "++");
	skipped = read_launcher(&r, prefix, argc, argv);
	argv += skipped;
	argc -= skipped;
	for (int i = 1; i < argc; i++)
		if (is_gcc_option(argv[i])) {
			r.gcc = true;
			r.plugin = find_plugin(argv[i], prefix);
		}
	words_add(&command, r.gcc ? find_gcc(r.cxx) : find_clang(r.cxx));
	if (argc > 1 && word_starts(argv[1], "-cc1")) { /* of clang itself */
		for (int i = 1; i < argc; i++)
			words_add(&command, argv[i]);
		run_compiler(&command, false, r.gcc);
	}
	for (int i = 1; i < argc; i++)
		if (!own_option(&r, argv[i]))
			words_expand(&all, argv[i], 0);
	request_read(&r, &all);
	request_refuse(&r);
	if (r.tsan)
		r.plugin = NULL;
	if (r.deps)
		setenv("HEDDLE_DEPS", "1", 1);
	if (r.recorder)
		setenv("HEDDLE_RECORDER", "1", 1);
	if (r.gcc)
		add_gcc(&command, &r, prefix);
	else
		add_compile(&command, &r, prefix);
	add_request_words(&command, &r, prefix, r.gcc && r.pipe ? all.word : argc ? argv + 1
		: argv);
	run_compiler(&command, r.verbose, r.gcc);
}
