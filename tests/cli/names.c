/* SPDX-License-Identifier: ISC */
/* names.c - one store to every kind of memory; the report must have the name of each. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum state { IDLE, BUSY = 7 };

struct node {
	int value;
	struct node *next;
};

typedef struct {
	int left, right;
} pair;

struct queue {
	struct {
		_Atomic uint32_t seq;
		void *data;
	} slot[4];
	union {
		int number;
		double real;
	} u;
	struct {
		char letter;
		bool flag;
	};
	enum state state;
	unsigned low : 3, high : 5;
	uint8_t grid[3][2];
	int8_t small;
	float ratio;
};

static struct queue q;
struct node *head, *second;
void (*hook)(void);
void *untyped;
pair *pairs;
volatile int *into;
_Thread_local int own;
unsigned __int128 wide;
uint64_t pattern;

static void called(void)
{
}

static __attribute__((always_inline)) inline void put(_Atomic uint32_t *p, unsigned v)
{
	atomic_store_explicit(p, v, memory_order_release);
}

static void *fill(void *argument)
{
	static int calls;
	volatile int *result = argument;

	calls = 1;
	own = 5;
	put(&q.slot[3].seq, 9);
	*result = -3;
	return NULL;
}

int main(void)
{
	volatile int result[2] = {1, 2};
	struct node *n = malloc(sizeof(*n));
	pthread_t t;

	q.slot[1].data = &q;
	q.u.real = 0.5;
	q.letter = 'x';
	q.flag = true;
	q.state = BUSY;
	q.high = 9;
	q.grid[2][1] = 65;
	q.small = -2;
	q.ratio = 1.5f;
	n->value = 41;
	head = n;
	n->next = head;
	hook = called;
	untyped = malloc(100);
	((char *)untyped)[8] = 3;
	pairs = calloc(3, sizeof(*pairs));
	pairs[2].right = 6;
	second = malloc(sizeof(*second));
	second->value = 42;
	into = &q.u.number;
	pattern = 0xfeedfacecafebeef;
	wide = (unsigned __int128)1 << 64 | 2;
	pthread_create(&t, NULL, fill, (void *)&result[1]);
	pthread_join(t, NULL);
	assert(result[1] > 0);
	return 0;
}
