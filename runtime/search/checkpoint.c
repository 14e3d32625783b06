/* SPDX-License-Identifier: ISC */
/*
 * checkpoint.c - what is left to explore, in a file (--checkpoint, --resume).
 *
 * A head; the slots of threads; the locations that are known; images of frontiers, each behind its size.
 * Written to FILE.tmp, then renamed. A file fits the same program with the same arguments and options that
 * say what is explored; no other is taken.
 */
#include "search/share_priv.h"
#include "process/module.h"
#include "machine/site.h"
#include "machine/slots.h"
#include "base/prng.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define VERSION 1
#define IMAGES	256

static const char magic[16] = "heddle frontier";

struct file_head {
	char magic[16];
	u32 version, size; /* of this */
	u64 checksum;	   /* of all behind the head */
	u64 program, arguments, options;
	struct checkpoint_totals totals;
	u32 nchildren, nslots, nplaces, nimages;
	u32 lanes, unused;
};

struct file_place {
	u64 addr, init;
	u32 size;
	u16 atomic, promoted;
};

static struct {
	struct file_head head;
	int fd;
	u64 at; /* bytes behind the head */
	bool failed;
	char tmp[OPTION_TEXT_MAX + 8];
} to;

static struct {
	const u8 *file;
	size_t size;
	u32 n;
	const u8 *image[IMAGES];
	size_t image_size[IMAGES];
} from;

/* --- what a file fits ------------------------------------------------------------------------------ */

static u64 mix(u64 h, const void *data, size_t n)
{
	const u8 *p = data;
	u64 word;

	for (; n >= 8; n -= 8, p += 8) {
		memcpy(&word, p, 8);
		h = prng_mix(h ^ word);
	}
	for (word = 0; n; n--)
		word = word << 8 | *p++;
	return prng_mix(h ^ word);
}

/* Its build id; the file's size and time if it has none. */
static u64 program(void)
{
	struct stat st;

	for (unsigned i = 0; i < modules_count(); i++) {
		const struct module *m = module_at(i);

		if (m->is_program && m->build_id_len)
			return mix(1, m->build_id, m->build_id_len);
	}
	if (stat("/proc/self/exe", &st))
		return 0;
	return prng_mix((u64)st.st_size ^ prng_mix((u64)st.st_mtim.tv_sec ^
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
	name = strnlen(text, (size_t)n); /* it may be called by another path */
	return mix(2, text + name, (size_t)n - name);
}

static u64 options(void)
{
	const struct options *o = M.options;
	u64 what[] = {o->races, o->equivalence, o->weak_cas, o->max_steps, o->livelock, o->spurious,
		o->timeouts, o->check, o->detect, o->reuse, site_mark()};

	return mix(3, what, sizeof what);
}

/* --- writing --------------------------------------------------------------------------------------- */

static void put(const void *data, size_t n)
{
	const u8 *p = data;
	u64 here = sizeof to.head + to.at;

	to.head.checksum = mix(to.head.checksum, data, n);
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

static void put_places(void)
{
	const struct places *p = share_trust->graph.places;

	for (u32 i = 1; i <= p->n; i++) {
		struct file_place f = {p->place[i].addr, p->place[i].init, p->place[i].size,
			p->place[i].atomic, execute_is_promoted(i)};

		put(&f, sizeof f);
	}
}

void checkpoint_begin(const struct checkpoint_totals *totals)
{
	snprintf(to.tmp, sizeof to.tmp, "%s.tmp", M.options->checkpoint);
	to.fd = open(to.tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	to.failed = to.fd < 0;
	to.at = 0;
	to.head = (struct file_head){
		.version = VERSION,
		.size = sizeof to.head,
		.program = program(),
		.arguments = arguments(),
		.options = options(),
		.totals = *totals,
		.nchildren = thread_slots->n,
		.nslots = thread_slots->used,
		.nplaces = share_trust->graph.places->n,
		.lanes = share_trust->graph.lanes,
	};
	memcpy(to.head.magic, magic, sizeof magic);
	put(thread_slots->child, sizeof thread_slots->child);
	put_places();
}

void checkpoint_add(const void *image, size_t size)
{
	static const u8 zeros[64];
	u64 n[8] = {size}; /* so that the image is aligned where it is mapped */
	size_t gap = (64 - (sizeof to.head + to.at) % 64) % 64;

	if (to.head.nimages == IMAGES) {
		to.failed = true;
		return;
	}
	put(zeros, gap);
	put(n, sizeof n);
	put(image, size);
	to.head.nimages++;
}

void checkpoint_end(void)
{
	to.failed = to.failed || pwrite(to.fd, &to.head, sizeof to.head, 0) != sizeof to.head;
	if (to.fd >= 0 && close(to.fd))
		to.failed = true;
	if (!to.failed && !rename(to.tmp, M.options->checkpoint))
		return;
	unlink(to.tmp);
	coverage_note("no checkpoint: cannot write %s", M.options->checkpoint);
}

/* --- reading --------------------------------------------------------------------------------------- */

static bool refuse(const char *path, const char *what)
{
	snprintf(M.status->note, sizeof M.status->note, "%s: %s", path, what);
	return false;
}

static bool map_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p;

	if (fd < 0 || fstat(fd, &st))
		return refuse(path, "cannot be opened");
	from.size = (size_t)st.st_size;
	p = from.size ? mmap(NULL, from.size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	close(fd);
	if (p == MAP_FAILED)
		return refuse(path, "not a checkpoint of heddle");
	from.file = p;
	return true;
}

/* The parts behind the head, summed up as they were written. */
static bool find_images(const struct file_head *h)
{
	size_t at = sizeof *h, n = sizeof thread_slots->child;
	u64 sum = 0, size;

	if (from.size - at < n)
		return false;
	sum = mix(sum, from.file + at, n);
	at += n;
	for (u32 i = 0; i < h->nplaces; i++, at += sizeof(struct file_place)) {
		if (from.size - at < sizeof(struct file_place))
			return false;
		sum = mix(sum, from.file + at, sizeof(struct file_place));
	}
	if (h->nimages > IMAGES)
		return false;
	for (from.n = 0; from.n < h->nimages; from.n++) {
		size_t gap = (64 - at % 64) % 64;

		if (from.size - at < gap + 64)
			return false;
		sum = mix(mix(sum, from.file + at, gap), from.file + at + gap, 64);
		at += gap + 64;
		memcpy(&size, from.file + at - 64, sizeof size);
		if (from.size - at < size)
			return false;
		sum = mix(sum, from.file + at, size);
		from.image[from.n] = from.file + at;
		from.image_size[from.n] = size;
		at += size;
	}
	return sum == h->checksum && at == from.size;
}

static bool fits(const char *path, const struct file_head *h)
{
	if (from.size < sizeof *h || memcmp(h->magic, magic, sizeof magic))
		return refuse(path, "not a checkpoint of heddle");
	if (h->version != VERSION || h->size != sizeof *h)
		return refuse(path, "a checkpoint of another version of heddle");
	if (h->nchildren > THREADS_MAX || h->nslots > THREADS_MAX || !find_images(h))
		return refuse(path, "a damaged checkpoint");
	if (h->program != program())
		return refuse(path, "a checkpoint of another program, or it has been rebuilt");
	if (h->arguments != arguments())
		return refuse(path, "a checkpoint of a run with other arguments");
	if (h->options != options())
		return refuse(path, "a checkpoint of a run with other options");
	return true;
}

static void learn(const struct file_head *h, struct places *places)
{
	const u8 *at = from.file + sizeof *h;

	memcpy(thread_slots->child, at, sizeof thread_slots->child);
	thread_slots->n = h->nchildren;
	thread_slots->used = h->nslots;
	at += sizeof thread_slots->child;
	for (u32 i = 0; i < h->nplaces; i++, at += sizeof(struct file_place)) {
		struct file_place f;

		memcpy(&f, at, sizeof f);
		if (f.size)
			execute_know(f.addr, f.size, f.atomic && !f.promoted);
		if (f.promoted)
			execute_promote(place_intern(places, f.addr, f.size, f.init));
	}
}

bool checkpoint_read(const char *path, struct places *places, struct checkpoint_totals *totals)
{
	const struct file_head *h;

	from.n = 0;
	if (!map_file(path))
		return false;
	h = (const struct file_head *)from.file;
	if (!fits(path, h))
		return false;
	learn(h, places);
	*totals = h->totals;
	return true;
}

u32 checkpoint_images(void)
{
	return from.n;
}

const void *checkpoint_image(u32 i, size_t *size)
{
	*size = from.image_size[i];
	return from.image[i];
}
