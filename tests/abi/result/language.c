/* SPDX-License-Identifier: ISC */
/*
 * language.c - C, construct by construct: prints the results.
 */
#include <alloca.h>
#include <complex.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct big {
	int a[20];
	double d;
	char name[13];
};
struct pair {
	long a;
	double b;
};
struct bits {
	unsigned a : 1, b : 5, c : 26;
	signed d : 4;
	long long e : 37;
	bool f : 1;
};
struct __attribute__((packed)) packed {
	char c;
	short s;
	int i;
	long long l;
	double d;
};
union mixed {
	uint64_t u;
	double d;
	uint8_t bytes[8];
	uint16_t halves[4];
};
struct flexible {
	int n;
	int item[];
};

struct big global = {{1, 2, 3}, 4.5, "global"};
struct bits bits, many_bits[3];
struct packed packed[3];
union mixed mixed;
long double ld = 1.25L;
double _Complex complex_number = 1.0 + 2.0 * I;
__int128 wide = (__int128)1 << 100;
_Thread_local int per_thread = 3;
bool flag;
char text[64] = "some text";
int table[4][5];
const int *constant = (const int[]){10, 20, 30};

/* --- variable arguments --- */

static double mixed_arguments(const char *types, ...)
{
	va_list ap, again;
	double sum = 0;

	va_start(ap, types);
	va_copy(again, ap);
	for (const char *t = types; *t; t++) {
		switch (*t) {
		case 'i': sum += va_arg(ap, int); break;
		case 'l': sum += va_arg(ap, long); break;
		case 'd': sum += va_arg(ap, double); break;
		case 'L': sum += va_arg(ap, long double); break;
		case 'p': sum += va_arg(ap, struct pair).b; break;
		case 'b': sum += va_arg(ap, struct big).a[1]; break;
		case 's': sum += strlen(va_arg(ap, char *)); break;
		}
	}
	va_end(ap);
	if (*types == 'i')
		sum += 1000 * va_arg(again, int);
	va_end(again);
	return sum;
}

static int formatted(char *to, size_t n, const char *format, ...)
{
	va_list ap;
	int length;

	va_start(ap, format);
	length = vsnprintf(to, n, format, ap);
	va_end(ap);
	return length;
}

static void variable_arguments(void)
{
	char buffer[100];

	printf("%g\n", mixed_arguments("iiiiiiiiddddddddddLpbs", 1, 2, 3, 4, 5, 6, 7, 8, 1.5, 2.5,
			       3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 2.25L,
			       (struct pair){1, 2.5}, global, "four"));
	printf("%g\n", mixed_arguments("ldl", 5L, 0.5, 6L));
	printf("%d %s\n", formatted(buffer, sizeof(buffer), "%d-%s-%.2f", 42, "x", 1.0 / 3),
		buffer);
}

/* --- by value --- */

static __attribute__((noinline)) struct big changed(struct big b, int i)
{
	b.a[i] += 100;
	b.d *= 2;
	return b;
}

static __attribute__((noinline)) int escaping_copy(struct big b)
{
	struct big *volatile p = &b;

	p->a[2] += 7;
	return b.a[2] + global.a[2];
}

static void by_value(void)
{
	struct big local = changed(global, 1);
	struct pair p = {1, 2}, *q = &p;

	global = changed(local, 2);
	printf("%d %d %g %s\n", local.a[1], global.a[2], global.d, global.name);
	printf("%d %d\n", escaping_copy(global), global.a[2]);
	*q = (struct pair){q->a + 1, q->b * 2};
	printf("%ld %g\n", p.a, p.b);
}

/* --- layout --- */

static void layout(void)
{
	bits = (struct bits){1, 17, 12345, -3, -99999999, true};
	bits.b++;
	bits.d--;
	bits.e *= 3;
	for (int i = 0; i < 3; i++) {
		many_bits[i] = bits;
		many_bits[i].c += i;
		packed[i] = (struct packed){'a' + i, i, -i, 1ll << (40 + i), i / 3.0};
		packed[i].s += 5;
	}
	printf("%d %d %d %d %lld %d\n", bits.a, bits.b, bits.c, bits.d, (long long)bits.e, bits.f);
	for (int i = 0; i < 3; i++)
		printf("%d %c %d %d %lld %g\n", many_bits[i].c, packed[i].c, packed[i].s,
			packed[i].i, packed[i].l, packed[i].d);
	mixed.d = 1.0;
	mixed.bytes[0] = 7;
	mixed.halves[1] ^= 0x55;
	printf("%" PRIx64 "\n", mixed.u);
}

/* --- numbers --- */

static void numbers(void)
{
	ld = ld * 3 + (long double)complex_number;
	complex_number = complex_number * complex_number + 1;
	wide = wide * 3 + 7;
	flag = !flag;
	printf("%Lg %g %g %" PRIx64 " %d\n", ld, creal(complex_number), cimag(complex_number),
		(uint64_t)(wide >> 64), flag);
	printf("%g %g\n", sqrt(global.d), floor(-global.d / 7));
	printf("%d %d\n", constant[1], per_thread++ + per_thread);
}

/* --- memory --- */

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static __attribute__((noinline)) int variable_length(int n)
{
	int sum = 0;

	for (int k = 1; k < n; k++) {
		int a[k], *p = a;
		char *q = alloca(k);

		memset(q, k, k);
		for (int i = 0; i < k; i++)
			p[i] = i * q[i];
		qsort(a, k, sizeof(a[0]), compare);
		sum += p[k - 1] + p[0];
	}
	return sum;
}

static void memory(void)
{
	struct flexible *f = malloc(sizeof(*f) + 5 * sizeof(int));
	char buffer[40];

	f->n = 5;
	for (int i = 0; i < f->n; i++)
		f->item[i] = i * i;
	memmove(text + 2, text, 20);
	memcpy(buffer, text, sizeof(buffer));
	strcat(buffer, "!");
	memset(table, 0xff, sizeof(table));
	table[2][3] = f->item[3];
	printf("%s %s %d %d %d\n", text, buffer, table[2][3], table[1][1], variable_length(9));
	f = realloc(f, 1000);
	printf("%d\n", f->item[4]);
	free(f);
}

/* --- control --- */

static jmp_buf jump;
static int depth;

static __attribute__((noinline)) void descend(int n)
{
	int local[4] = {n, n + 1, n + 2, n + 3};
	int *volatile p = local;

	depth += p[n & 3];
	if (n == 0)
		longjmp(jump, depth);
	descend(n - 1);
	depth += p[0]; /* never reached */
}

static void control(void)
{
	static const void *const labels[] = {&&first, &&second, &&done};
	int (*volatile order)(const void *, const void *) = compare;
	int values[] = {5, 3, 9, -1, 7}, key = 7;
	volatile int kept = 1;

	int result = setjmp(jump);
	if (!result) {
		kept = 2;
		descend(6);
	}
	printf("%d %d\n", result, kept);
	qsort(values, 5, sizeof(int), order);
	printf("%d %d %td\n", values[0], values[4],
		(int *)bsearch(&key, values, 5, sizeof(int), order) - values);
	goto *labels[kept - 2];
first:
	printf("first\n");
	goto *labels[1];
second:
	printf("second\n");
	goto *labels[2];
done:
	return;
}

int main(void)
{
	variable_arguments();
	by_value();
	layout();
	numbers();
	memory();
	control();
	return 0;
}
