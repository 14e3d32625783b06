/* SPDX-License-Identifier: ISC */
/* js.c - see js.h. */
#include "document/js.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "report/clean.h"

json_t *js_text_n(const char *s, size_t n)
{
	json_t *json = s ? json_stringn(s, n) : json_null();
	char *clean;

	if (json)
		return json;
	clean = clean_utf8(s, n);
	json = json_string(clean);
	free(clean);
	return json;
}

json_t *js_text(const char *s)
{
	return js_text_n(s, s ? strlen(s) : 0);
}

json_t *js_or_null(const char *s)
{
	return s && *s ? js_text(s) : json_null();
}

json_t *js_number_or_null(u64 n)
{
	return n ? json_integer((json_int_t)n) : json_null();
}

json_t *js_hex(const u64 *value)
{
	if (value[1])
		return js_text(xprintf("0x%llx%016llx", (unsigned long long)value[1],
			(unsigned long long)value[0]));
	return js_text(xprintf("0x%llx", (unsigned long long)value[0]));
}

json_t *js_hex_one(u64 value)
{
	return js_text(xprintf("0x%llx", (unsigned long long)value));
}

void js_put(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) != 0)
		die("not enough memory");
}

void js_add(json_t *array, json_t *value)
{
	if (json_array_append_new(array, value) != 0)
		die("not enough memory");
}

void js_put_text(json_t *object, const char *key, const char *s)
{
	if (s)
		js_put(object, key, js_text(s));
}

void js_put_number(json_t *object, const char *key, u64 n)
{
	js_put(object, key, json_integer((json_int_t)n));
}

json_t *js_list(const struct report *r, u32 n, json_t *(*item)(const struct report *r, u32 i))
{
	json_t *array = json_array();

	for (u32 i = 0; i < n; i++) {
		json_t *o = item(r, i);

		if (o)
			js_add(array, o);
	}
	return array;
}

void js_write(json_t *whole, FILE *out)
{
	if (json_dumpf(whole, out, JSON_INDENT(2)) != 0 || fputc('\n', out) == EOF ||
		fflush(out) != 0)
		die("the JSON could not be written");
	json_decref(whole);
}
