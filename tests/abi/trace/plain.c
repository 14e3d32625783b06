/* SPDX-License-Identifier: ISC */
/*
 * plain.c - plain accesses of every shape, each alone in a function so that none can be optimised
 * away.
 */
#include "../expect.h"

#include <stdbool.h>
#include <string.h>

#ifdef __clang__
#define UNIT "4"
#else /* the smallest word that has all bits */
#define UNIT "2"
#endif
#define ALONE __attribute__((noinline)) static void

struct small {
	int a, b;
};
struct sixteen {
	long a, b;
};
struct odd {
	char c[3];
};
struct big {
	char c[100];
};
struct __attribute__((packed)) packed {
	char pad;
	int i;
	long l;
};
typedef int vec4 __attribute__((vector_size(16)));
typedef int vec8 __attribute__((vector_size(32)));

char v1;
short v2;
int v4;
long v8;
__int128 v16;
bool flag;
float f;
double d;
long double ld;
int *pointer;
struct small small, small2;
struct sixteen sixteen;
struct odd odd, odd2;
struct big big, big2;
struct packed packed;
struct {
	unsigned a : 3, b : 7, c : 22;
	unsigned long long wide : 40;
} bits;
vec4 v4x4;
vec8 v4x8;
char text[32], text2[32];
int index_;
int array[16];
_Thread_local int local;
const int constant[4] = {1, 2, 3, 4};
int sink;

ALONE integers(void)
{
	v1 = 1;
	__heddle_expect("plain_store1 v1 1");
	v2 = 2;
	__heddle_expect("plain_store2 v2 2");
	v4 = 3;
	__heddle_expect("plain_store4 v4 3");
	v8 = -1;
	__heddle_expect("plain_store8 v8 ffffffffffffffff");
	v16 = 5;
	__heddle_expect("plain_store16 v16 5");
	flag = true;
	__heddle_expect("plain_store1 flag 1");
	sink = v4;
	__heddle_expect("plain_load4 v4");
	sink = flag;
	__heddle_expect("plain_load1 flag");
}

ALONE floating(void)
{
	f = 1;
	__heddle_expect("plain_store4 f 3f800000");
	d = 1;
	__heddle_expect("plain_store8 d 3ff0000000000000");
	ld = 1;
	__heddle_expect("plain_write ld 10");
	sink = ld;
	__heddle_expect("plain_read ld 10");
	sink = f;
	__heddle_expect("plain_load4 f");
}

ALONE pointers(void)
{
	pointer = 0;
	__heddle_expect("plain_store8 pointer 0");
	array[index_] = 4; /* the address is computed from a shared value */
	__heddle_expect("plain_load4 index_");
	__heddle_expect("plain_store4 array 4");
	local = 2;
	__heddle_expect("plain_store4 - 2");
	sink = constant[v4 & 3]; /* memory that never changes: not an event */
	__heddle_expect("plain_load4 v4");
}

ALONE unaligned(void)
{
	packed.i = 1;
	__heddle_expect("plain_store4 packed+1 1");
	packed.l = 2;
	__heddle_expect("plain_store8 packed+5 2");
	sink = packed.i;
	__heddle_expect("plain_load4 packed+1");
}

ALONE bit_fields(void)
{
	bits.b = 3;
	__heddle_expect("plain_load" UNIT " bits");
	__heddle_expect("plain_store" UNIT " bits 18");
	sink = bits.b;
	__heddle_expect("plain_load" UNIT " bits");
}

ALONE vectors(void)
{
	v4x4 = (vec4){1, 0, 0, 0};
	__heddle_expect("plain_store16 v4x4 1");
	v4x8 = (vec8){1};
	__heddle_expect("plain_write v4x8 32");
#ifdef __clang__ /* gcc divides it */
	v4x8 = v4x8 + 1;
	__heddle_expect("plain_read v4x8 32");
	__heddle_expect("plain_write v4x8 32");
#endif
}

ALONE copies(void)
{
	big = big2;
	__heddle_expect("memcpy big big2 100");
	memmove(text + 1, text + 5, 20);
	__heddle_expect("memmove text+1 text+5 20");
	memset(text, 'x', 31);
	__heddle_expect("memset text 120 31");
}

/* One side is private: it must be accessed directly, as everywhere else. */
ALONE copies_private(void)
{
	char mine[24] = {0};

#ifdef __clang__ /* with gcc memory that inline assembly gets is not private */
	memcpy(mine, text, 24);
	__heddle_expect("plain_read text 24");
	__asm__("" : "+m"(mine)); /* it is read and changed: the copies cannot be joined */
	memcpy(text2, mine, 24);
	__heddle_expect("plain_write text2 24");
#else
	memcpy(mine, text, 24);
	__heddle_expect("plain_read text 24");
	for (int i = 0; i < 24; i++)
		mine[i]++;
	memcpy(text2, mine, 24);
	__heddle_expect("plain_write text2 24");
#endif
	memcpy(text, constant, 11);
	__heddle_expect("plain_write text 11");
}

/* None of this is an event. */
ALONE private_only(void)
{
	int a[8], sum = 0;
	struct big mine;

	memset(&mine, 1, sizeof(mine));
	for (int i = 0; i < 8; i++)
		a[i] = i;
	for (int i = 0; i < 8; i++)
		sum += a[i] + mine.c[i];
	__asm__("" : "+r"(sum));
	sink = sum;
}

int main(void)
{
	integers();
	floating();
	pointers();
	unaligned();
	bit_fields();
	vectors();
	copies();
	copies_private();
	private_only();
	return 0;
}
