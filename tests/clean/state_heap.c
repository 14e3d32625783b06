/* SPDX-License-Identifier: ISC */
/* Blocks from before main(): each execution finds them alive and as they were, whatever an earlier
 * one has written, freed or reallocated. */
#include "two.h"

static char *text, *grown, *freed;
static int *numbers;

__attribute__((constructor)) static void set_up(void)
{
	text = strcpy(malloc(100), "as it was");
	grown = strcpy(malloc(20), "small");
	freed = strcpy(malloc(200), "to be freed");
	numbers = calloc(50000, sizeof(*numbers));
	numbers[49999] = 3;
}

static void *change(void *arg)
{
	numbers[*(int *)arg * 99] = 1;
	numbers[*(int *)arg * 9900]++;
	return NULL;
}

int main(void)
{
	int one = 1, two_ = 2;

	assert(!strcmp(text, "as it was") && !strcmp(grown, "small") &&
		!strcmp(freed, "to be freed"));
	for (int i = 0; i < 49999; i += 99)
		assert(!numbers[i]);
	assert(numbers[49999]++ == 3);
	strcpy(text, "changed");
	grown = realloc(grown, 3000);
	assert(!strcmp(grown, "small"));
	memset(grown, 'x', 3000);
	free(freed);
	two(change, &one, change, &two_);
	assert(numbers[9900] == 1 && numbers[19800] == 1);
	free(numbers);
	free(grown);
	printf("%s\n", text);
	return 0;
}
