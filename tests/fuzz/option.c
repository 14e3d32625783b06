/* SPDX-License-Identifier: ISC */
/*
 * option.c - HEDDLE_OPTIONS. Accepted options must survive a round trip: each option shown as text,
 * put together again, read again, is the same. Then the parts of the input as name and value: the
 * `option' records of a replay file.
 */
#include "fuzz.h"

#include <string.h>

#include "base/option.h"
#include "die.h"

/* Like settings_environment() in tools/option/opt.c. */
static char *shown(const struct options *o, size_t longest)
{
	char *text = xmalloc(3 * longest + 4096), *to = text, value[OPTION_TEXT_MAX];
	const char *name;

	for (unsigned i = 0; option_show(o, i, &name, value, sizeof(value)); i++) {
		if (option_is_default(o, i))
			continue;
		to = stpcpy(stpcpy(stpcpy(to, *text ? "," : ""), name), "=");
		for (const char *c = value; *c; c++)
			if (*c == ',' || *c == '%')
				to += sprintf(to, "%%%02X", *c);
			else
				*to++ = *c;
		*to = 0;
	}
	return text;
}

static void check_again(const struct options *o, size_t size)
{
	struct options again;
	struct err err;

	option_defaults(&again);
	FUZZ_CHECK(option_parse(&again, shown(o, size), &err));
	for (unsigned i = 0; option_choice(i, 0) || i < 64; i++)
		FUZZ_CHECK(option_is_default(&again, i) == option_is_default(o, i));
	FUZZ_CHECK(!strcmp(shown(o, size), shown(&again, size)));
}

static void check_err(const struct err *err, size_t size)
{
	FUZZ_CHECK(err->message[0] && memchr(err->message, 0, sizeof(err->message)));
	FUZZ_CHECK(err->at <= size);
}

void fuzz_option(const u8 *data, size_t size)
{
	char *text = fuzz_text(data, size);
	size_t whole = size;
	struct options o;
	struct err err;
	const u8 *name, *value;

	option_defaults(&o);
	if (option_parse(&o, text, &err))
		check_again(&o, whole);
	else
		check_err(&err, size);
	option_defaults(&o);
	while (size) {
		size_t n = fuzz_part(&data, &size, &name), m = fuzz_part(&data, &size, &value);

		if (option_set(&o, fuzz_text(name, n), m ? fuzz_text(value, m) : NULL, &err))
			continue;
		check_err(&err, n + m);
		break;
	}
	check_again(&o, whole);
}
