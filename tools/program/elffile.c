/* SPDX-License-Identifier: ISC */
/*
 * elffile.c - is this file a program that heddle-cc has compiled?
 *
 * Objects that heddle-cc has compiled carry a note (owner "heddle", type 1 or 2, the ABI's version
 * as a u32), so a program has it among its PT_NOTE segments. The build-id is a note too.
 */
#include "program/elffile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gelf.h>
#include <libelf.h>

#include "arch/arch.h"
#include "die.h"
#include "heddle/abi.h"
#include "program/emulator.h"

#define NOTE_OWNER "heddle"

static bool is_owner(const char *name, size_t n, const char *owner)
{
	return n == strlen(owner) + 1 && !memcmp(name, owner, n);
}

static void take_note(struct elf_facts *f, const GElf_Nhdr *h, const char *name, const u8 *desc)
{
	u32 abi;

	if (is_owner(name, h->n_namesz, "GNU") && h->n_type == NT_GNU_BUILD_ID &&
		h->n_descsz <= TRACE_BUILD_ID) {
		f->build_id.n = (u8)h->n_descsz;
		memcpy(f->build_id.bytes, desc, h->n_descsz);
	}
	if (is_owner(name, h->n_namesz, NOTE_OWNER) && h->n_descsz == sizeof(abi) &&
		(h->n_type == HEDDLE_NOTE || h->n_type == HEDDLE_NOTE_DEPS)) {
		memcpy(&abi, desc, sizeof(abi));
		f->instrumented = true;
		f->abi = abi;
	}
}

static void take_segment(struct elf_facts *f, Elf *elf, const GElf_Phdr *p)
{
	Elf_Type type = p->p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;
	Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)p->p_offset, (size_t)p->p_filesz, type);
	size_t at = 0, name, desc;
	GElf_Nhdr h;

	while (data && (at = gelf_getnote(data, at, &h, &name, &desc)) > 0)
		take_note(f, &h, (const char *)data->d_buf + name, (const u8 *)data->d_buf + desc);
}

/* The sanitizer whose runtime defines or needs the symbol. */
static const char *sanitizer_of(const char *symbol)
{
	static const char *const marks[][2] = {{"__asan_init", "address"},
		{"__hwasan_init", "hwaddress"}, {"__msan_init", "memory"}, {"__lsan_init", "leak"},
		{"__dfsan_init", "dataflow"}, {"__safestack_init", "safe-stack"}};

	for (size_t i = 0; symbol && i < array_size(marks); i++)
		if (!strcmp(symbol, marks[i][0]))
			return marks[i][1];
	return NULL;
}

/* Needed only if another object defines it? */
static bool is_optional(const GElf_Sym *s)
{
	return GELF_ST_BIND(s->st_info) == STB_WEAK && s->st_shndx == SHN_UNDEF;
}

static const char *find_sanitizer(Elf *elf)
{
	const char *found = NULL;
	Elf_Scn *section = NULL;
	Elf_Data *data;
	GElf_Shdr h;
	GElf_Sym s;

	while (!found && (section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &h) || h.sh_type != SHT_DYNSYM)
			continue;
		data = elf_getdata(section, NULL);
		for (int i = 0; !found && data && gelf_getsym(data, i, &s); i++)
			if (!is_optional(&s))
				found = sanitizer_of(elf_strptr(elf, h.sh_link, s.st_name));
	}
	return found;
}

static int index_of(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; name && i < n; i++)
		if (!strcmp(name, names[i]))
			return (int)i;
	return -1;
}

/* The first row of a table of the type, or of another type, for which row() is not negative. */
static int find_table_row(const char *program, u32 type, u32 other,
	int (*row)(Elf *elf, const GElf_Shdr *h, Elf_Data *data, int i, void *ctx), void *ctx)
{
	int fd = open(program, O_RDONLY | O_CLOEXEC), found = -1;
	Elf_Scn *section = NULL;
	Elf_Data *data;
	GElf_Shdr h;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	while (elf && found < 0 && (section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &h) || (h.sh_type != type && h.sh_type != other))
			continue;
		data = elf_getdata(section, NULL);
		if (!data || !h.sh_entsize)
			continue;
		for (u64 i = 0; found < 0 && i < h.sh_size / h.sh_entsize; i++)
			found = row(elf, &h, data, (int)i, ctx);
	}
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return found;
}

struct symbol_names {
	const char *const *name;
	size_t n;
};

static int symbol_row(Elf *elf, const GElf_Shdr *h, Elf_Data *data, int i, void *ctx)
{
	const struct symbol_names *all = ctx;
	GElf_Sym s;

	return gelf_getsym(data, i, &s) && !is_optional(&s)
		       ? index_of(elf_strptr(elf, h->sh_link, s.st_name), all->name, all->n)
		       : -1;
}

int elf_find_symbol(const char *program, const char *const *symbols, size_t n)
{
	return find_table_row(
		program, SHT_DYNSYM, SHT_SYMTAB, symbol_row, &(struct symbol_names){symbols, n});
}

static int library_row(Elf *elf, const GElf_Shdr *h, Elf_Data *data, int i, void *ctx)
{
	const char *wanted = ctx, *name;
	GElf_Dyn d;

	if (!gelf_getdyn(data, i, &d) || d.d_tag != DT_NEEDED)
		return -1;
	name = elf_strptr(elf, h->sh_link, d.d_un.d_val);
	return name && !strncmp(name, wanted, strlen(wanted)) ? 0 : -1;
}

bool elf_needs_library(const char *program, const char *name)
{
	void *wanted = (void *)(uintptr_t)name;

	return find_table_row(program, SHT_DYNAMIC, SHT_DYNAMIC, library_row, wanted) == 0;
}

/* Is the program loader that of musl? */
static bool is_musl(int fd, const GElf_Phdr *p)
{
	char path[256] = "";

	if (p->p_filesz >= sizeof(path) || pread(fd, path, p->p_filesz, (off_t)p->p_offset) < 0)
		return false;
	return strstr(path, "/ld-musl-");
}

struct elf_facts elf_inspect(int fd)
{
	struct elf_facts f = {.is_elf = false};
	GElf_Ehdr header;
	size_t n = 0;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header)) {
		f.is_elf = header.e_type == ET_EXEC || header.e_type == ET_DYN;
		f.port = arch_port_of_file(header.e_machine);
		f.is_other_machine = f.port != arch_port_of(ARCH_NAME);
		elf_getphdrnum(elf, &n);
		f.sanitizer = find_sanitizer(elf);
	}
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(elf, (int)i, &p))
			continue;
		if (p.p_type == PT_NOTE)
			take_segment(&f, elf, &p);
		f.starts |= p.p_type == PT_INTERP;
		f.is_musl |= p.p_type == PT_INTERP && is_musl(fd, &p);
	}
	elf_end(elf);
	return f;
}

/* The kind of a file that must be compiled or linked first, by its name; else NULL. */
static const char *kind_of_source(const char *name)
{
	static const char *const ends[] = {".o", ".a", ".c", ".h", ".cc", ".cpp", ".cxx"};
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < array_size(ends); i++)
		if (!strcmp(dot, ends[i]))
			return i == 0	? "an object: link"
			       : i == 1 ? "a library: link"
					: "a source: compile";
	return NULL;
}

/* Is it an executable file, by its name and mode? */
static void check_executable(const char *name)
{
	const char *first;
	struct stat st;

	if (stat(name, &st) != 0)
		die("%s: %s", name, strerror(errno));
	if (!S_ISREG(st.st_mode))
		die("%s: not a program, but a %s", name,
			S_ISDIR(st.st_mode) ? "directory" : "special file");
	first = kind_of_source(name);
	if (first)
		die("%s: not a program, but %s it first (heddle-cc -g -o NAME %s)", name, first,
			name);
	if (access(name, X_OK) != 0)
		die("%s: not executable (chmod +x it, or name the program itself)", name);
}

/* Is it a program that can be explored, by its contents? */
static void check_contents(const char *name, const struct elf_facts *facts)
{
	if (!facts->is_elf)
		die("%s: not an ELF program (a script?): name the program that it starts", name);
	if (!facts->port)
		die("%s: a program for another kind of processor", name);
	if (facts->is_other_machine && !emulator_is_set())
		die("%s: a program for %s, not for this machine: set HEDDLE_EMULATOR to a command "
		    "that runs such programs, as `qemu-%s'",
			name, facts->port->name, facts->port->name);
	if (facts->sanitizer)
		die("%s: compiled with -fsanitize=%s, which cannot be explored: compile it without",
			name, facts->sanitizer);
	if (facts->is_musl)
		die("%s: linked with musl (Alpine), which is not supported: compile it for glibc "
		    "with heddle-cc",
			name);
	if (!facts->instrumented)
		die("%s: not instrumented: compile and link it with heddle-cc", name);
	if (!facts->starts)
		die("%s: not a program, but a shared library: name a program that is linked with "
		    "it",
			name);
	if (facts->abi != HEDDLE_ABI_VERSION)
		die("%s: compiled for version %u of heddle's interface, this heddle has %d: "
		    "compile it again",
			name, facts->abi, HEDDLE_ABI_VERSION);
}

char *program_check(const char *name, struct elf_facts *facts)
{
	char *path;
	int fd;

	check_executable(name);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die("%s: cannot be read: %s", name, strerror(errno));
	*facts = elf_inspect(fd);
	close(fd);
	check_contents(name, facts);
	path = realpath(name, NULL);
	if (!path)
		die("%s: %s", name, strerror(errno));
	return path;
}

char *build_id_text(const struct trace_build_id *b)
{
	char *s = xmalloc(2 * TRACE_BUILD_ID + 8);

	strcpy(s, "none");
	for (unsigned i = 0; i < b->n; i++)
		sprintf(s + 2 * i, "%02x", b->bytes[i]);
	return s;
}

bool build_id_equal(const struct trace_build_id *a, const struct trace_build_id *b)
{
	return a->n == b->n && !memcmp(a->bytes, b->bytes, a->n);
}
