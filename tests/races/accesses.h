/* SPDX-License-Identifier: ISC */
/* accesses.h - forms of plain accesses, for generate.c: declarations of memory, stores to it and
 * loads from it as C. @ is its name. It is not static, so that the compiler keeps all accesses. */
#ifndef RACES_ACCESSES_H
#define RACES_ACCESSES_H

static const struct kind {
	const char *declare;
	const char *write[4], *read[4];
} kinds[] = {
	{"int @;", {"@ = 5;", "@++;", "@ += 2;", "memset(&@, 1, sizeof @);"},
		{"USE(@);", "USE(@ * 2);", "if (@ > 7) USE(@);",
			"{ int v; memcpy(&v, &@, sizeof v); USE(v); }"}},
	{"struct { char a; short b; int c; long d; } @;",
		{"@.a = 1;", "@.c++;", "@ = (typeof(@)){.b = 2};",
			"{ typeof(@) v = {.d = 4}; @ = v; @.b--; }"},
		{"USE(@.d);", "USE(@.a + @.b);", "{ typeof(@) v = @; USE(v.c); }",
			"USE(memcmp(&@, &(typeof(@)){.a = 1}, sizeof @));"}},
	{"struct { unsigned a : 3, b : 7, c : 11; char d; unsigned long e : 40; } @;",
		{"@.a = 1;", "@.b++;", "@.c = @.e & 7;", "@.e = 1; @.d = 2;"},
		{"USE(@.a);", "USE(@.b + @.c);", "USE(@.e);", "USE(@.d);"}},
	{"char @[24];",
		{"memset(@, 'x', 9);", "memcpy(@ + 3, \"abcd\", 4);", "strcpy(@ + 5, \"text\");",
			"memmove(@ + 1, @, 12);"},
		{"USE(@[7]);", "{ int v; memcpy(&v, @ + 3, sizeof v); USE(v); }",
			"USE(strlen(@ + 20));",
			"{ char v[24]; memcpy(v, @, sizeof v); USE(v[11]); }"}},
	{"int @[4];",
		{"for (int i = 0; i < 4; i++) @[i] = i;", "@[1]++;", "*(long *)&@[2] = 1;",
			"@[3] = @[0];"},
		{"USE(@[2]);", "for (int i = 0; i < 4; i++) USE(@[i]);", "USE(*(long *)&@[0]);",
			"USE(((char *)@)[9]);"}},
	{"union { uint64_t all; uint32_t half[2]; uint8_t byte[8]; } @;",
		{"@.all = 1;", "@.half[1] = 2;", "@.byte[3]++;", "@.half[0] |= 1;"},
		{"USE(@.all);", "USE(@.half[0]);", "USE(@.byte[6]);",
			"USE(@.half[1] + @.byte[0]);"}},
	{"double @;", {"@ = 1.5;", "@ *= 2;", "@ += 1;", "memset(&@, 0, sizeof @);"},
		{"USE(@ > 1);", "USE(@ < 0);", "{ uint64_t v; memcpy(&v, &@, 8); USE(v); }",
			"USE(@ == 2);"}},
	{"__int128 @;", {"@ = 1;", "@++;", "((uint64_t *)&@)[1] = 1;", "@ <<= 3;"},
		{"USE((int)@);", "USE(((uint64_t *)&@)[1]);", "USE((long)(@ >> 60));",
			"USE(((char *)&@)[15]);"}},
};

#define KINDS (sizeof kinds / sizeof *kinds)

#endif
