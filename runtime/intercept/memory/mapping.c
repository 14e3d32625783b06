/* SPDX-License-Identifier: ISC */
/*
 * mapping.c - memory that the program maps.
 *
 * While exploring, the address of a mapping depends only on its thread's earlier mappings, as for
 * blocks of the heap: a pointer to it is the same in every execution. It is unmapped when the
 * execution ends; stores to a file mapped shared are then undone. A mapping at a fixed address
 * stays: the next execution maps over it.
 *
 * Private writable memory mapped natively before, by the program or a library, is part of the
 * memory with which every execution begins (snapshot.h).
 */
#include "process/pages.h"
#include "intercept/process/children.h"
#include "intercept/intercept.h"
#include "intercept/libc/settings.h"
#include "intercept/file/io.h"
#include "process/descriptor.h"
#include "process/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#define RANGES_MAX 256
#ifndef MAP_32BIT
#define MAP_32BIT 0
#endif

#define AREA_BASE  0x400000000000u
#define AREA_SIZE  0x800000000u /* of a thread: 32 GiB */
#define SAVED_MOST (4u << 20)	/* of a file, or of a native mapping */

static struct mapped_range {
	char *start;
	size_t size;
	dev_t device; /* of a file that is mapped shared */
	ino_t file;   /* else 0 */
} ranges[RANGES_MAX]; /* emptied at the end of each execution */
static unsigned nranges;

/* Original contents of a part of a file mapped shared. */
static struct mapped_file {
	char *before;
	size_t size;
	off_t offset;
	int fd; /* our own */
} files[RANGES_MAX]; /* likewise */
static unsigned nfiles;

static u64 used[THREADS_MAX]; /* of its area */

/* --- at the end of an execution --------------------------------------------------------------- */

static void unmap_file(const struct mapped_file *f)
{
	static char now[PAGE];

	for (size_t at = 0; at < f->size; at += PAGE) {
		size_t n = f->size - at < PAGE ? f->size - at : PAGE;
		ssize_t had = real(pread)(f->fd, now, n, f->offset + (off_t)at);

		if (had == (ssize_t)n && !memcmp(now, f->before + at, n))
			continue;
		if (real(pwrite)(f->fd, f->before + at, n, f->offset + (off_t)at) != (ssize_t)n)
			coverage_note("stores to a mapped file cannot be undone");
	}
	real(munmap)(f->before, page_up(f->size));
	real(close)(f->fd);
}

static void execution_ends(void)
{
	while (nfiles)
		unmap_file(&files[--nfiles]);
	while (nranges) {
		nranges--;
		real(munmap)(ranges[nranges].start, ranges[nranges].size);
	}
	memset(used, 0, sizeof used);
	io_execution_ends();
	children_execution_ends();
	settings_execution_ends();
}

void clean_up_at_end(void)
{
	machine_hooks.execution_ends = execution_ends;
}

/* --- while exploring ------------------------------------------------------------------------- */

/* The address of the calling thread's next mapping; NULL: the kernel chooses. */
static void *next_address(size_t size, int flags)
{
	unsigned id = thread_id(thread_self());
	u64 at = AREA_BASE + id * (u64)AREA_SIZE + used[id];

	if (flags & (MAP_32BIT | MAP_HUGETLB | MAP_GROWSDOWN) ||
		size >= AREA_SIZE - used[id] - PAGE) {
		coverage_note("a mapping has an address chosen by the kernel, which may differ "
			      "between executions");
		return NULL;
	}
	used[id] += size + PAGE; /* unmapped between them: an access beyond the end faults */
	return (void *)(uintptr_t)at;
}

/* A range of a file is mapped: its contents are restored at the end. */
static void save_file(size_t size, int fd, off_t offset)
{
	struct mapped_file *f = &files[nfiles];
	struct stat s;

	if (fstat(fd, &s) || !S_ISREG(s.st_mode) || s.st_size <= offset)
		return;
	f->size = (size_t)(s.st_size - offset) < size ? (size_t)(s.st_size - offset) : size;
	f->offset = offset;
	if (f->size > SAVED_MOST || nfiles == RANGES_MAX) {
		coverage_note("limit: stores to a mapped file of more than %u MiB remain for the "
			      "next execution",
			SAVED_MOST >> 20);
		return;
	}
	f->fd = fcntl(fd, F_DUPFD_CLOEXEC, DESCRIPTORS_OWN);
	if (f->fd < 0)
		return;
	f->before = real(mmap)(
		NULL, page_up(f->size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (f->before == MAP_FAILED || real(pread)(fd, f->before, f->size, offset) < 0)
		machine_refuse("not enough memory to restore a mapped file after an execution");
	nfiles++;
}

static void keep_mapping(char *p, size_t size, int flags, int fd)
{
	struct stat s = {.st_ino = 0};

	if (nranges == RANGES_MAX) {
		real(munmap)(p, size);
		machine_refuse("more than %d mappings in one execution", RANGES_MAX);
	}
	if (flags & MAP_SHARED && !(flags & MAP_ANONYMOUS))
		fstat(fd, &s);
	ranges[nranges++] = (struct mapped_range){p, size, s.st_dev, s.st_ino};
	machine_mapped = true;
	clean_up_at_end();
}

/* Other threads can observe it only if a file is mapped. */
static void mapping_step(int fd)
{
	if (fd >= 0)
		io_step_of(fd);
	else
		machine_drain();
}

static void *map(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	void *p, *wanted;

	mapping_step(flags & MAP_ANONYMOUS ? -1 : fd);
	if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE) || !size)
		return real(mmap)(at, size, protection, flags, fd, offset);
	wanted = next_address(page_up(size), flags);
	p = real(mmap)(wanted ? wanted : at, size, protection,
		flags | (wanted ? MAP_FIXED_NOREPLACE : 0), fd, offset);
	if (p == MAP_FAILED && wanted && errno == EEXIST)
		p = real(mmap)(at, size, protection, flags, fd, offset);
	if (p == MAP_FAILED)
		return p;
	keep_mapping(p, page_up(size), flags, fd);
	if (!(flags & MAP_ANONYMOUS) && flags & MAP_SHARED && protection & PROT_WRITE &&
		io_node(fd) == IO_OUTSIDE)
		save_file(size, fd, offset);
	return p;
}

bool mapping_is_of(int fd)
{
	struct stat s;

	if (!nranges || fstat(fd, &s))
		return false;
	for (unsigned i = 0; i < nranges; i++)
		if (ranges[i].file && ranges[i].file == s.st_ino && ranges[i].device == s.st_dev)
			return true;
	return false;
}

static struct mapped_range *find_mapping(const void *start)
{
	for (unsigned i = 0; i < nranges; i++)
		if (ranges[i].start == start)
			return &ranges[i];
	return NULL;
}

/* mremap() to a new address of the calling thread, unless it only shrinks. */
static void *remap(void *start, size_t from, size_t to, int flags, void *fixed)
{
	struct mapped_range *r = find_mapping(start);
	void *p, *wanted = NULL;

	machine_drain();
	from = page_up(from);
	to = page_up(to);
	if (flags & MREMAP_FIXED || to <= from || !(flags & MREMAP_MAYMOVE) || !r)
		return real(mremap)(start, from, to, flags, fixed);
	wanted = next_address(to, 0);
	p = wanted ? real(mremap)(start, from, to, flags | MREMAP_FIXED, wanted)
		   : real(mremap)(start, from, to, flags);
	if (p != MAP_FAILED) {
		r->start = p;
		r->size = to;
	}
	return p;
}

/* --- before ---------------------------------------------------------------------------------- */

static struct mapped_range native[RANGES_MAX];
static unsigned nnative;
static char native_lock;

static void lock_native(void)
{
	while (__atomic_test_and_set(&native_lock, __ATOMIC_ACQUIRE))
		;
}

static void unlock_native(void)
{
	__atomic_clear(&native_lock, __ATOMIC_RELEASE);
}

static void add_native(void)
{
	for (unsigned i = 0; i < nnative; i++)
		snapshot_add(native[i].start, native[i].size);
}

/* Note a native mapping of the program or a library. */
static void *mapped_natively(void *p, size_t size, int protection, int flags)
{
	const int written = PROT_READ | PROT_WRITE;

	if (p == MAP_FAILED || flags & MAP_SHARED || !(flags & MAP_ANONYMOUS) ||
		(protection & (written | PROT_EXEC)) != written ||
		flags & (MAP_FIXED | MAP_FIXED_NOREPLACE))
		return p;
	lock_native();
	if (size <= SAVED_MOST && nnative < RANGES_MAX) {
		machine_hooks.snapshot_begins = add_native;
		native[nnative++] = (struct mapped_range){.start = p, .size = page_up(size)};
	}
	unlock_native();
	return p;
}

static void unmapped_natively(const char *start, size_t size)
{
	if (!nnative)
		return;
	lock_native();
	for (unsigned i = nnative; i--;)
		if (native[i].start < start + size && start < native[i].start + native[i].size)
			native[i] = native[--nnative];
	unlock_native();
}

/* --- the interceptors ------------------------------------------------------------------------ */

#define MMAP(name, offset_type) \
	INTERCEPT void *name( \
		void *at, size_t size, int protection, int flags, int fd, offset_type offset) \
	{ \
		if (!machine_entered()) { \
			void *p = real(mmap)(at, size, protection, flags, fd, offset); \
\
			if (module_calls_itself(__builtin_return_address(0))) \
				return p; \
			return mapped_natively(p, size, protection, flags); \
		} \
		if (module_calls_itself(__builtin_return_address(0))) \
			return real(mmap)(at, size, protection, flags, fd, offset); \
		return map(at, size, protection, flags, fd, offset); \
	}
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

INTERCEPT void *mremap(void *start, size_t from, size_t to, int flags, ...)
{
	void *fixed = NULL;
	va_list ap;

	if (flags & MREMAP_FIXED) {
		va_start(ap, flags);
		fixed = va_arg(ap, void *);
		va_end(ap);
	}
	if (!machine_entered())
		unmapped_natively(start, from);
	NATIVELY_OR_OURS(mremap, start, from, to, flags, fixed);
	return remap(start, from, to, flags, fixed);
}

/* A range that is unmapped as a whole is dropped; one that is unmapped in part stays and is
 * unmapped as a whole at the end, which is harmless. */
INTERCEPT int munmap(void *start, size_t size)
{
	if (!machine_entered())
		unmapped_natively(start, size);
	NATIVELY_OR_OURS(munmap, start, size);
	machine_drain();
	machine_progress();
	for (unsigned i = nranges; i--;)
		if (ranges[i].start == start && ranges[i].size <= size)
			ranges[i] = ranges[--nranges];
	return real(munmap)(start, size);
}
