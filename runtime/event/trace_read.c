/* SPDX-License-Identifier: ISC */
/*
 * trace_read.c - read a replay file, as untrusted input.
 *
 * Three walks over the lines: count the records of each kind, so that every array is allocated
 * once; fill them in; check all references. A mistake is reported at its position. Text that fails
 * only the checksum is reported at its last line.
 */
#include "event/trace_reader.h"

#include <string.h> /* memcpy, memcmp, memset */

#include "base/text.h"
#include "heddle/trace.h"

/* --- mistakes -------------------------------------------------------------------------------- */

static struct text fail_begin(struct trace_reader *r, const char *at)
{
	r->err->line = r->number ? r->number : 1;
	r->err->column = (u32)(at - r->line) + 1;
	return text_begin(r->err->message, sizeof(r->err->message));
}

bool reader_fail(struct trace_reader *r, const char *at, const char *message)
{
	struct text t = fail_begin(r, at);

	text_put(&t, message);
	return false;
}

bool reader_fail_word(struct trace_reader *r, const char *message, const char *at, size_t n)
{
	struct text t = fail_begin(r, at);

	text_put(&t, message);
	text_put(&t, " `");
	for (size_t i = 0; i < n && i < 40; i++)
		text_char(&t, at[i] > 0x20 && at[i] < 0x7f ? at[i] : '?');
	text_put(&t, n > 40 ? "...'" : "'");
	return false;
}

/* "<message> `key'", about the current line as a whole. */
static bool fail_key(struct trace_reader *r, const char *message, const char *key)
{
	struct text t = fail_begin(r, r->line);

	text_put(&t, message);
	text_put(&t, " `");
	text_put(&t, key);
	text_put(&t, "'");
	return false;
}

/* --- lines ----------------------------------------------------------------------------------- */

static void line_first(struct trace_reader *r)
{
	r->line = r->stop = r->bytes;
	r->number = 0;
	memset(r->seen, 0, sizeof(r->seen));
}

/* Move to the next line; false at the end of the file. */
static bool line_next(struct trace_reader *r)
{
	const char *at = r->number ? r->stop + 1 : r->bytes;

	if (at >= r->end)
		return false;
	r->line = r->stop = at;
	while (r->stop < r->end && *r->stop != '\n')
		r->stop++;
	r->number++;
	return true;
}

static size_t word_length(const char *at, const char *stop)
{
	size_t n = 0;

	while (at + n < stop && at[n] != ' ')
		n++;
	return n;
}

/* The kind of the current line, RECORDS if its keyword is unknown. */
static enum record_kind line_kind(const struct trace_reader *r)
{
	size_t n = word_length(r->line, r->stop);
	u32 k;

	for (k = 0; k < RECORDS; k++)
		if (text_equal_n(trace_records[k].keyword, r->line, n))
			break;
	return (enum record_kind)k;
}

/* The key=value at *at, *at moved behind it and one space. */
static bool pair_next(struct trace_reader *r, const char **at, struct trace_pair *p)
{
	size_t n = word_length(*at, r->stop), k = 0;

	while (k < n && (*at)[k] != '=')
		k++;
	if (k == 0 || k == n || k + 1 == n)
		return reader_fail_word(r, "not key=value:", *at, n);
	*p = (struct trace_pair){*at, *at + k + 1, k, n - k - 1};
	*at += n;
	if (*at < r->stop)
		++*at;
	return true;
}

/* --- records --------------------------------------------------------------------------------- */

static void set_empty_strings(const struct trace_record *rec, char *item)
{
	static const char *const empty = "";

	for (unsigned i = 0; i < rec->nfields; i++)
		if (rec->fields[i].type == FIELD_TEXT || rec->fields[i].type == FIELD_BYTES)
			memcpy(item + rec->fields[i].offset, &empty, sizeof(empty));
}

/* Read the current line into item. */
static bool read_record(struct trace_reader *r, const struct trace_record *rec, char *item)
{
	const char *at = r->line + text_length(rec->keyword);
	u32 given = 0;

	memset(item, 0, rec->size);
	set_empty_strings(rec, item);
	for (at += at < r->stop; at < r->stop;) {
		struct trace_pair p = {NULL, NULL, 0, 0};
		unsigned i;

		if (!pair_next(r, &at, &p))
			return false;
		for (i = 0; i < rec->nfields; i++)
			if (text_equal_n(rec->fields[i].key, p.key, p.nkey))
				break;
		if (i == rec->nfields)
			continue;
		if (given >> i & 1)
			return reader_fail_word(r, "given twice:", p.key, p.nkey);
		given |= 1u << i;
		if (!reader_set_field(r, &rec->fields[i], &p, item))
			return false;
	}
	for (unsigned i = 0; i < rec->nfields; i++)
		if (rec->fields[i].needed && !(given >> i & 1))
			return fail_key(r, "missing key", rec->fields[i].key);
	return true;
}

/* Ids increase; those that count steps have no gaps. */
static bool check_id(
	struct trace_reader *r, const struct trace_record *rec, const char *item, u32 index)
{
	u32 id, before = 0;

	memcpy(&id, item, sizeof(id));
	if (index)
		memcpy(&before, item - rec->size, sizeof(before));
	if (index ? id <= before : id < rec->first_id)
		return reader_fail(r, r->line, "ids of a kind should grow");
	if (rec->gapless && id != index + 1)
		return reader_fail(r, r->line, "steps should count 1, 2, 3, ...");
	return true;
}

static char *record_at(const struct trace_reader *r, const struct trace_record *rec, u32 index)
{
	char *base = (char *)r->t + rec->at, *array;

	if (!rec->count)
		return base;
	memcpy(&array, base, sizeof(array));
	return array + (size_t)index * rec->size;
}

static bool read_record_line(struct trace_reader *r, enum record_kind kind)
{
	const struct trace_record *rec = &trace_records[kind];
	u32 index = r->seen[kind]++;
	char *item = record_at(r, rec, index);

	if (!read_record(r, rec, item))
		return false;
	if (rec->has_id && !check_id(r, rec, item, index))
		return false;
	if (rec->count)
		memcpy((char *)r->t + rec->count, &r->seen[kind], sizeof(u32));
	return true;
}

/* --- the first and the last line ------------------------------------------------------------- */

static bool read_head(struct trace_reader *r)
{
	struct trace_head head;

	line_first(r);
	if (!line_next(r) || line_kind(r) != RECORD_HEAD)
		return reader_fail(r, r->line, "not a replay file of heddle");
	if (!read_record(r, &trace_records[RECORD_HEAD], (char *)&head))
		return false;
	r->t->tool = head.tool;
	if (head.version < 1 || head.version > HEDDLE_TRACE_VERSION) {
		struct text t = fail_begin(r, r->line);

		text_put(&t, "format version ");
		text_number(&t, head.version);
		text_put(&t, ", but this heddle reads versions up to ");
		text_number(&t, HEDDLE_TRACE_VERSION);
		return false;
	}
	return true;
}

/* Checked first: in a truncated file, the last record would be reported as malformed. */
static bool check_complete(struct trace_reader *r)
{
	const char *last = r->end;

	line_first(r);
	while (line_next(r))
		last = r->line;
	r->line = last;
	if (r->stop == r->end || line_kind(r) != RECORD_END)
		return reader_fail(
			r, r->stop, "the file is cut off here: its last record, `end', is missing");
	return true;
}

/* The checks that need the last line, which is the current one. */
static bool check_tail(struct trace_reader *r)
{
	struct trace_tail tail;

	if (!read_record(r, &trace_records[RECORD_END], (char *)&tail))
		return false;
	if (tail.records != r->number - 1)
		return reader_fail(
			r, r->line, "lines were added or removed since heddle wrote this file");
	if (tail.crc != trace_crc(0, r->bytes, (size_t)(r->line - r->bytes)))
		return reader_fail(r, r->line, "wrong checksum: changed since heddle wrote it");
	return true;
}

/* --- the three walks ------------------------------------------------------------------------- */

static bool allocate_array(struct trace_reader *r, void **to, size_t n, size_t size)
{
	*to = r->memory->alloc(r->memory->ctx, n * size + 16);
	if (!*to)
		reader_fail(r, r->line, "not enough memory to read it");
	return *to;
}

static bool count_lines(struct trace_reader *r, size_t *frames)
{
	bool after_end = false;

	*frames = 0;
	line_first(r);
	while (line_next(r)) {
		enum record_kind kind = line_kind(r);

		if (kind == RECORDS)
			return reader_fail_word(
				r, "unknown record", r->line, word_length(r->line, r->stop));
		if (after_end || (kind == RECORD_HEAD) != (r->number == 1))
			return reader_fail(r, r->line, "this record is out of place");
		after_end = kind == RECORD_END;
		r->seen[kind]++;
		if (kind == RECORD_STACK)
			for (const char *s = r->line; s < r->stop; s++)
				*frames += *s == ',' || *s == '=';
	}
	return true;
}

static bool allocate_all(struct trace_reader *r, size_t frames)
{
	void *memory;

	if (!allocate_array(r, &memory, frames, sizeof(u64)))
		return false;
	r->frames = memory;
	for (u32 k = 0; k < RECORDS; k++) {
		const struct trace_record *rec = &trace_records[k];

		if (!rec->count)
			continue;
		if (!allocate_array(r, &memory, r->seen[k], rec->size))
			return false;
		memcpy((char *)r->t + rec->at, &memory, sizeof(memory));
	}
	if (r->seen[RECORD_PROGRAM] != 1)
		return reader_fail(r, r->line, "there should be one `program' record");
	if (r->seen[RECORD_FINDING] != 1)
		return reader_fail(r, r->line, "there should be one `finding' record");
	return true;
}

static bool fill_in(struct trace_reader *r)
{
	line_first(r);
	while (line_next(r)) {
		enum record_kind kind = line_kind(r);

		if (kind != RECORD_HEAD && kind != RECORD_END && !read_record_line(r, kind))
			return false;
	}
	return true;
}

static bool is_record_at(const struct trace *t, unsigned ref, u64 number, u32 step)
{
	if (number > UINT32_MAX)
		return false;
	if (ref == REF_THREAD)
		return trace_thread(t, (u32)number);
	if (!number)
		return true;
	switch (ref) {
	case REF_STACK: return trace_stack(t, (u32)number);
	case REF_BLOCK: return trace_block(t, (u32)number);
	case REF_PLACE: return trace_place(t, (u32)number);
	case REF_EARLIER: return number < step;
	case REF_STEP: return number <= t->nevents;
	}
	return true;
}

static bool check_refs(struct trace_reader *r, const struct trace_record *rec, const char *item)
{
	for (unsigned i = 0; i < rec->nfields; i++) {
		const struct field *f = &rec->fields[i];
		u64 number = 0;
		u32 step;

		if (!f->ref)
			continue;
		memcpy(&number, item + f->offset, f->size);
		memcpy(&step, item, sizeof(step));
		if (is_record_at(r->t, f->ref, number, step) &&
			(number || f->ref != REF_STEP || !f->needed))
			continue;
		return fail_key(r, "refers to no record of this file: the number of", f->key);
	}
	return true;
}

static bool check_line(struct trace_reader *r, enum record_kind kind, char *item)
{
	const struct trace_choice *choice = (const struct trace_choice *)item;
	const struct trace_wait *wait = (const struct trace_wait *)item;
	const struct trace_operation *operation = (const struct trace_operation *)item;
	struct trace_event *event = (struct trace_event *)item;

	if (!check_refs(r, &trace_records[kind], item))
		return false;
	if (kind == RECORD_CHOICE && choice->taken >= choice->n)
		return reader_fail(r, r->line, "takes an option that does not exist");
	if (kind == RECORD_WAIT && wait->holder != -1 &&
		(wait->holder < 0 || !trace_thread(r->t, (u32)wait->holder)))
		return reader_fail(r, r->line, "the holder is not a thread of this file");
	if (kind == RECORD_OPERATION && operation->end && operation->end <= operation->begin)
		return reader_fail(r, r->line, "the operation ends before it begins");
	if (kind == RECORD_EVENT && event->place)
		event->e.addr = trace_place(r->t, event->place)->address;
	return true;
}

static bool check_lines(struct trace_reader *r)
{
	line_first(r);
	if (!trace_thread(r->t, 0))
		return reader_fail(r, r->line, "there should be a `thread' record with id 0");
	while (line_next(r)) {
		enum record_kind kind = line_kind(r);
		u32 index = r->seen[kind]++;

		if (kind == RECORD_HEAD || kind == RECORD_END)
			continue;
		if (!check_line(r, kind, record_at(r, &trace_records[kind], index)))
			return false;
	}
	return true;
}

bool trace_read(struct trace *t, const char *bytes, size_t n, const struct trace_memory *memory,
	struct trace_err *err)
{
	struct trace_reader r = {
		.t = t, .err = err, .memory = memory, .bytes = bytes, .end = bytes + n};
	void *strings;
	size_t frames;

	memset(t, 0, sizeof(*t));
	r.line = r.stop = bytes;
	/* A decoded string and its NUL are no longer than "=value" in the file. */
	if (!allocate_array(&r, &strings, n, 1))
		return false;
	r.strings = strings;
	return read_head(&r) && check_complete(&r) && count_lines(&r, &frames) &&
	       allocate_all(&r, frames) && fill_in(&r) && check_tail(&r) && check_lines(&r);
}
