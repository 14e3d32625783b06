/* SPDX-License-Identifier: ISC */
/* command.c - command lines: the first byte chooses the command, the rest are words with 0xff
 * between them. */
#include "fuzz.h"

#include <getopt.h>
#include <string.h>

#include "command/command.h"
#include "die.h"

int tool_main(int argc, char **argv);
#define main tool_main /* the table of commands is beside it */
#include "../../tools/main.c"
#undef main

#define WORDS 64

/* An option that ended the process would leave getopt() in the middle of a word. */
static void forget_words(void)
{
	static char name[] = "x";

	optind = 0;
	getopt_long(1, (char *[]){name, NULL}, "", (struct option[]){{NULL}}, NULL);
}

void fuzz_command(const u8 *data, size_t size)
{
	char *argv[WORDS + 1];
	struct settings s;
	unsigned n = 0, first, kinds = 0;
	const u8 *part;

	forget_words();
	while (commands[kinds])
		kinds++;
	first = size ? *data++ % kinds : 0;
	size -= size > 0;
	argv[n++] = xstrdup(commands[first]->name);
	while (size && n < WORDS) {
		size_t length = fuzz_part(&data, &size, &part);

		argv[n++] = fuzz_text(part, length);
	}
	argv[n] = NULL;
	first = (unsigned)settings_read(&s, commands[first], (int)n, argv);
	FUZZ_CHECK(first >= 1 && first <= n);
	FUZZ_CHECK(!s.style.width || (s.style.width >= 40 && s.style.width <= 1000));
	FUZZ_CHECK(strstr(command_line(argv), "heddle") && settings_environment(&s.explore));
}
