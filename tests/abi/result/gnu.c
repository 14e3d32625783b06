/* SPDX-License-Identifier: ISC */
/* gnu.c - gcc's extensions and calling conventions: nested functions, arrays of variable length,
 * aggregates as arguments and results, variable arguments, bit-fields, complex numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noipa))

struct big {
	int a[20];
};
struct two {
	long x, y;
};
struct odd {
	char c[3];
};

struct big big;
struct two two;
struct odd odd;
_Complex float complex_float;
_Complex double complex_double;
long double wide;
int zero;
jmp_buf back;
struct {
	unsigned a : 3, b : 9, c : 17;
	long long d : 41;
	int e : 5;
	_Bool f : 1;
} bits;

APART int sum(int n, ...)
{
	va_list list, copy;
	int s = 0;

	va_start(list, n);
	va_copy(copy, list);
	for (int i = 0; i < n; i++)
		s += va_arg(list, int);
	s += va_arg(copy, int);
	va_end(copy);
	va_end(list);
	return s;
}

APART double sum_list(int n, va_list list)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += i % 2 ? va_arg(list, double) : va_arg(list, int);
	return s;
}

APART double sum_of(int n, ...)
{
	va_list list;
	double s;

	va_start(list, n);
	s = sum_list(n, list);
	va_end(list);
	return s;
}

APART struct big make(int first)
{
	struct big b;

	for (int i = 0; i < 20; i++)
		b.a[i] = first + i;
	return b;
}

APART struct big next(struct big b)
{
	b.a[0]++;
	return b;
}

APART struct big get(void)
{
	return big;
}

APART struct two pair(long x)
{
	struct two t = {x, x + 1};

	return t;
}

APART struct odd middle(struct odd o)
{
	o.c[1] = 'x';
	return o;
}

APART int apply(int (*f)(int), int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += f(i);
	return s;
}

APART int of_variable_length(int n)
{
	int table[n][3], s = 0;
	struct {
		int first;
		int list[n];
	} v, w;

	for (int i = 0; i < n; i++) {
		for (int k = 0; k < 3; k++)
			table[i][k] = i * k;
		v.list[i] = i * i;
	}
	v.first = 3;
	w = v;
	for (int i = 0; i < n; i++)
		s += table[i][2] + w.list[i];
	return s + w.first;
}

static void nested(void)
{
	int local = 5;

	int add(int x)
	{
		local += x;
		return local;
	}
	printf("%d\n", apply(add, 4));
	printf("%d\n", local);
}

static void aggregates(void)
{
	struct big mine, *heap = malloc(sizeof *heap);

	big = make(3);
	mine = next(big);
	big = next(mine);
	mine = get();
	printf("%d %d\n", big.a[0], mine.a[19]);
	*heap = make(9);
	*heap = next(*heap);
	printf("%d\n", heap->a[0] + heap->a[1]);
	free(heap);
	two = pair(7);
	printf("%ld %ld\n", two.x, two.y);
	memcpy(odd.c, "abc", 3);
	odd = middle(odd);
	printf("%.3s\n", odd.c);
}

static void numbers(void)
{
	union {
		float f;
		int i;
	} u;

	complex_float = 1.0f + 2.0fi;
	complex_float *= complex_float;
	complex_double = complex_float;
	__real__ complex_float = 4;
	printf("%f %f %f\n", __real__ complex_float, __imag__ complex_float, __imag__ complex_double);
	wide = 3;
	wide /= 8;
	printf("%Lf\n", wide);
	u.f = 1;
	printf("%x\n", u.i);
	bits.a = 5;
	bits.b = 300;
	bits.c = 77777;
	bits.d = -123456789012;
	bits.e = -7;
	bits.f = 1;
	bits.b++;
	printf("%u %u %u %lld %d %d\n", bits.a, bits.b, bits.c, (long long)bits.d, bits.e, bits.f);
}

int main(void)
{
	static const char *const names[] = {"a", "b"};
	volatile int jumped = 0;
	char text[20];

	nested();
	aggregates();
	numbers();
	printf("%d %f\n", sum(3, 1, 2, 3), sum_of(4, 1, 2.5, 3, 4.5));
	printf("%d\n", of_variable_length(5));
	if (!setjmp(back)) {
		jumped = 3;
		longjmp(back, 1);
	}
	printf("%d\n", jumped);
	strcpy(text, "hello");
	strcat(text, " x");
	printf("%s %zu %s\n", text, strlen(text), names[zero + 1]);
	return 0;
}
