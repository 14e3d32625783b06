/* SPDX-License-Identifier: ISC */
/*
 * goal_core.c - see goal.h: core files.
 *
 * libdwfl finds the files that the process had mapped, by their build-ids, and unwinds its threads.
 * Places in the source are determined as for reports.
 */
#include "goal/goal_priv.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/procfs.h>
#include <unistd.h>

#include "die.h"
#include "path.h"

struct core {
	struct goal_reader x;
	Dwfl *dwfl;
	struct trace *modules;
	struct symbols *symbols;
	pid_t failed; /* the thread that received a fatal signal; 0: none did */
	bool noted;
	char *program; /* the file; NULL: unknown */
};

static bool is_fatal(int signal)
{
	return signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS || signal == SIGFPE ||
	       signal == SIGILL || signal == SIGSYS;
}

/* The file that is mapped lowest: count, page size, ranges of three numbers, names (core(5)). */
static char *first_file(const char *note, size_t size)
{
	u64 head[2];
	size_t at;

	if (size < sizeof(head))
		return NULL;
	memcpy(head, note, sizeof(head));
	at = sizeof(head) + 3 * sizeof(u64) * head[0];
	if (!head[0] || head[0] > size / (3 * sizeof(u64)) || at >= size)
		return NULL;
	return xprintf("%.*s", (int)(size - at), note + at);
}

/* The first note on a thread is on the one that received the signal (Linux, fs/binfmt_elf.c). */
static void take_core_note(struct core *c, u32 type, const char *note, size_t size)
{
	struct elf_prstatus status;

	if (type == NT_FILE && !c->program)
		c->program = first_file(note, size);
	if (type != NT_PRSTATUS || size < sizeof(status) || c->noted)
		return;
	memcpy(&status, note, sizeof(status));
	c->failed = is_fatal(status.pr_cursig) ? status.pr_pid : 0;
	c->noted = true;
}

static void read_notes(struct core *c, Elf *elf)
{
	size_t n, at, next, name, data;
	GElf_Phdr segment;
	GElf_Nhdr note;

	for (size_t i = 0; elf_getphdrnum(elf, &n) == 0 && i < n; i++) {
		Elf_Data *notes;

		if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_NOTE)
			continue;
		notes = elf_getdata_rawchunk(
			elf, (int64_t)segment.p_offset, segment.p_filesz, ELF_T_NHDR);
		for (at = 0; notes && (next = gelf_getnote(notes, at, &note, &name, &data)) > 0;
			at = next)
			take_core_note(c, note.n_type, (char *)notes->d_buf + data, note.n_descsz);
	}
}

/* --- modules --------------------------------------------------------------------------------- */

static int add_module(Dwfl_Module *m, void **user, const char *name, Dwarf_Addr start, void *to)
{
	struct core *c = to;
	struct trace_module *at;
	const char *path = NULL;
	Dwarf_Addr end;
	GElf_Addr bias;

	(void)user;
	(void)name;
	if (!dwfl_module_getelf(m, &bias))
		return DWARF_CB_OK;
	dwfl_module_info(m, NULL, NULL, &end, NULL, NULL, &path, NULL);
	if (!path)
		return DWARF_CB_OK;
	at = (struct trace_module *)c->modules->modules;
	at = xgrow(at, (c->modules->nmodules + 1) * sizeof(*at));
	memset(&at[c->modules->nmodules], 0, sizeof(*at));
	at[c->modules->nmodules].base = bias;
	at[c->modules->nmodules].size = end - start;
	at[c->modules->nmodules].path = xstrdup(path);
	c->modules->modules = at;
	c->modules->nmodules++;
	return DWARF_CB_OK;
}

/* --- threads --------------------------------------------------------------------------------- */

static int add_frame_of_core(Dwfl_Frame *frame, void *to)
{
	struct core *c = to;
	const struct frames *f;
	Dwarf_Addr pc;
	bool exact;

	if (!dwfl_frame_pc(frame, &pc, &exact))
		return DWARF_CB_ABORT;
	f = symbol_frames(c->symbols, exact ? pc + 1 : pc);
	for (unsigned i = 0; i < f->n; i++)
		reader_frame(&c->x,
			&(struct goal_frame){xstrdup(f->at[i].function ? f->at[i].function : ""),
				xstrdup(f->at[i].file ? path_base(f->at[i].file) : ""),
				f->at[i].line});
	return DWARF_CB_OK;
}

static int add_thread(Dwfl_Thread *thread, void *to)
{
	struct core *c = to;
	pid_t tid = dwfl_thread_tid(thread);

	c->x.t.name = xprintf("thread %d", (int)tid);
	c->x.t.tid = (int)tid;
	c->x.t.failed = tid == c->failed;
	dwfl_thread_getframes(thread, add_frame_of_core, c); /* as far as they can be unwound */
	reader_end_thread(&c->x);
	return DWARF_CB_OK;
}

struct goal goal_of_core(const char *path, const struct functions *of)
{
	static char *debug_path;
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.debuginfo_path = &debug_path,
	};
	struct core c = {.x = {.of = of, .path = path}};
	int fd = path_open(path);
	const char *changed;
	struct goal g;
	Elf *elf;

	if (fd < 0)
		die("%s: %s", path, errno == EINVAL ? "not a file" : strerror(errno));
	elf_version(EV_CURRENT);
	setenv("DEBUGINFOD_URLS", "", 1);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	c.dwfl = dwfl_begin(&callbacks);
	c.modules = xmalloc(sizeof(*c.modules));
	c.modules->program.path = "";
	if (!elf || elf_kind(elf) != ELF_K_ELF)
		die("%s: not a core file", path);
	read_notes(&c, elf);
	if (!c.program)
		die("%s: not a core file: it names no program", path);
	if (access(c.program, R_OK) != 0)
		die("%s: its program is missing: %s", path, c.program);
	if (dwfl_core_file_report(c.dwfl, elf, c.program) < 0)
		die("%s: not a core file: %s", path, dwfl_errmsg(-1));
	c.modules->program.path = c.program;
	dwfl_report_end(c.dwfl, NULL, NULL);
	dwfl_getmodules(c.dwfl, add_module, &c, 0);
	c.symbols = symbols_open(c.modules, &changed);
	if (dwfl_core_file_attach(c.dwfl, elf) < 0 || dwfl_getthreads(c.dwfl, add_thread, &c) < 0)
		die("%s: its threads cannot be read: %s", path, dwfl_errmsg(-1));
	g = reader_end(
		&c.x, "no call stack in it: are the program and its libraries still there?");
	g.memory = core_memory_open(elf, c.symbols);
	return g;
}
