/* SPDX-License-Identifier: ISC */
/*
 * once.c - every input of the corpora through its target, once: make check. No fuzzer is needed.
 *
 *     fuzz-once FOLDER...      FOLDER has a folder a target, as tests/fuzz/corpus; TAP on stdout
 */
#include "fuzz.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *name;
	void (*body)(const u8 *data, size_t size);
} targets[] = {
#define TARGET(name, words) {#name, fuzz_##name},
#include "targets.def"
#undef TARGET
};

static char current[4096]; /* the current input, for the report of a crash */

static void dies(int signal)
{
	printf("not ok - fuzz: %s: %s\n", current, strsignal(signal));
	fflush(stdout);
	_Exit(1);
}

static void feed(void (*body)(const u8 *data, size_t size), const char *path)
{
	FILE *f = fopen(path, "rb");
	char *bytes = NULL;
	long n = 0;

	if (f && !fseek(f, 0, SEEK_END) && (n = ftell(f)) >= 0) {
		rewind(f);
		bytes = malloc((size_t)n + 1);
	}
	if (!bytes || fread(bytes, 1, (size_t)n, f) != (size_t)n) {
		printf("not ok - cannot read %s\n", path);
		exit(1);
	}
	fclose(f);
	fuzz_run(body, (const u8 *)bytes, (size_t)n);
	free(bytes);
}

static unsigned feed_folder(void (*body)(const u8 *data, size_t size), const char *folder)
{
	struct dirent **name;
	int n = scandir(folder, &name, NULL, alphasort);
	unsigned fed = 0;

	for (int i = 0; i < n; i++) {
		snprintf(current, sizeof(current), "%s/%s", folder, name[i]->d_name);
		if (name[i]->d_name[0] != '.') {
			alarm(60);
			feed(body, current);
			fed++;
		}
		free(name[i]);
	}
	if (n >= 0)
		free(name);
	return fed;
}

int main(int argc, char **argv)
{
	unsigned all = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGABRT, dies);
	signal(SIGALRM, dies);
	for (unsigned i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		unsigned fed = 0;

		for (int k = 1; k < argc; k++) {
			char folder[3000];

			snprintf(folder, sizeof(folder), "%s/%s", argv[k], targets[i].name);
			fed += feed_folder(targets[i].body, folder);
		}
		if (fed)
			printf("ok - fuzz: %s: %u inputs\n", targets[i].name, fed);
		all += fed;
	}
	return !all;
}
