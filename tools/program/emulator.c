/* SPDX-License-Identifier: ISC */
/* emulator.c - see emulator.h. */
#include "program/emulator.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "arch/ports.h"
#include "die.h"

static const char *command(void)
{
	const char *set = getenv("HEDDLE_EMULATOR");

	return set && *set ? set : NULL;
}

bool emulator_is_set(void)
{
	return command();
}

static bool is_native(const char *program)
{
	int fd = open(program, O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr header;
	bool foreign;

	if (fd < 0)
		return true;
	foreign = read(fd, &header, sizeof(header)) == (ssize_t)sizeof(header) &&
		  arch_port_of_file(header.e_machine) != arch_port_of(ARCH_NAME);
	close(fd);
	return !foreign;
}

char **emulator_words(char **argv)
{
	char *rest, **words, **last;
	size_t n = 1;

	if (!command() || is_native(argv[0]))
		return argv;
	rest = xstrdup(command());
	for (char **a = argv; *a; a++)
		n++;
	last = words = xmalloc((n + strlen(rest)) * sizeof(*words));
	for (char *word = strtok_r(rest, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		*last++ = word;
	memcpy(last, argv, n * sizeof(*argv));
	return words;
}
