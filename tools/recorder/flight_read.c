/* SPDX-License-Identifier: ISC */
/* flight_read.c - see flight.h: files and core files. */
#include "recorder/flight.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "die.h"
#include "path.h"

#define PAGE	4096ull
#define ALIGNED PAGE /* the box is */

/* A file of the process: its lowest mapping, and its end. */
struct mapped {
	u64 start, end, offset;
	char *path;
};

struct image {
	const char *path;
	const char *bytes;
	size_t size;
	const struct flight_box *box;
	u32 nmapped;
	struct mapped *mapped;
};

static struct image open_image(const char *path)
{
	struct image m = {.path = path};
	int fd = path_open(path);
	struct stat is;

	if (fd < 0 || fstat(fd, &is))
		die("%s: %s", path, errno == EINVAL ? "not a file" : strerror(errno));
	m.size = (size_t)is.st_size;
	m.bytes = m.size ? mmap(NULL, m.size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
	if (m.bytes == MAP_FAILED)
		die("%s: %s", path, strerror(errno));
	close(fd);
	return m;
}

static size_t box_size(const struct flight_box *b)
{
	return offsetof(struct flight_box, ring) + b->threads * sizeof(b->ring[0]);
}

static bool has_magic(const struct flight_box *b)
{
	return b->magic[0] == FLIGHT_MAGIC && b->magic[1] == FLIGHT_MAGIC_2;
}

/* Is it one, whole? address: where it was in memory; 0: unknown. */
static bool is_box(const struct flight_box *b, size_t room, u64 address)
{
	return room >= offsetof(struct flight_box, ring) && has_magic(b) &&
	       b->version == FLIGHT_VERSION && (!address || b->self == address) &&
	       b->threads <= FLIGHT_THREADS && box_size(b) <= room;
}

/* --- modules --------------------------------------------------------------------------------- */

static void add_mapping(struct image *m, u64 start, u64 end, u64 offset, const char *path)
{
	struct mapped *last = m->nmapped ? &m->mapped[m->nmapped - 1] : NULL;

	if (path[0] != '/')
		return;
	if (last && !strcmp(last->path, path)) {
		last->end = end;
		return;
	}
	m->mapped = xgrow(m->mapped, (m->nmapped + 1) * sizeof(*m->mapped));
	m->mapped[m->nmapped++] = (struct mapped){start, end, offset, xstrdup(path)};
}

/* Lines of /proc/PID/maps: "start-end rwxp offset device inode path". */
static void read_maps(struct image *m, size_t from)
{
	size_t size = from < m->size ? m->size - from : 0;
	int n = (int)(size < 1 << 24 ? size : 1 << 24);
	char *text = xprintf("%.*s", n, m->bytes + m->size - size), *line, *rest = text;
	unsigned long long start, end, offset;
	int path;

	while ((line = strsep(&rest, "\n"))) {
		path = 0;
		if (sscanf(line, "%llx-%llx %*s %llx %*s %*s %n", &start, &end, &offset, &path) ==
				3 &&
			path)
			add_mapping(m, start, end, offset, line + path);
	}
}

/* NT_FILE (core(5)): count, page size, ranges of three numbers, names. */
static void read_mapped_files(struct image *m, const char *note, size_t size)
{
	const char *name, *end = note + size;
	u64 n, page, range[3];

	if (size < 2 * sizeof(u64))
		return;
	memcpy(&n, note, sizeof(n));
	memcpy(&page, note + sizeof(n), sizeof(page));
	if (n > size / sizeof(range))
		return;
	name = note + 2 * sizeof(u64) + n * sizeof(range);
	for (u64 i = 0; i < n && name < end && memchr(name, 0, (size_t)(end - name)); i++) {
		memcpy(range, note + 2 * sizeof(u64) + i * sizeof(range), sizeof(range));
		add_mapping(m, range[0], range[1], range[2] * page, name);
		name += strlen(name) + 1;
	}
}

/* Where the file is loaded, with its variables, which have mappings without a name. False: no such
 * file. */
static bool find_mapped_module(const struct mapped *at, struct trace_module *to)
{
	int fd = path_open(at->path);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	bool found = false;
	GElf_Phdr p;
	size_t n = 0;
	u64 end = 0;

	if (elf && elf_kind(elf) == ELF_K_ELF && elf_getphdrnum(elf, &n) == 0)
		for (size_t i = 0; i < n; i++) {
			if (!gelf_getphdr(elf, (int)i, &p) || p.p_type != PT_LOAD)
				continue;
			if (!found && p.p_offset / PAGE == at->offset / PAGE) {
				to->base = at->start - (p.p_vaddr & ~(PAGE - 1));
				found = true;
			}
			end = p.p_vaddr + p.p_memsz > end ? p.p_vaddr + p.p_memsz : end;
		}
	to->size = end;
	to->path = at->path;
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return found;
}

static bool has_place(const struct flight *f, const struct mapped *at)
{
	for (u32 i = 0; i < f->nsteps; i++)
		if (f->step[i].place >= at->start && f->step[i].place < at->end)
			return true;
	return false;
}

/* Of a broken file, none. */
static u32 build_id_bytes(const struct flight_box *b)
{
	return b->build_id_bytes <= FLIGHT_BUILD_ID ? b->build_id_bytes : 0;
}

static void open_modules(struct flight *f, const struct image *m)
{
	struct trace_module *module = xmalloc((m->nmapped + 1) * sizeof(*module));
	struct trace *t = xmalloc(sizeof(*t));
	const char *changed;
	u32 n = 0;

	memset(t, 0, sizeof(*t));
	for (u32 i = 0; i < m->nmapped; i++) {
		const struct mapped *at = &m->mapped[i];

		if (!has_place(f, at))
			continue;
		module[n] = (struct trace_module){.base = 0};
		if (!find_mapped_module(at, &module[n]))
			die("%s: its program is missing: %s", f->path, at->path);
		if (module[n].base == m->box->program) {
			module[n].build_id.n = build_id_bytes(m->box);
			memcpy(module[n].build_id.bytes, m->box->build_id, FLIGHT_BUILD_ID);
		}
		n++;
	}
	t->program.path = "";
	t->modules = module;
	t->nmodules = n;
	f->symbols = symbols_open(t, &changed);
	if (changed)
		die("%s: its program has changed since: %s", f->path, changed);
}

/* --- core files ------------------------------------------------------------------------------ */

static void read_core_notes(struct image *m, Elf *elf, const GElf_Phdr *segment)
{
	size_t at = 0, next, name, data;
	GElf_Nhdr note;
	Elf_Data *notes = elf_getdata_rawchunk(
		elf, (int64_t)segment->p_offset, segment->p_filesz, ELF_T_NHDR);

	for (; notes && (next = gelf_getnote(notes, at, &note, &name, &data)) > 0; at = next)
		if (note.n_type == NT_FILE)
			read_mapped_files(m, (char *)notes->d_buf + data, note.n_descsz);
}

static void search_segment(struct image *m, const GElf_Phdr *segment)
{
	u64 at = segment->p_offset, end = at + segment->p_filesz;

	for (end = end < m->size ? end : m->size; at + ALIGNED <= end && !m->box; at += ALIGNED) {
		const void *here = m->bytes + at;

		if (is_box(here, end - at, segment->p_vaddr + at - segment->p_offset))
			m->box = here;
	}
}

static void read_core(struct image *m)
{
	Elf *elf = elf_memory((char *)m->bytes, m->size);
	GElf_Phdr segment;
	size_t n = 0;

	if (!elf || elf_getphdrnum(elf, &n))
		die("%s: neither a file of a flight recorder nor a core file", m->path);
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, (int)i, &segment))
			continue;
		if (segment.p_type == PT_NOTE)
			read_core_notes(m, elf, &segment);
		if (segment.p_type == PT_LOAD)
			search_segment(m, &segment);
	}
	if (!m->box)
		die("%s: no flight recorder in it: compile and link the program with `heddle-cc "
		    "--recorder'",
			m->path);
}

/* --- the whole ------------------------------------------------------------------------------- */

/* A file of the recorder; its version comes before its layout. */
static void read_flight_image(struct image *m)
{
	m->box = (const void *)m->bytes;
	if (m->box->version != FLIGHT_VERSION || m->box->size != sizeof(*m->box))
		die("%s: written by another version of heddle", m->path);
	if (!is_box(m->box, m->size, 0) || m->box->maps > m->size)
		die("%s: truncated: it ends before its events do", m->path);
	read_maps(m, m->box->maps ? m->box->maps : box_size(m->box));
}

struct flight flight_read(const char *path)
{
	struct image m = open_image(path);
	struct flight f = {.path = path};

	elf_version(EV_CURRENT);
	if (m.size >= offsetof(struct flight_box, owner) && has_magic((const void *)m.bytes))
		read_flight_image(&m);
	else
		read_core(&m);
	flight_of_box(&f, m.box);
	open_modules(&f, &m);
	return f;
}
