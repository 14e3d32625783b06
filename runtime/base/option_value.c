/* SPDX-License-Identifier: ISC */
/* option_value.c - the values of options as text: numbers, times, names, lists of detectors. */
#include "base/option_value.h"

#include "base/text.h"

/* --- numbers ---------------------------------------------------------------------------------- */

/* Read digits, and advance *s past them. False: there are none, or too many. */
static bool read_digits(const char **s, u64 *value)
{
	const char *start = *s;

	for (*value = 0; **s >= '0' && **s <= '9'; ++*s)
		if (__builtin_mul_overflow(*value, 10, value) ||
			__builtin_add_overflow(*value, (u64)(**s - '0'), value))
			return false;
	return *s != start;
}

bool value_read_number(const char *s, u64 *value)
{
	u64 unit = 1;

	if (!read_digits(&s, value))
		return false;
	if (*s == 'k' || *s == 'K')
		unit = 1000;
	else if (*s == 'm' || *s == 'M')
		unit = 1000000;
	else if (*s == 'g' || *s == 'G')
		unit = 1000000000;
	return !s[unit != 1] && !__builtin_mul_overflow(*value, unit, value);
}

#define SHARDS_MAX 9999

bool value_read_shard(const char *s, u64 *value)
{
	u64 number, of;

	*value = 0;
	if (text_equal(s, "none"))
		return true;
	if (!read_digits(&s, &number) || *s++ != '/' || !read_digits(&s, &of) || *s)
		return false;
	*value = of << 32 | number;
	return number && number <= of && of <= SHARDS_MAX;
}

void value_show_shard(struct text *t, u64 value)
{
	if (!value) {
		text_put(t, "none");
		return;
	}
	text_number(t, (u32)value);
	text_char(t, '/');
	text_number(t, value >> 32);
}

/* --- times ------------------------------------------------------------------------------------ */

bool value_read_seconds(const char *s, u64 *value)
{
	u64 unit = 1000000;

	*value = 0;
	if (*s != '.' && !read_digits(&s, value))
		return false;
	if (__builtin_mul_overflow(*value, unit, value))
		return false;
	if (*s == '.') {
		if (!(s[1] >= '0' && s[1] <= '9'))
			return false;
		for (s++; *s >= '0' && *s <= '9'; s++) {
			unit /= 10;
			if (__builtin_add_overflow(*value, (u64)(*s - '0') * unit, value))
				return false;
		}
	}
	if (s[0] == 'm' && s[1] == 's' && !s[2]) {
		*value /= 1000;
		return true;
	}
	if (s[0] == 'm' || s[0] == 'h')
		return !s[1] && !__builtin_mul_overflow(*value, s[0] == 'm' ? 60 : 3600, value);
	return !*s || (s[0] == 's' && !s[1]);
}

void value_show_seconds(struct text *t, u64 microseconds)
{
	u64 rest = microseconds % 1000000;

	text_number(t, microseconds / 1000000);
	if (rest)
		text_char(t, '.');
	for (u64 unit = 100000; rest; unit /= 10) {
		text_char(t, (char)('0' + rest / unit));
		rest %= unit;
	}
}

/* --- names ------------------------------------------------------------------------------------ */

bool value_read_flag(const char *s, u64 *value)
{
	static const char *const yes[] = {"on", "yes", "1", "true"};
	static const char *const no[] = {"off", "no", "0", "false"};

	for (size_t i = 0; i < array_size(yes); i++)
		if (text_equal(s, yes[i]) || text_equal(s, no[i])) {
			*value = text_equal(s, yes[i]);
			return true;
		}
	return false;
}

bool value_read_name(const char *s, const char *const *names, size_t n, u64 *value)
{
	for (*value = 0; *value < n; ++*value)
		if (text_equal(s, names[*value]))
			return true;
	return false;
}

/* --- detectors -------------------------------------------------------------------------------- */

static const char *const detect_names[] = {
#define DETECT(name, NAME, standard, words) name,
#include "base/detect.def"
#undef DETECT
};

const char *detect_name(unsigned i)
{
	return i < array_size(detect_names) ? detect_names[i] : NULL;
}

const char *detect_describe(unsigned i, const char **words, bool *on)
{
	static const char *const all[] = {
#define DETECT(name, NAME, standard, words) words,
#include "base/detect.def"
#undef DETECT
	};

	if (i >= array_size(detect_names))
		return NULL;
	*words = all[i];
	*on = DETECT_DEFAULT >> i & 1;
	return detect_names[i];
}

/* Read a detector's name, and advance *s past it; the longest match wins, as some names are
 * prefixes of others. */
static bool read_detector(const char **s, u64 *bits)
{
	size_t longest = 0;

	for (size_t i = 0; i < array_size(detect_names) + 2; i++) {
		const char *name = i < array_size(detect_names) ? detect_names[i]
				   : i == array_size(detect_names) ? "all" : "none";
		size_t n = text_length(name), same = 0;

		while (same < n && (*s)[same] == name[same])
			same++;
		if (same < n || n <= longest)
			continue;
		longest = n;
		*bits = *name == 'a' ? DETECT_ALL : i < array_size(detect_names) ? 1ull << i : 0;
	}
	*s += longest;
	return longest;
}

bool value_read_detectors(const char *s, u64 *value)
{
	bool add = *s != '-';
	u64 bits;

	if (*s == '+' || *s == '-')
		s++;
	else
		*value = 0;
	while (read_detector(&s, &bits)) {
		*value = add ? *value | bits : *value & ~bits;
		if (!*s)
			return true;
		if (*s != ',' && *s != '+' && *s != '-')
			return false;
		add = *s == ',' ? add : *s == '+';
		s++;
	}
	return false;
}

void value_show_detectors(struct text *t, u64 value)
{
	bool first = true;

	for (size_t i = 0; i < array_size(detect_names); i++) {
		if (!(value >> i & 1))
			continue;
		text_put(t, first ? "" : ",");
		text_put(t, detect_names[i]);
		first = false;
	}
	text_put(t, first ? "none" : "");
}
