/* SPDX-License-Identifier: ISC */
/*
 * as.c - the wrapper (-wrapper) of gcc's programs under `heddle-cc --gcc': inline assembly is
 * rewritten before it reaches the assembler (asm_rewrite.h), other programs run unchanged.
 */
#include "gcc/asm_rewrite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "heddle-cc: %s: %s\n", what, strerror(errno));
	exit(2);
}

static bool is_assembler(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t n;

	path = slash ? slash + 1 : path;
	n = strlen(path);
	return !strcmp(path, "as") || (n > 3 && !strcmp(path + n - 3, "-as"));
}

/* Options of the assembler whose argument is the next word. */
static bool as_takes_word(const char *s)
{
	static const char *const options[] = {
		"-o", "-I", "--defsym", "-MD", "--MD", "--debug-prefix-map", "-t", NULL};

	for (unsigned i = 0; options[i]; i++)
		if (!strcmp(s, options[i]))
			return true;
	return false;
}

/* The word that names the input, 0: there is none, so it is standard input; -1: several. */
static int find_input(char **words)
{
	int found = 0;

	for (int i = 1; words[i]; i++) {
		if (as_takes_word(words[i])) {
			if (!words[++i])
				break;
		} else if (*words[i] != '-' && *words[i] != '@') {
			found = found ? -1 : i;
		}
	}
	return found;
}

static char *read_stream(FILE *f, size_t *size)
{
	size_t room = 1 << 16, n;
	char *text = malloc(room);

	*size = 0;
	while (text && (n = fread(text + *size, 1, room - *size - 1, f)) > 0) {
		*size += n;
		if (room - *size < 2)
			text = realloc(text, room *= 2);
	}
	if (!text || ferror(f))
		fail("cannot read assembly");
	text[*size] = 0;
	return text;
}

static void put_on_stdin(const char *text, size_t size)
{
	int fd = memfd_create("heddle-as", 0);

	for (ssize_t n; size && fd >= 0; text += n, size -= (size_t)n) {
		n = write(fd, text, size);
		if (n < 0)
			fail("cannot write assembly");
	}
	if (fd < 0 || lseek(fd, 0, SEEK_SET) < 0 || dup2(fd, STDIN_FILENO) < 0)
		fail("cannot write assembly");
	close(fd);
}

static void remove_word(char **words, int i)
{
	for (; words[i]; i++)
		words[i] = words[i + 1];
}

static void rewrite_input(char **words)
{
	int input = find_input(words);
	FILE *f = input > 0 ? fopen(words[input], "r") : stdin;
	char *text, *rewritten;
	size_t size;

	if (input < 0 || !f)
		return; /* the assembler has a message for that */
	text = read_stream(f, &size);
	rewritten = asm_rewrite(text, size, getenv("HEDDLE_ASM_QUIET") != NULL);
	if (rewritten)
		put_on_stdin(rewritten, strlen(rewritten));
	else if (!input)
		put_on_stdin(text, size);
	if (rewritten && input)
		remove_word(words, input);
	if (input)
		fclose(f);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	if (is_assembler(argv[1]))
		rewrite_input(argv + 1);
	execvp(argv[1], argv + 1);
	fail(argv[1]);
}
