/* SPDX-License-Identifier: ISC */
/* clean.c - see clean.h. */
#include "report/clean.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

/* The character at s and its length; 0: these bytes are not UTF-8 (RFC 3629). */
static unsigned character(const char *s, size_t n, u32 *code)
{
	static const u32 least[] = {0, 0, 0x80, 0x800, 0x10000};
	u8 first = (u8)*s;
	unsigned length = first < 0x80	 ? 1
			  : first < 0xc0 ? 0
			  : first < 0xe0 ? 2
			  : first < 0xf0 ? 3
			  : first < 0xf8 ? 4
					 : 0;

	if (!length || length > n)
		return 0;
	*code = length == 1 ? first : first & (0x7fu >> length);
	for (unsigned i = 1; i < length; i++) {
		if (((u8)s[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | ((u8)s[i] & 0x3f);
	}
	return *code < least[length] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000)
		       ? 0
		       : length;
}

/* The length of the printable character at s; 0: none. */
static unsigned shown(const char *s, size_t n)
{
	u32 c = 0;
	unsigned length = character(s, n, &c);
	bool control = c < ' ' || (c >= 0x7f && c < 0xa0);
	bool direction = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
			 c == 0x2028 || c == 0x2029;

	return length && !control && !direction ? length : 0;
}

static bool is_plain(const char *s, size_t n)
{
	unsigned length;

	for (size_t i = 0; i < n; i += length) {
		length = s[i] == '\t' ? 1 : shown(s + i, n - i);
		if (!length)
			return false;
	}
	return true;
}

void clean_put(const char *s, size_t n, FILE *out)
{
	for (size_t i = 0, length; i < n; i += length ? length : 1) {
		length = s[i] == '\t' ? 1 : shown(s + i, n - i);
		if (length)
			fwrite(s + i, 1, length, out);
		else
			fprintf(out, "\\x%02x", (u8)s[i]);
	}
}

const char *clean_text(const char *s)
{
	size_t n = s ? strlen(s) : 0, size;
	char *text;
	FILE *to;

	if (is_plain(s, n))
		return s;
	to = open_memstream(&text, &size);
	if (!to)
		die("not enough memory");
	clean_put(s, n, to);
	fclose(to);
	return text;
}

/* The length of one of our own colours at s. */
static size_t color_length(const char *s, size_t n)
{
	static const char *const colors[] = {"\033[0m", "\033[1m", "\033[2m", "\033[1;31m"};

	for (size_t i = 0; i < array_size(colors); i++)
		if (strlen(colors[i]) <= n && !strncmp(s, colors[i], strlen(colors[i])))
			return strlen(colors[i]);
	return 0;
}

void clean_page(const char *s, size_t n, bool color, FILE *out)
{
	size_t from = 0, i = 0;

	while (i < n) {
		size_t length = s[i] == '\n' || s[i] == '\t' ? 1 : shown(s + i, n - i);

		if (!length && color)
			length = color_length(s + i, n - i);
		if (length) {
			i += length;
			continue;
		}
		fwrite(s + from, 1, i - from, out);
		clean_put(s + i, 1, out);
		from = ++i;
	}
	fwrite(s + from, 1, n - from, out);
}

/* --- documents ------------------------------------------------------------------------------- */

/* A copy in which bytes that are no character, or one that is not wanted, are replaced. */
static char *copy_characters(const char *s, size_t n, bool (*wanted)(u32 c))
{
	char *text = xmalloc(3 * n + 1), *to = text;
	u32 c = 0;

	for (size_t i = 0; i < n;) {
		unsigned length = character(s + i, n - i, &c);

		if (length && wanted(c))
			to = mempcpy(to, s + i, length);
		else
			to = stpcpy(to, replacement);
		i += length ? length : 1;
	}
	return text;
}

static bool is_text(u32 c)
{
	return c;
}

char *clean_utf8(const char *s, size_t n)
{
	return copy_characters(s, n, is_text);
}

static bool is_xml(u32 c)
{
	bool control = c < ' ' && c != '\t' && c != '\n' && c != '\r';

	return !control && c != 0x7f && c != 0xfffe && c != 0xffff;
}

char *clean_xml(const char *s)
{
	return copy_characters(s, strlen(s), is_xml);
}
