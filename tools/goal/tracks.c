/* SPDX-License-Identifier: ISC */
/* tracks.c - see tracks.h: the events of a record that a program's code can make. */
#include "goal/tracks_priv.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "die.h"
#include "goal/goal.h"
#include "path.h"

/* --- lines ----------------------------------------------------------------------------------- */

u32 recorded_line_number(const struct recorded *r, const char *file, int number)
{
	if (file)
		for (u32 i = 1; i < r->nlines; i++)
			if (r->line[i].number == number &&
				!strcmp(r->line[i].file, path_base(file)))
				return i;
	return 0;
}

static const struct frame *frame_of_step(const struct recorded *r, const struct flight_step *s)
{
	const struct frames *f = flight_place(r->flight, s);

	return f->n && f->at[0].file && f->at[0].line ? &f->at[0] : NULL;
}

static void list_lines(struct recorded *r)
{
	r->line = xmalloc((r->flight->nsteps + 1) * sizeof(*r->line));
	r->nlines = 1;
	for (u32 i = 0; i < r->flight->nsteps; i++) {
		const struct frame *at = frame_of_step(r, &r->flight->step[i]);

		if (at && !recorded_line_number(r, at->file, at->line))
			r->line[r->nlines++] = (struct recorded_line){.file = path_base(at->file),
				.number = at->line,
				.function = at->function};
	}
}

/* Is a function that begins at this line the last one before the recorded line, so far? If none is,
 * any will do: the program has the file. */
static bool is_nearer(const struct recorded_line *l, int begins)
{
	return !l->is_in || (begins <= l->number && (begins > l->begins || l->begins > l->number));
}

static int place_lines(Dwarf_Die *function, void *to)
{
	struct recorded *r = to;
	const char *file = file_of_function(function), *name = dwarf_diename(function);
	int begins;

	if (!file || !name || dwarf_decl_line(function, &begins) != 0)
		return DWARF_CB_OK;
	for (u32 i = 1; i < r->nlines; i++) {
		struct recorded_line *l = &r->line[i];

		if (strcmp(l->file, path_base(file)) != 0 || !is_nearer(l, begins))
			continue;
		l->is_in = xstrdup(name);
		l->begins = begins;
	}
	return DWARF_CB_OK;
}

/* Is the line in the same function of the program as it was in the recorded one? */
static bool is_same_line(const struct recorded_line *l)
{
	return l->is_in && l->function && !strcmp(l->is_in, l->function);
}

/* --- code ------------------------------------------------------------------------------------ */

struct site_list {
	struct track_site *at;
	u32 n;
};

static void add_sites_of_unit(const struct recorded *r, Dwarf_Die *cu, struct site_list *to)
{
	Dwarf_Lines *lines;
	size_t n;

	if (dwarf_getsrclines(cu, &lines, &n) != 0)
		return;
	to->at = xgrow(to->at, (to->n + n) * sizeof(*to->at));
	for (size_t i = 0; i + 1 < n; i++) {
		Dwarf_Line *l = dwarf_onesrcline(lines, i);
		struct track_site s = {0, 0, 0};
		int number = 0;
		bool end = false;

		dwarf_lineendsequence(l, &end);
		if (end || dwarf_lineno(l, &number) != 0 || dwarf_lineaddr(l, &s.from) != 0 ||
			dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &s.to) != 0)
			continue;
		s.line = recorded_line_number(r, dwarf_linesrc(l, NULL, NULL), number);
		if (s.line && s.from < s.to)
			to->at[to->n++] = s;
	}
}

static int by_address(const void *a, const void *b)
{
	const struct track_site *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

static struct site_list list_sites(struct recorded *r, const char *program)
{
	struct site_list list = {NULL, 0};
	int fd = path_open(program);
	Dwarf *dwarf = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	Dwarf_CU *unit = NULL;
	Dwarf_Die root;
	u8 type;

	while (dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, &type, &root, NULL) == 0)
		if (type == DW_UT_compile || type == DW_UT_skeleton) {
			dwarf_getfuncs(&root, place_lines, r, 0);
			add_sites_of_unit(r, &root, &list);
		}
	dwarf_end(dwarf);
	if (fd >= 0)
		close(fd);
	if (list.n)
		qsort(list.at, list.n, sizeof(*list.at), by_address);
	return list;
}

/* --- the table ------------------------------------------------------------------------------- */

static void make_tracks(struct recorded *r, const struct site_list *sites, struct options *o)
{
	size_t size = sizeof(struct tracks) + sites->n * sizeof(struct track_site);
	int fd = memfd_create("heddle-tracks", 0); /* inherited: no close-on-exec */

	if (fd < 0 || ftruncate(fd, (off_t)size) != 0)
		die("cannot make a memory file: %s", strerror(errno));
	r->table = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (r->table == MAP_FAILED)
		die("cannot map a memory file: %s", strerror(errno));
	r->table->nsites = sites->n;
	memcpy(r->table->site, sites->at, sites->n * sizeof(*sites->at));
	o->track_fd = (u64)fd;
}

enum track_kind recorded_kind(enum flight_kind kind)
{
	switch (kind) {
	case FLIGHT_LOAD: return TRACK_LOAD;
	case FLIGHT_STORE: return TRACK_STORE;
	case FLIGHT_RMW: return TRACK_RMW;
	case FLIGHT_CAS: return TRACK_CAS;
	case FLIGHT_FENCE: return TRACK_FENCE;
	default: return TRACK_CALL;
	}
}

static bool has_code(const struct recorded *r, u32 line)
{
	for (u32 i = 0; line && is_same_line(&r->line[line]) && i < r->table->nsites; i++)
		if (r->table->site[i].line == line)
			return true;
	return false;
}

/* A line on the events that the program has no code for, although it has their files. */
static const char *count_lost(const struct recorded *r)
{
	const struct recorded_line *first = NULL;
	u32 n = 0, all = 0;

	for (u32 i = 0; i < r->flight->nsteps; i++) {
		const struct frame *at = frame_of_step(r, &r->flight->step[i]);
		u32 line = at ? recorded_line_number(r, at->file, at->line) : 0;

		if (!line || !r->line[line].is_in)
			continue;
		all++;
		if (has_code(r, line))
			continue;
		n++;
		first = first ? first : &r->line[line];
	}
	return n ? xprintf("%u of %u recorded events are at places that the test does not have, as "
			   "%s (%s:%d): is it another version of the source?",
			   n, all, first->function ? first->function : "?", first->file,
			   first->number)
		 : NULL;
}

static void add_event(struct recorded *r, u32 track, u32 step, u32 line)
{
	const struct flight_step *s = &r->flight->step[step];
	struct track *t = &r->table->track[track];
	enum track_kind kind = recorded_kind(s->kind);

	r->step[track][t->n] = step;
	t->event[t->n++] = (struct track_event){
		.place = line * TRACK_KINDS + (u32)kind,
		.value = s->value,
		.reads = kind == TRACK_LOAD || kind == TRACK_RMW || kind == TRACK_CAS,
		.pending = flight_waits(s)};
}

static void add_track(struct recorded *r, u32 thread)
{
	const struct flight *f = r->flight;
	const struct flight_thread *from = &f->thread[thread];
	u32 track = r->table->n, first = from->n > TRACK_EVENTS ? from->n - TRACK_EVENTS : 0;

	for (u32 i = first; i < from->n; i++) {
		const struct frame *at = frame_of_step(r, &f->step[from->first + i]);
		u32 line = at ? recorded_line_number(r, at->file, at->line) : 0;

		if (has_code(r, line) && !flight_ends(&f->step[from->first + i]))
			add_event(r, track, from->first + i, line);
	}
	if (!r->table->track[track].n)
		return;
	r->table->track[track].main = !strcmp(from->name, "main");
	r->table->track[track].partial = first || from->events > from->n;
	r->thread[track] = thread;
	r->table->n++;
}

struct recorded *recorded_open(const struct flight *f, const char *program, struct options *o,
	const char **lost)
{
	struct recorded *r = xmalloc(sizeof(*r));
	struct site_list sites;
	bool *done = xmalloc(f->nthreads * sizeof(*done) + 1);

	r->flight = f;
	list_lines(r);
	sites = list_sites(r, program);
	make_tracks(r, &sites, o);
	*lost = count_lost(r);
	memset(done, 0, f->nthreads);
	for (u32 i = 0; i < f->nthreads; i++)
		if (!strcmp(f->thread[i].name, "main")) {
			add_track(r, i);
			done[i] = true;
		}
	for (u32 i = f->nsteps; i-- > 0 && r->table->n < TRACKS;) { /* the last ones */
		u32 thread = f->step[f->order[i]].thread;

		if (!done[thread])
			add_track(r, thread);
		done[thread] = true;
	}
	recorded_order(r);
	if (!r->table->n)
		o->track_fd = 0;
	return r->table->n ? r : NULL;
}
