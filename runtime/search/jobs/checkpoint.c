/* SPDX-License-Identifier: ISC */
/*
 * checkpoint.c - the remaining work in a file: --checkpoint, --resume. Its format is in
 * trust/image/checkpoint_file.h.
 *
 * Written to FILE.tmp, then renamed. A file is valid for the same program with the same arguments
 * and options that determine the exploration; any other is refused.
 */
#include "search/jobs/share_priv.h"
#include "search/outcome/outcome.h"
#include "process/module.h"
#include "history/history.h"
#include "override/override.h"
#include "machine/execution/slots.h"
#include "object/state_table.h"
#include "base/prng.h"

#include <fcntl.h>
#include <gnu/libc-version.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(CHECKPOINT_SLOTS == THREADS_MAX, "a slot a thread");
_Static_assert(sizeof(struct checkpoint_child) == sizeof thread_slots->child[0], "the same table");

static struct {
	struct checkpoint_head head;
	int fd;
	u64 at; /* bytes after the head */
	bool failed;
	const char *path;
	char tmp[OPTION_TEXT_MAX + 24];
} to;

static struct checkpoint_file from;

/* --- the program of a file -------------------------------------------------------------------- */

/* Its build id, or else its size and time; and the address of libc, as images contain addresses. */
static u64 program(void)
{
	u64 libraries = prng_mix((u64)(uintptr_t)gnu_get_libc_version);
	struct stat st;

	for (unsigned i = 0; i < modules_count(); i++) {
		const struct module *m = module_at(i);

		if (m->is_program && m->build_id_len)
			return checkpoint_sum(libraries, m->build_id, m->build_id_len);
	}
	if (stat("/proc/self/exe", &st))
		return 0;
	return libraries ^ prng_mix((u64)st.st_size ^ prng_mix((u64)st.st_mtim.tv_sec ^
					prng_mix((u64)st.st_mtim.tv_nsec)));
}

static u64 arguments(void)
{
	static char text[65536];
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text);
	size_t name;

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return 0;
	name = strnlen(text, (size_t)n); /* the path may differ */
	return checkpoint_sum(2, text + name, (size_t)n - name);
}

static u64 options(void)
{
	const struct options *o = M.options;
	u64 what[] = {o->races == RACES_AUTO ? RACES_PROMOTE : o->races, o->equivalence,
		o->weak_cas, o->max_steps, o->spurious, o->timeouts, o->check, o->detect, o->reuse,
		o->sleepers, o->tick, o->unreduced, o->dependencies, o->arch_rmw, o->rcpc, o->shard,
		override_mark()};

	return checkpoint_sum(3, what, sizeof what);
}

/* --- writing ---------------------------------------------------------------------------------- */

static void save_bytes(const void *data, size_t n)
{
	const u8 *p = data;
	u64 here = sizeof to.head + to.at;

	to.head.checksum = checkpoint_sum(to.head.checksum, data, n);
	to.at += n;
	while (n && !to.failed) {
		ssize_t done = pwrite(to.fd, p, n, (off_t)here);

		to.failed = done <= 0;
		if (to.failed)
			return;
		p += done;
		here += (u64)done;
		n -= (size_t)done;
	}
}

static void save_place_table(void)
{
	const struct places *p = share_trust->graph.places;

	for (u32 i = 1; i <= p->n; i++) {
		struct checkpoint_place f = {p->place[i].addr, p->place[i].init, p->place[i].size,
			p->place[i].atomic, execute_is_promoted(i),
			trust_await_traits(share_trust, i)};

		save_bytes(&f, sizeof f);
	}
}

void checkpoint_begin(const char *path, const struct checkpoint_totals *totals)
{
	to.path = path;
	snprintf(to.tmp, sizeof to.tmp, "%s.tmp", path);
	to.fd = open(to.tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	to.failed = to.fd < 0;
	to.at = 0;
	to.head = (struct checkpoint_head){
		.version = CHECKPOINT_VERSION,
		.size = sizeof to.head,
		.program = program(),
		.arguments = arguments(),
		.options = options(),
		.totals = *totals,
		.nchildren = thread_slots->n,
		.nslots = thread_slots->used,
		.nplaces = share_trust->graph.places->n,
		.lanes = share_trust->graph.lanes,
		.awaits = share->awaits.waits | (u32)share->awaits.all << 1 |
			  (u32)share->awaits.time << 2,
	};
	memcpy(to.head.magic, checkpoint_magic, sizeof checkpoint_magic);
	save_bytes(thread_slots->child, sizeof thread_slots->child);
	save_place_table();
}

void checkpoint_add(const void *image, size_t size)
{
	static const u8 zeros[64];
	u64 n[8] = {size}; /* so that the image is aligned where it is mapped */
	size_t gap = (64 - (sizeof to.head + to.at) % 64) % 64;

	if (to.head.nimages == CHECKPOINT_IMAGES) {
		to.failed = true;
		return;
	}
	save_bytes(zeros, gap);
	save_bytes(n, sizeof n);
	save_bytes(image, size);
	to.head.nimages++;
}

const char *checkpoint_misses(void)
{
	return history_wanted()	  ? "operations (heddle/lin.h)"
	       : outcome_wanted() ? "outcomes (heddle_observe)"
	       : state_table_used() ? "states of objects that many threads wait for"
				    : NULL;
}

bool checkpoint_end(void)
{
	const char *missing = checkpoint_misses();

	to.failed = to.failed || pwrite(to.fd, &to.head, sizeof to.head, 0) != sizeof to.head;
	if (to.fd >= 0 && close(to.fd))
		to.failed = true;
	if (!to.failed && !missing && !rename(to.tmp, to.path))
		return true;
	unlink(to.tmp);
	if (missing)
		coverage_note("no checkpoint: it cannot keep %s", missing);
	else
		coverage_note("no checkpoint: cannot write %s", to.path);
	return false;
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool refuse_checkpoint(const char *path, const char *what)
{
	snprintf(M.status->note, sizeof M.status->note, "%s: %s", path, what);
	return false;
}

/* Map the file for the whole search: images are taken from it one by one. */
static const void *map_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p;

	if (fd < 0 || fstat(fd, &st)) {
		refuse_checkpoint(path, "cannot be opened");
		return NULL;
	}
	*size = (size_t)st.st_size;
	p = *size ? mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	close(fd);
	if (p != MAP_FAILED)
		return p;
	refuse_checkpoint(path, "not a checkpoint of heddle");
	return NULL;
}

static bool is_checkpoint_usable(const char *path)
{
	const struct checkpoint_head *h = &from.head;

	if (h->program != program())
		return refuse_checkpoint(path,
			"a checkpoint of another program, or it has been rebuilt");
	if (h->arguments != arguments())
		return refuse_checkpoint(path, "a checkpoint of a run with other arguments");
	if (h->options != options())
		return refuse_checkpoint(path, "a checkpoint of a run with other options");
	return true;
}

static bool learn_places(struct places *places)
{
	memcpy(thread_slots->child, from.children, sizeof thread_slots->child);
	thread_slots->n = from.head.nchildren;
	thread_slots->used = from.head.nslots;
	share->awaits = (struct awaits){
		.waits = from.head.awaits & 1, .all = from.head.awaits >> 1 & 1,
		.time = from.head.awaits >> 2 & 1};
	for (u32 i = 0; i < from.head.nplaces; i++) {
		struct checkpoint_place f = checkpoint_file_place(&from, i);
		u32 loc = f.promoted ? place_intern(places, f.addr, f.size, f.init) : 0;

		if (!trust_await_learn(&share->awaits, f.addr, f.awaits))
			return false;
		if (f.size)
			execute_know(f.addr, f.size, f.atomic && !f.promoted);
		if (f.promoted && !loc)
			return false;
		if (f.promoted)
			execute_promote(loc);
	}
	return true;
}

bool checkpoint_read(const char *path, struct places *places, struct checkpoint_totals *totals)
{
	size_t size;
	const void *file = map_file(path, &size);
	const char *wrong = file ? checkpoint_file_read(&from, file, size) : NULL;

	if (!file || wrong || !is_checkpoint_usable(path)) {
		from.head.nimages = 0;
		return wrong ? refuse_checkpoint(path, wrong) : false;
	}
	*totals = from.head.totals;
	return learn_places(places) || refuse_checkpoint(path, "a damaged checkpoint");
}

u32 checkpoint_images(void)
{
	return from.head.nimages;
}

const void *checkpoint_image(u32 i, size_t *size)
{
	*size = from.image_size[i];
	return from.image[i];
}
