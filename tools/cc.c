/* SPDX-License-Identifier: ISC */
/*
 * cc.c - heddle-cc and heddle-c++: clang with the pass plugin and, where a program is linked, the
 * runtime. With --gcc it is gcc with -fsanitize=thread, whose calls the runtime implements as well,
 * and with gcc/as.c between gcc and the assembler.
 *
 * A drop-in for cc: all options are passed to the compiler unchanged; the command line is read only
 * to find out whether this is a link, and to refuse unsupported options.
 *
 * All files are found relative to the driver's own location, so build/ and an installed prefix both
 * work.
 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"

#ifndef HEDDLE_LLVM_BINDIR
#define HEDDLE_LLVM_BINDIR "/usr/bin"
#endif

#define EXIT_USAGE	  2
#define RESPONSE_DEPTH	  8 /* response files that name response files */
#define RESPONSE_SIZE_MAX (64 << 20)

static const char *me = "heddle-cc";

struct words {
	char **word;
	size_t n, room;
};

/* The request of the command line. */
struct request {
	bool cxx;    /* called as heddle-c++ */
	bool stops;  /* stops before linking: -c, -S, -E, ... */
	bool inputs; /* there are files to compile or link */
	bool other_than_headers;
	bool shared;	   /* -shared, -r: the runtime comes with the executable */
	bool no_undefined; /* -Wl,--no-undefined, -Wl,-z,defs */
	bool bare;	   /* -nostdlib and the like */
	const char *is_static, *lto, *tsan, *sanitizer, *m32; /* the option for it */
	bool foreign;				  /* --target= of another machine */
	const char *language;			  /* of the last -x */
	bool verbose;
	const char *runtime; /* --heddle-runtime= */
	bool gcc;	     /* --gcc */
	bool pipe;	     /* -pipe */
};

static _Noreturn __attribute__((format(printf, 1, 2))) void die(const char *format, ...)
{
	char text[PATH_MAX + 512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	fprintf(stderr, "%s: %s\n", me, text);
	exit(EXIT_USAGE);
}

static void *grow(void *p, size_t size)
{
	p = realloc(p, size);
	if (!p)
		die("out of memory");
	return p;
}

static char *format_word(const char *format, ...)
{
	va_list ap;
	char *s;

	va_start(ap, format);
	if (vasprintf(&s, format, ap) < 0)
		die("out of memory");
	va_end(ap);
	return s;
}

static void add(struct words *w, const char *word)
{
	if (w->n + 1 >= w->room) {
		w->room = w->room ? 2 * w->room : 64;
		w->word = grow(w->word, w->room * sizeof(*w->word));
	}
	w->word[w->n++] = (char *)word;
	w->word[w->n] = NULL;
}

static bool starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

static bool ends(const char *s, const char *with)
{
	size_t n = strlen(s), m = strlen(with);

	return n >= m && !strcmp(s + n - m, with);
}

/* `list` ends with NULL. */
static bool is_one_of(const char *s, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(s, *list))
			return true;
	return false;
}

/* --- response files -------------------------------------------------------------------------- */

static char *read_words_file(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t n = 0, room = 0, got;

	if (!f)
		return NULL; /* clang treats the word as a file name, and reports an error */
	do {
		room = 2 * room + 4096;
		text = grow(text, room + 1);
		got = fread(text + n, 1, room - n, f);
		n += got;
	} while (got && n < RESPONSE_SIZE_MAX);
	fclose(f);
	text[n] = 0;
	return text;
}

/* The next word of a response file, as clang and gcc read it: white space separates, quotes and
 * backslashes hide it. */
static const char *next_word(const char *s, char **word)
{
	char *to, quote = 0;

	s += strspn(s, " \t\r\n\f\v");
	*word = NULL;
	if (!*s)
		return s;
	*word = to = grow(NULL, strlen(s) + 1);
	for (; *s && (quote || !strchr(" \t\r\n\f\v", *s)); s++) {
		if (*s == '\\' && s[1])
			*to++ = *++s;
		else if (quote ? *s == quote : *s == '"' || *s == '\'')
			quote = quote ? 0 : *s;
		else
			*to++ = *s;
	}
	*to = 0;
	return s;
}

static void expand(struct words *to, const char *word, unsigned depth)
{
	char *text = *word == '@' && depth < RESPONSE_DEPTH ? read_words_file(word + 1) : NULL,
	     *inner;
	const char *s = text;

	if (!text) {
		add(to, word);
		return;
	}
	for (s = next_word(s, &inner); inner; s = next_word(s, &inner))
		expand(to, inner, depth + 1);
	free(text);
}

/* --- reading the command line ---------------------------------------------------------------- */

/* Options whose argument is the next word. */
static bool takes_word(const char *option)
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

	return is_one_of(option, options);
}

static bool stops_before_linking(const char *option)
{
	static const char *const options[] = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only",
		"--analyze", "--precompile", "-emit-ast", "-emit-pch", "--compile", "--assemble",
		"--preprocess", "--dependencies", "--user-dependencies", "-fdriver-only", "--help",
		"--version", "-dumpversion", "-dumpmachine", NULL};

	return is_one_of(option, options) || starts(option, "-print-") ||
	       starts(option, "--print-");
}

static bool is_header(const char *file, const char *language)
{
	static const char *const suffixes[] = {
		".h", ".hh", ".hp", ".hpp", ".hxx", ".h++", ".H", ".tcc", NULL};

	if (language && strcmp(language, "none"))
		return ends(language, "-header");
	for (unsigned i = 0; suffixes[i]; i++)
		if (ends(file, suffixes[i]))
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
	bool on = starts(option, "-fsanitize="), all = !strcmp(values, "all");

	if (all || names_one_of(values, thread))
		r->tsan = on ? option : NULL;
	if (all || names_one_of(values, refused))
		r->sanitizer = on ? option : NULL;
}

static void read_target(struct request *r, const char *target)
{
	r->foreign = !starts(target, ARCH_TARGET);
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
	else if (is_one_of(s, partial))
		r->shared = true;
	else if (is_one_of(s, no_undefined))
		r->no_undefined = true;
	else if (is_one_of(s, bare))
		r->bare = true;
	else if (is_one_of(s, is_static))
		r->is_static = s;
	else if (!strcmp(s, "-pipe"))
		r->pipe = true;
	else if (starts(s, "-flto"))
		r->lto = s;
	else if (!strcmp(s, "-fno-lto"))
		r->lto = NULL;
	else if (starts(s, "-fsanitize=") || starts(s, "-fno-sanitize="))
		read_sanitizer(r, s);
	else if (!strcmp(s, "-m32") || !strcmp(s, "-mx32"))
		r->m32 = s;
	else if (!strcmp(s, "-w"))
		setenv("HEDDLE_ASM_QUIET", "1", 1);
	else if (!strcmp(s, "-m64"))
		r->m32 = NULL;
	else if (starts(s, "--target="))
		read_target(r, s + 9);
	else if (starts(s, "-l"))
		read_input(r, s);
	else if (starts(s, "-x") && s[2])
		r->language = s + 2;
}

static void read_words(struct request *r, const struct words *w)
{
	const char *s, *next;
	bool only_files = false;

	for (size_t i = 0; i < w->n; i++) {
		s = w->word[i];
		next = i + 1 < w->n ? w->word[i + 1] : "";
		if (only_files || *s != '-' || !strcmp(s, "-")) {
			read_input(r, s);
		} else if (!strcmp(s, "--")) {
			only_files = true;
		} else {
			read_option(r, s);
			if (!takes_word(s))
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

static bool is_link(const struct request *r)
{
	return !r->stops && r->inputs && r->other_than_headers;
}

static void refuse(const struct request *r)
{
	if (r->lto)
		die("%s: link-time optimisation is not supported: it would run after the "
		    "instrumentation",
			r->lto);
	if (r->tsan && !r->gcc)
		die("%s: not together with heddle's own instrumentation; compile with clang or gcc "
		    "and "
		    "link with %s, or use %s --gcc",
			r->tsan, me, me);
	if (r->sanitizer)
		die("%s: not together with heddle: both replace the allocator and the "
		    "threads; "
		    "compile without it",
			r->sanitizer);
	if (r->m32)
		die("%s: only 64-bit programs can be tested", r->m32);
	if (r->foreign)
		die("only programs for this machine can be tested");
	if (is_link(r) && r->is_static)
		die("%s: statically linked programs cannot be tested: the runtime interposes "
		    "functions "
		    "of the C library, which must be a shared one",
			r->is_static);
}

/* --- our own options ------------------------------------------------------------------------- */

static void help(void)
{
	printf("usage: %s [options of clang] file...\n\n"
	       "Compiles like clang and instruments for heddle. Accepts all options of clang but "
	       "-flto,\n"
	       "-static and sanitizers other than undefined, and also:\n\n"
	       "  --gcc                    run gcc with -fsanitize=thread, not clang with heddle's "
	       "pass\n"
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
		me, me, me, me, me);
	exit(0);
}

/* Is it an option of heddle-cc's own? Those are not passed to clang. */
static bool own_option(struct request *r, const char *s)
{
	if (!strcmp(s, "--gcc"))
		r->gcc = true;
	else if (!strcmp(s, "--volatile=plain"))
		setenv("HEDDLE_VOLATILE", "plain", 1);
	else if (!strcmp(s, "--volatile=atomic"))
		unsetenv("HEDDLE_VOLATILE");
	else if (starts(s, "--volatile="))
		die("%s: wanted `plain' or `atomic'", s);
	else if (starts(s, "--heddle-runtime="))
		r->runtime = strchr(s, '=') + 1;
	else if (!strcmp(s, "--heddle-verbose"))
		r->verbose = true;
	else if (!strcmp(s, "--heddle-help") || !strcmp(s, "--help"))
		help();
	else if (starts(s, "--heddle-"))
		die("%s: no such option (--heddle-help lists them)", s);
	else
		return false;
	return true;
}

/* --- what is run ----------------------------------------------------------------------------- */

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
	path = format_word("%s/%s", HEDDLE_LLVM_BINDIR, name);
	return access(path, X_OK) ? name : path;
}

/* Add the words for linking, before any `--'. */
static void add_link(struct words *w, const struct request *r, const char *prefix)
{
	const char *runtime = r->runtime ? r->runtime : format_word("%s/lib/libheddle.a", prefix);

	if (r->shared && r->no_undefined) { /* the executable has the runtime */
		add(w, "-Xlinker");
		add(w, "-zundefs");
	}
	if (r->shared || r->bare || !strcmp(runtime, "none"))
		return;
	add(w, "-Xlinker");
	add(w, "--whole-archive");
	add(w, "-Xlinker");
	add(w, must_exist(runtime, "the runtime"));
	add(w, "-Xlinker");
	add(w, "--no-whole-archive");
	add(w, "-Xlinker");
	add(w, "--wrap=_ck_assert_failed"); /* runtime/intercept/libcheck.c */
	if (!r->runtime && r->gcc) {
		add(w, "-Xlinker");
		add(w, "--undefined=__heddle_tsan_gcc");
	}
	if (!r->runtime) {
		add(w, "-lc"); /* the runtime's own memcpy() is libc's, not that of the archive that
				  follows */
		add(w, "-Xlinker"); /* not after -x c */
		add(w, must_exist(format_word("%s/lib/heddle/libheddle_tsan.a", prefix),
			       "the runtime's part for -fsanitize=thread"));
		add(w, "-Xlinker");
		add(w, format_word("--dynamic-list=%s",
			       must_exist(format_word("%s/lib/heddle/exports.list", prefix),
				       "the runtime's list of exported names")));
	}
	if (r->gcc) { /* __atomic_feraiseexcept() is not ours */
		add(w, "-Wl,--push-state,--as-needed");
		add(w, "-latomic");
		add(w, "-Wl,--pop-state");
	}
	add(w, "-lpthread");
	add(w, "-ldl");
}

static void add_compile(struct words *w, const struct request *r, const char *prefix)
{
	const char *plugin = format_word("%s/lib/heddle/heddle_pass.so", prefix);

	add(w, "-Wno-unused-command-line-argument");
	add(w, "-Wno-error=inline-asm"); /* not an error of a build with -Werror */
	add(w, format_word("-fpass-plugin=%s", must_exist(plugin, "the compiler pass")));
	add(w, "-idirafter"); /* last, so that a prefix like /usr leaves the order as it is */
	add(w, format_word("%s/include", prefix));
	add(w, ARCH_CFLAGS); /* atomics of 16 bytes in line, not as calls of libatomic */
}

/* Memory functions stay calls, so that the runtime sees their accesses. */
static void add_gcc(struct words *w, const char *prefix)
{
	static const char *const options[] = {"-fsanitize=thread", "--param",
		"tsan-distinguish-volatile=1", "-fno-builtin-memcpy", "-fno-builtin-memmove",
		"-fno-builtin-memset", "-fno-builtin-memcmp", "-fno-builtin-strlen",
		"-fno-builtin-strcpy", "-fno-builtin-strcmp", "-fno-builtin-strncmp",
		"-fno-builtin-strcat", "-fno-builtin-stpcpy", "-fno-builtin-strchr", ARCH_CFLAGS,
		ARCH_NO_RED_ZONE, /* calls stand in inline assembly */
		NULL};

	for (unsigned i = 0; options[i]; i++)
		add(w, options[i]);
	add(w, "-idirafter");
	add(w, format_word("%s/include", prefix));
	add(w, format_word("-L%s/lib/heddle/gcc", prefix)); /* an empty libtsan */
	add(w, "-wrapper"); /* inline assembly (gcc/as.c) */
	add(w, must_exist(format_word("%s/lib/heddle/gcc/as", prefix),
		       "the part for inline assembly"));
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
static int read_launcher(struct request *r, int argc, char **argv)
{
	int i;

	if (argc <= 2 || strcmp(argv[1], "--heddle-launcher"))
		return 0;
	r->gcc = !strcmp(argv[2], "--gcc");
	i = 2 + r->gcc;
	r->cxx = i < argc && strstr(argv[i], "++");
	return i;
}

/* Add the words as given, without heddle-cc's own options and without -pipe, with which gcc would
 * not run the assembler by its -wrapper; words for linking come before any `--'. */
static void add_words(struct words *w, struct request *r, const char *prefix, char **words)
{
	bool linked = !is_link(r);

	for (; *words; words++) {
		if (own_option(r, *words) || (r->gcc && !strcmp(*words, "-pipe")))
			continue;
		if (!strcmp(*words, "--") && !linked) {
			add_link(w, r, prefix); /* after this, everything is a file name */
			linked = true;
		}
		add(w, *words);
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

	me = slash ? slash + 1 : argv[0];
	r.cxx = ends(me, "++");
	skipped = read_launcher(&r, argc, argv);
	argv += skipped;
	argc -= skipped;
	for (int i = 1; i < argc; i++)
		r.gcc |= !strcmp(argv[i], "--gcc");
	add(&command, r.gcc ? find_gcc(r.cxx) : find_clang(r.cxx));
	if (argc > 1 && starts(argv[1], "-cc1")) { /* of clang itself */
		for (int i = 1; i < argc; i++)
			add(&command, argv[i]);
		run_compiler(&command, false, r.gcc);
	}
	for (int i = 1; i < argc; i++)
		if (!own_option(&r, argv[i]))
			expand(&all, argv[i], 0);
	read_words(&r, &all);
	refuse(&r);
	if (r.gcc)
		add_gcc(&command, prefix);
	else
		add_compile(&command, &r, prefix);
	add_words(&command, &r, prefix, r.gcc && r.pipe ? all.word : argc ? argv + 1 : argv);
	run_compiler(&command, r.verbose, r.gcc);
}
