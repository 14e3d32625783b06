/* SPDX-License-Identifier: ISC */
/*
 * module.c - the table of loaded modules, from dl_iterate_phdr().
 *
 * It may be called from the first malloc() of the process, inside ld.so, so it allocates nothing.
 */
#include "process/module.h"
#include "process/pages.h"
#include "event/trace.h"

#include "heddle/abi.h"

#include <link.h>
#include <string.h>
#include <unistd.h>

struct modules_libc modules_libc;

static struct {
	unsigned n;
	unsigned last; /* the one found last, usually looked up again */
	u64 low, high; /* all of them */
	struct module module[MODULES_MAX];
} modules;

/* Libraries whose state belongs to the process, not to an execution. A name matches a file name
 * that continues with a digit, '-', '.' or '_'. */
static const char *const libc_names[] = {
	"libc", "ld", "ld-linux", "libm", "libmvec", "libpthread", "libdl", "librt", "libutil",
	"libresolv", "libanl", "libthread_db", "libnss_", "libunwind", "liblzma", "libasan",
	"libubsan", "libtsan", "liblsan", "linux-vdso",
};

static bool name_is_libc(const char *path)
{
	const char *name = strrchr(path, '/');

	if (strstr(path, "/gconv/")) /* of iconv() */
		return true;
	name = name ? name + 1 : path;
	for (unsigned i = 0; i < array_size(libc_names); i++) {
		size_t n = strlen(libc_names[i]);

		if (!strncmp(name, libc_names[i], n) &&
			(libc_names[i][n - 1] == '_' || strchr("-._0123456789", name[n])))
			return true;
	}
	return false;
}

/* Writable segments, and the part of them that ld.so made read-only again after relocation. */
static void read_segments(struct module *m, const struct dl_phdr_info *info)
{
	u64 relro = 0, relro_end = 0;

	m->start = ~0ull;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		u64 from = m->base + h->p_vaddr, to = from + h->p_memsz;

		if (h->p_type == PT_GNU_RELRO) {
			relro = page_down(from);
			relro_end = page_down(to);
		}
		if (h->p_type != PT_LOAD)
			continue;
		m->start = from < m->start ? from : m->start;
		m->end = to > m->end ? to : m->end;
		if (h->p_flags & PF_X) {
			m->text = m->text && m->text < from ? m->text : from;
			m->text_end = to > m->text_end ? to : m->text_end;
		}
		if (h->p_flags & PF_W && m->nwritable < MODULE_SEGMENTS)
			m->writable[m->nwritable++] = (struct module_range){ from, to };
	}
	for (unsigned i = 0; i < m->nwritable; i++) {
		struct module_range *r = &m->writable[i];

		/* Relro is the beginning of its segment, where linkers put it. */
		if (relro <= r->start && relro_end > r->start)
			r->start = relro_end < r->end ? relro_end : r->end;
	}
}

static void read_note(struct module *m, const char *p, const char *end)
{
	while (p + sizeof(ElfW(Nhdr)) <= end) {
		const ElfW(Nhdr) *note = (const void *)p;
		const char *name = p + sizeof(*note);
		const char *bytes = name + ((note->n_namesz + 3) & ~3u);

		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
			!memcmp(name, "GNU", 4) && note->n_descsz <= sizeof(m->build_id)) {
			m->build_id_len = (u8)note->n_descsz;
			memcpy(m->build_id, bytes, note->n_descsz);
		}
		if (note->n_namesz == 7 && !memcmp(name, "heddle", 7)) {
			m->tracked += note->n_type == HEDDLE_NOTE_DEPS;
			m->untracked += note->n_type == HEDDLE_NOTE;
		}
		p = bytes + ((note->n_descsz + 3) & ~3u);
	}
}

static bool has_name(const struct module *m, const char *name)
{
	return m->names && memmem(m->names, m->names_size, name, strlen(name));
}

/*
 * Where ld.so stores the results of lazy binding: restoring them would only make every execution
 * search again. Also note whether the module refers to our entry points: then it is instrumented.
 */
static void read_dynamic(struct module *m, const ElfW(Dyn) *d)
{
	u64 got = 0, size = 0, strings = 0, strings_size = 0;
	u64 head = 3 * sizeof(void *);

	for (; d->d_tag != DT_NULL; d++) {
		switch (d->d_tag) {
		case DT_PLTGOT: got = d->d_un.d_ptr; break;
		case DT_PLTRELSZ: size = d->d_un.d_val; break;
		case DT_STRTAB: strings = d->d_un.d_ptr; break;
		case DT_STRSZ: strings_size = d->d_un.d_val; break;
		}
	}
	/* glibc has relocated these in place, except in the vDSO. */
	got += got && got < m->base ? m->base : 0;
	strings += strings && strings < m->base ? m->base : 0;
	if (got && size)
		m->got_plt = (struct module_range){ got,
			got + head + size / sizeof(ElfW(Rela)) * sizeof(void *) };
	if (strings) {
		m->names = (const char *)strings;
		m->names_size = strings_size;
	}
	m->instrumented |= has_name(m, "__heddle_");
}

static bool has_base(u64 base)
{
	for (unsigned i = 0; i < modules.n; i++)
		if (modules.module[i].base == base)
			return true;
	return false;
}

static int read_loaded_module(struct dl_phdr_info *info, size_t info_size, void *unused)
{
	struct module *m = &modules.module[modules.n];
	const char *path = info->dlpi_name;

	if (modules.n == MODULES_MAX)
		return 1;
	if (has_base(info->dlpi_addr))
		return 0;
	memset(m, 0, sizeof(*m));
	m->base = info->dlpi_addr;
	m->is_program = modules.n == 0; /* the order of dl_iterate_phdr: the program comes first */
	if (m->is_program) {
		ssize_t n = readlink("/proc/self/exe", m->path, sizeof(m->path) - 1);

		m->path[n > 0 ? n : 0] = 0;
		m->instrumented = true; /* the runtime is in it */
	} else {
		strncpy(m->path, path, sizeof(m->path) - 1);
		m->is_libc = name_is_libc(path);
	}
	read_segments(m, info);
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		const char *at = (const char *)(m->base + h->p_vaddr);

		if (h->p_type == PT_GNU_STACK)
			m->stack_runs = h->p_flags & PF_X;
		if (h->p_type == PT_NOTE)
			read_note(m, at, at + h->p_memsz);
		if (h->p_type == PT_DYNAMIC)
			read_dynamic(m, (const void *)at);
		if (h->p_type == PT_TLS) {
			m->tls_image = at;
			m->tls_image_size = h->p_filesz;
			m->tls_size = h->p_memsz;
			m->tls = (u64)(uintptr_t)info->dlpi_tls_data;
			m->tls_index = info->dlpi_tls_modid;
		}
	}
	if (m->is_libc && m->text && modules_libc.n < MODULE_LIBC_RANGES) {
		modules_libc.text[modules_libc.n].start = m->text;
		modules_libc.text[modules_libc.n++].size = m->text_end - m->text;
	}
	modules.low = m->start < modules.low ? m->start : modules.low;
	modules.high = m->end > modules.high ? m->end : modules.high;
	modules.n++;
	return 0;
}

#define SECTION_ALIGNMENT 64

#define SECTION(name)                                                                              \
	extern const char name##_start[] __asm__("__start_" #name) __attribute__((weak));          \
	extern const char name##_stop[] __asm__("__stop_" #name) __attribute__((weak));
SECTION(heddle_data)
SECTION(heddle_exec)
SECTION(heddle_data_loc)

struct module_range module_runtime_data;

/* The contiguous sections of initialised data from heddle_data on, without any data of others. */
static void find_runtime_data(void)
{
	static const char *const section[][2] = {{heddle_data_start, heddle_data_stop},
		{heddle_exec_start, heddle_exec_stop},
		{heddle_data_loc_start, heddle_data_loc_stop}};
	struct module_range r = {(u64)(uintptr_t)section[0][0], (u64)(uintptr_t)section[0][1]};

	for (unsigned i = 1; i < array_size(section); i++)
		if ((u64)(uintptr_t)section[i][0] - r.end < SECTION_ALIGNMENT)
			r.end = (u64)(uintptr_t)section[i][1];
	module_runtime_data = r;
}

void modules_refresh(void)
{
	find_runtime_data();
	modules.n = modules.last = 0;
	modules.low = ~0ull;
	modules.high = 0;
	modules_libc.n = 0;
	dl_iterate_phdr(read_loaded_module, NULL);
	modules_libc.ready = true;
}

void modules_add(void)
{
	dl_iterate_phdr(read_loaded_module, NULL);
}

unsigned modules_count(void)
{
	if (!modules.n)
		modules_refresh();
	return modules.n;
}

bool modules_track_dependencies(void)
{
	bool any = false;

	for (unsigned i = 0; i < modules_count(); i++) {
		if (modules.module[i].untracked)
			return false;
		any |= modules.module[i].tracked != 0;
	}
	return any;
}

bool modules_stack_runs(void)
{
	for (unsigned i = 0; i < modules_count(); i++)
		if (modules.module[i].stack_runs)
			return true;
	return false;
}

bool module_refers_to(const struct module *m, const char *name)
{
	return !m->is_libc && has_name(m, name);
}

bool modules_refer_to(const char *name)
{
	for (unsigned i = 0; i < modules_count(); i++)
		if (module_refers_to(module_at(i), name))
			return true;
	return false;
}

u64 module_program_base(void)
{
	for (unsigned i = 0; i < modules_count(); i++)
		if (module_at(i)->is_program)
			return module_at(i)->base;
	return 0;
}

const struct module *module_at(unsigned i)
{
	BUG_ON(i >= modules_count());
	return &modules.module[i];
}

const struct module *module_find(u64 address)
{
	const struct module *m = &modules.module[modules.last];

	if (likely(address - m->start < m->end - m->start))
		return m;
	if (modules.n && address - modules.low >= modules.high - modules.low)
		return NULL;
	for (unsigned i = 0; i < modules_count(); i++) {
		m = &modules.module[i];
		if (address - m->start < m->end - m->start) {
			modules.last = i;
			return m;
		}
	}
	return NULL;
}

u64 module_code(const struct trace *t, u64 code)
{
	const struct trace_module *m = trace_module_at(t, code);

	for (unsigned i = 0; m && i < modules_count(); i++)
		if (!strcmp(module_at(i)->path, m->path))
			return code - m->base + module_at(i)->base;
	return 0;
}

u64 module_address(const struct trace *t, u64 address)
{
	return trace_module_at(t, address) ? module_code(t, address) : address;
}

bool module_has_variable(u64 address)
{
	for (unsigned i = 0; i < modules_count(); i++) {
		const struct module *m = module_at(i);

		for (unsigned k = 0; !m->is_libc && k < m->nwritable; k++)
			if (address - m->writable[k].start <
				m->writable[k].end - m->writable[k].start)
				return true;
	}
	return false;
}

bool module_is_instrumented(u64 function)
{
	const struct module *m = module_find(function);
	u64 mark;

	if (!m || !m->instrumented)
		return false;
	if (module_in_runtime(function))
		return true;
	if (function < m->text + sizeof(mark) || function >= m->text_end)
		return false;
	__builtin_memcpy(&mark, (const char *)(uintptr_t)function - sizeof(mark), sizeof(mark));
	return mark == HEDDLE_FUNCTION_MARK;
}

u64 module_code_at(u32 low)
{
	for (unsigned i = 0; low && i < modules_count(); i++) {
		const struct module *m = module_at(i);
		u64 code = (m->base & ~0xffffffffull) | low;

		if (code >= m->base && code < m->end)
			return code;
	}
	return 0;
}
