/* SPDX-License-Identifier: ISC */
/*
 * explain.c - a report in plain sentences, for readers who do not know the relations of memory
 * models: the failure, step by step, its cause, and its prevention.
 */
#include "report/explain.h"

#include <string.h>

#include "die.h"
#include "path.h"
#include "report/paragraph.h"

#define STEPS_ALL 40 /* of an execution of so many steps all are listed, else those that
			decide */

/* --- lines ----------------------------------------------------------------------------------- */

struct explain {
	const struct report *r;
	FILE *out;
	unsigned width;
};

/* A text, wrapped; `first' before its first line, as many blanks before the others. */
static void put_wrapped(const struct explain *x, const char *first, const char *text)
{
	unsigned indent = (unsigned)strlen(first), column = indent;
	bool begun = false;

	fputs(first, x->out);
	while (*text) {
		size_t n = strcspn(text, " ");

		if (begun && column + 1 + n > x->width) {
			fprintf(x->out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (begun) {
			fputc(' ', x->out);
			column++;
		}
		fprintf(x->out, "%.*s", (int)n, text);
		column += (unsigned)n;
		begun = true;
		text += n;
		text += strspn(text, " ");
	}
	fputc('\n', x->out);
}

static void put_heading(const struct explain *x, const char *title)
{
	fprintf(x->out, "\n%s\n\n", title);
}

/* --- a step ---------------------------------------------------------------------------------- */

static const char *explained_value(const struct report *r, const struct row *row, const u64 *value)
{
	return name_of_value(r, &row->leaf, value, row->ev->e.size);
}

/* Is it the memory of a lock or the like, which calls have changed? */
static bool is_of_object(const struct report *r, u64 addr)
{
	for (u32 i = 0; i < r->t->nevents; i++)
		if (r->t->events[i].e.addr == addr && event_is_sync(&r->t->events[i].e))
			return true;
	return false;
}

/* ", the value that T2 has written in step 8" */
static const char *source_words(const struct report *r, const struct event *e)
{
	const struct row *w = e->from ? &r->rows[e->from - 1] : NULL;

	if (!w && is_of_object(r, e->addr))
		return "";

	if (e->flags & EVENT_FORWARDED)
		return ", its own write, which the other threads do not see yet";
	if (!w)
		return ", the value from the beginning";
	if (w->ev->e.thread == e->thread)
		return ", which it has written itself";
	return xprintf(", which %s has written", thread_label(r, w->ev->e.thread));
}

/* ", although T2 has already written 1 there" */
static const char *missed_words(const struct report *r, const struct event *e)
{
	const struct row *w = e->missed ? &r->rows[e->missed - 1] : NULL;

	if (!w)
		return "";
	return xprintf(". %s has already written %s there, but this thread does not see it yet",
		thread_label(r, w->ev->e.thread), explained_value(r, w, w->ev->e.value));
}

/* An access in words, without its thread; NULL: it is none. */
static const char *access_words(const struct report *r, const struct row *row)
{
	const struct event *e = &row->ev->e;
	const char *place = row->place, *value = explained_value(r, row, e->value);
	bool buffered = e->flags & EVENT_BUFFERED && row->commit != e->step + 1;

	if (descriptor_verb(row))
		return NULL;
	switch (e->kind) {
	case EV_READ:
		return xprintf("reads %s: it is %s%s%s", place, value, source_words(r, e),
			missed_words(r, e));
	case EV_WRITE:
		return xprintf("writes %s to %s%s", value, place,
			buffered ? ". The write waits in a buffer of the processor: other threads "
				   "do not see it yet"
				 : "");
	case EV_COMMIT:
		return xprintf("'s write of %s to %s leaves the buffer: now all threads see it",
			value, place);
	case EV_RMW:
		return xprintf("changes %s from %s to %s in one step", place,
			explained_value(r, row, e->old), value);
	case EV_CAS:
		return xprintf("finds %s in %s, as expected, and changes it to %s in one step",
			explained_value(r, row, e->old), place, value);
	case EV_CAS_FAIL:
		if (e->flags & EVENT_RARE)
			return xprintf("finds %s in %s, as expected, and yet fails, as a weak "
				       "compare-and-exchange may on some processors",
				value, place);
		return xprintf("finds %s in %s, not the expected value, and leaves it",
			value, place);
	}
	return NULL;
}

/* The text after a word of the report: "node#1" of "free node#1"; NULL: it begins otherwise. */
static const char *after_word(const struct row *row, const char *word)
{
	size_t n = strlen(word);

	return !strncmp(row->what, word, n) ? row->what + n : NULL;
}

/* The other kinds that have better words than those of the report. */
static const char *operation_in_words(const struct row *row)
{
	const struct event *e = &row->ev->e;
	const char *rest;

	switch (e->kind) {
	case EV_LOCK:
		return e->value[0] ? NULL : xprintf("takes the lock %s", row->place);
	case EV_UNLOCK: return xprintf("gives back the lock %s", row->place);
	case EV_COND_WAIT: return xprintf("begins to wait for the condition %s", row->place);
	case EV_COND_WAKE: return xprintf("wakes up: the condition %s was signalled", row->place);
	case EV_FAIL: return row->what;
	case EV_FREE:
		rest = after_word(row, "free ");
		return rest ? xprintf("frees %s", rest) : NULL;
	case EV_MALLOC:
		rest = after_word(row, "allocate ");
		return rest ? xprintf("allocates %s", rest) : NULL;
	case EV_OP_BEGIN:
		rest = after_word(row, "begin ");
		return rest ? xprintf("calls %s", rest) : NULL;
	case EV_OP_END:
		rest = after_word(row, "end ");
		return rest ? xprintf("returns from %s", rest) : NULL;
	}
	return NULL;
}

/* The words of the report, which begin with a verb in the imperative, after a subject: "opens log"
 * of "open log". NULL: they do not. */
static const char *third_person(const char *what)
{
	static const char *const others[] = {
		"once", "fence", "full", "futex", "compare-and-exchange"};
	size_t n = strcspn(what, " :");
	const char *ending = "s";

	for (unsigned i = 0; i < array_size(others); i++)
		if (strlen(others[i]) == n && !strncmp(what, others[i], n))
			return NULL;
	if (memchr(what, '_', n)) /* the name of a function */
		return xprintf("calls %s", what);
	if (n < 2 || what[n - 1] == 's' || !strncmp(what, "is ", 3))
		return what;
	if (what[n - 1] == 'h')
		ending = "es";
	if (!strncmp(what, "try ", 4))
		return xprintf("tries%s", what + 3);
	return xprintf("%.*s%s%s", (int)n, what, ending, what + n);
}

static void explain_step(struct explain *x, u32 i)
{
	const struct report *r = x->r;
	const struct row *row = &r->rows[i];
	const char *thread = thread_label(r, row->ev->e.thread), *words = access_words(r, row);
	const char *place = row->at ? row_place(r, row) : "";
	bool commit = row->ev->e.kind == EV_COMMIT;

	if (!words)
		words = operation_in_words(row);
	if (row->ev->e.kind == EV_CREATE)
		words = xprintf("starts a thread, %s", thread_title(r, (u32)row->ev->e.old[0]));
	if (!words)
		words = third_person(row->what);
	if (!words)
		words = xprintf("executes this: %s", row->what);
	place = *place ? xprintf(" (%s)", place) : "";
	put_wrapped(x, xprintf("%5u. ", i + 1),
		xprintf("%s%s%s%s.", thread, commit ? "" : " ", words, place));
}

/* --- which steps ----------------------------------------------------------------------------- */

static bool is_plumbing(const struct event *e)
{
	return e->kind == EV_START || e->kind == EV_EXIT || e->kind == EV_JOIN ||
	       e->kind == EV_DRAIN || e->kind == EV_YIELD || e->kind == EV_FRAME_END;
}

/* Does a step that decides read from this write, or miss it? */
static bool is_source(const struct report *r, u32 step)
{
	for (u32 i = 0; i < r->t->nevents; i++) {
		const struct event *e = &r->rows[i].ev->e;

		if (r->rows[i].key && (e->from == step || e->missed == step || e->store == step))
			return true;
	}
	return false;
}

static bool is_listed_step(const struct report *r, u32 i, bool all)
{
	const struct row *row = &r->rows[i];
	const struct event *e = &row->ev->e;

	if (row->prompt || is_plumbing(e))
		return false;
	if (e->kind == EV_COMMIT && e->store)
		return row->shown && (all || r->rows[e->store - 1].key);
	return all ? row->shown : row->key || is_source(r, i + 1) || i + 1 == r->t->finding.f.other;
}

static void put_steps(struct explain *x)
{
	const struct report *r = x->r;
	u32 listed = 0;

	put_heading(x, "What happened");
	for (u32 i = 0; i < r->t->nevents; i++)
		listed += is_listed_step(r, i, true);
	for (u32 i = 0; i < r->t->nevents; i++)
		if (is_listed_step(r, i, listed <= STEPS_ALL))
			explain_step(x, i);
	for (u32 i = 0; i < r->t->nwaits; i++) {
		const struct trace_wait *w = &r->t->waits[i];
		char *why = wait_why(r, w);

		put_wrapped(x, "       ",
			xprintf("%s%s %s%s%s.", thread_label(r, w->thread),
				waits_are_final(r) ? " now" : "", wait_words(r, w),
				why ? "; " : "", why ? why : ""));
	}
}

/* --- why ------------------------------------------------------------------------------------- */

/* Why no thread goes on: the first thread that waits to be woken decides. */
static const char *deadlock_background(const struct report *r)
{
	for (u32 i = 0; i < r->t->nwaits; i++) {
		u32 kind = r->t->waits[i].kind;

		if (kind == EV_COND_WAIT || kind == EV_COND_WAKE || kind == EV_FUTEX_WAIT)
			return "A thread waits to be woken, and no thread is left that would do "
			       "it. A wake-up is not kept for later: one that comes before the "
			       "wait is lost. So a thread tests what it waits for, and begins to "
			       "wait, in one step that the other's change cannot come between: "
			       "both hold the same lock (a futex compares the value itself).";
		if (kind == EV_SEM_WAIT)
			return "A thread waits for a semaphore that no thread is left to post.";
	}
	return "Each of these threads waits for something that only another thread could do, and "
	       "that one waits, too, or has ended. An unlucky order in which the threads ran is "
	       "enough.";
}

/* The cause of such a finding, in any program. */
static const char *background(const struct report *r)
{
	switch (r->t->finding.f.kind) {
	case FINDING_RACE:
		return "Two threads use the same memory, at least one of them writes, and nothing "
		       "makes one wait for the other. The C standard gives such a program no "
		       "meaning: the compiler may assume that it does not happen. Use a lock, or "
		       "make the variable atomic with orders that synchronise.";
	case FINDING_HEAP:
		return "Memory is used by one thread and freed by another, or twice, and nothing "
		       "makes one wait for the other.";
	case FINDING_DEADLOCK:
		if (r->t->finding.reorder == REORDER_YES)
			break;
		return deadlock_background(r);
	case FINDING_LIVELOCK:
		return "The threads run, but what they wait for never comes.";
	case FINDING_STARVATION:
		return "The threads run, but as long as they take turns in this way, what they "
		       "wait for does not come. Other schedules let them go on.";
	case FINDING_LINEARIZABILITY:
		return "Each operation should take effect at one moment between its call and its "
		       "return. There is no order of such moments that explains these results.";
	default: break;
	}
	if (r->t->finding.reorder == REORDER_NO)
		return "Nothing unusual is needed: an unlucky order in which the threads ran is "
		       "enough, and it can happen on every machine.";
	if (r->t->finding.reorder != REORDER_YES)
		return NULL;
	if (report_has_orders(r))
		return "If the threads took turns, step by step, this could not happen. But "
		       "compilers and processors may let a thread see what others have written "
		       "late, or in another order, unless the program asks for an order (release "
		       "and acquire, seq_cst, fences, locks).";
	return "If the threads took turns, step by step, this could not happen. But a processor "
	       "may keep a write in a buffer and go on with later reads: for a moment the thread "
	       "sees its own write, and the others do not.";
}

/* As a sentence, unless it begins with the name of a thread. */
static void put_cause(struct explain *x, const char *text)
{
	char *s = xprintf("%s.", text);

	if (!strncmp(s, "no ", 3) || !strncmp(s, "both ", 5))
		s[0] = (char)(s[0] - 'a' + 'A');
	put_wrapped(x, "  ", s);
}

static void put_causes(struct explain *x)
{
	const struct report *r = x->r;
	const char *general = background(r);

	put_heading(x, "Why it could happen");
	for (unsigned i = 0; i < r->nreorderings; i++)
		put_wrapped(x, "  ", xprintf("%s.", r->reorderings[i].text));
	for (unsigned i = 0; i < r->nsyncs; i++)
		put_wrapped(x, "  ", xprintf("%s.", r->syncs[i].text));
	if (r->has_race && *r->race_why)
		put_cause(x, r->race_why);
	for (unsigned i = 0; i < r->ntimings; i++)
		put_wrapped(x, "  ", xprintf("%s.", r->timings[i].text));
	if (general)
		put_wrapped(x, "  ", general);
}

static void put_prevention(struct explain *x)
{
	struct paragraph *list;
	unsigned n = report_paragraph_list(x->r, 1000, &list);
	bool within = false, begun = false;

	for (unsigned i = 0; i < n; i++) {
		within = *list[i].word ? !strcmp(list[i].word, "repair") : within;
		if (!within)
			continue;
		if (!begun)
			put_heading(x, "What would prevent it");
		begun = true;
		put_wrapped(x, "  ", list[i].text);
	}
}

void report_explain(const struct report *r, unsigned width, FILE *out)
{
	struct explain x = {.r = r, .out = out, .width = width < 100 ? width : 100};

	put_wrapped(&x, "", xprintf("%s: %s%s", r->message,
		r->file ? xprintf("%s, ", r->place) : "",
		xprintf("under the memory model %s.", report_model(r))));
	put_steps(&x);
	put_causes(&x);
	put_prevention(&x);
}
