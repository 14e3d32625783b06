/* SPDX-License-Identifier: ISC */
/* A thread waits until both bytes of a word are 2. One stores byte 1; one stores byte 0, and then the
 * word. If the byte is stored before the word, in co, the bytes are read from the two byte stores or
 * from the word's: 2. If it is stored after it, from the word's store, or byte 1 from the later
 * store: 2. In every order of the threads.
 *
 * counts -DF1=byte -DF2=both -DF3=waits sc,tso,pso,ra,rc11 4
 * counts -DF1=both -DF2=waits -DF3=byte sc,tso,pso,ra,rc11 4
 * counts -DF1=waits -DF2=both -DF3=byte sc,tso,pso,ra,rc11 4
 */
#include "counts.h"
#include <stdint.h>

union {
	_Atomic uint16_t word;
	_Atomic uint8_t byte[2];
} u;

THREAD(byte)
{
	store(&u.byte[1], 2, RLX);
	return NULL;
}

THREAD(both)
{
	store(&u.byte[0], 2, RLX);
	store(&u.word, 0x202, RLX);
	return NULL;
}

THREAD(waits)
{
	while (load(&u.word, RLX) != 0x202)
		;
	return NULL;
}

int main(void)
{
	start(F1, 0);
	start(F2, 0);
	start(F3, 0);
	join_all(NULL);
	return 0;
}
