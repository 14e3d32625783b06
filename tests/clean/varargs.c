/* SPDX-License-Identifier: ISC */
/* Functions with variable arguments: integers, doubles, pointers and structures, more than fit into
 * registers, and a va_list handed on. */
#include <stdarg.h>
#include "two.h"

struct point {
	double x, y;
};

static double total(const char *kinds, va_list ap)
{
	double sum = 0;

	for (; *kinds; kinds++) {
		switch (*kinds) {
		case 'i': sum += va_arg(ap, int); break;
		case 'd': sum += va_arg(ap, double); break;
		case 'p': sum += *va_arg(ap, int *); break;
		case 's': sum += va_arg(ap, struct point).y; break;
		}
	}
	return sum;
}

static void add(double *to, const char *kinds, ...)
{
	va_list ap, again;

	va_start(ap, kinds);
	va_copy(again, ap);
	*to = total(kinds, ap);
	*to += total(kinds, again);
	va_end(again);
	va_end(ap);
}

static void *worker(void *arg)
{
	int eight = 8;
	struct point p = {1, 0.25};

	add(arg, "iidddpssiiiiddddddds", 1, 2, 0.5, 0.5, 1.0, &eight, p, p, 1, 1, 1, 1, 1.0, 1.0,
		1.0, 1.0, 1.0, 1.0, 1.0, p);
	return NULL;
}

int main(void)
{
	double a, b;

	two(worker, &a, worker, &b);
	printf("%g %g\n", a, b);
	assert(a == b && a == 49.5);
	return 0;
}
