/* SPDX-License-Identifier: ISC */
/* orders.c - inline assembly of AArch64, and with -DC11 what C11 has for it: as many executions
 * under each model. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_uint x, y;
static unsigned seen[2];

#ifdef C11
#define add(p)	atomic_fetch_add_explicit(p, 1, memory_order_relaxed)
#define take(p) atomic_compare_exchange_strong(p, &(unsigned){0}, 1)
#define set(p)	atomic_store(p, 1)
#define get(p)	atomic_load(p)
#define put(p)	atomic_store_explicit(p, 1, memory_order_relaxed)
#define look(p) atomic_load_explicit(p, memory_order_relaxed)
#define full()	atomic_thread_fence(memory_order_seq_cst)
#define lse(p)	atomic_fetch_add_explicit(p, 2, memory_order_acquire)
#else
static inline unsigned add(atomic_uint *p)
{
	unsigned old, new, status;

	__asm__ volatile("1: ldxr %w0, %3\n add %w1, %w0, #1\n stxr %w2, %w1, %3\n cbnz %w2, 1b"
			 : "=&r"(old), "=&r"(new), "=&r"(status), "+Q"(*(unsigned *)p)::"memory");
	return old;
}

static inline int take(atomic_uint *p)
{
	unsigned old, status;

	__asm__ volatile("1: ldaxr %w0, %2\n cbnz %w0, 2f\n stlxr %w1, %w3, %2\n cbnz %w1, 1b\n2:"
			 : "=&r"(old), "=&r"(status), "+Q"(*(unsigned *)p)
			 : "r"(1)
			 : "memory");
	return !old;
}

#define set(p) __asm__ volatile("stlr %w1, [%0]" ::"r"(p), "r"(1) : "memory")
#define put(p) __asm__ volatile("str %w1, [%0]" ::"r"(p), "r"(1) : "memory")
#define get(p) \
	({ \
		unsigned v_; \
		__asm__ volatile("ldar %w0, [%1]" : "=r"(v_) : "r"(p) : "memory"); \
		v_; \
	})
#define look(p) \
	({ \
		unsigned v_; \
		__asm__ volatile("ldr %w0, [%1]" : "=r"(v_) : "r"(p) : "memory"); \
		v_; \
	})
#define full() __asm__ volatile("dmb ish" ::: "memory")
#define lse(p) \
	({ \
		unsigned v_; \
		__asm__ volatile(".arch_extension lse\n ldadda %w1, %w0, [%2]" \
				 : "=r"(v_) \
				 : "r"(2), "r"(p) \
				 : "memory"); \
		v_; \
	})
#endif

static void *thread(void *number)
{
	uintptr_t n = (uintptr_t)number;
	atomic_uint *mine = n ? &y : &x, *other = n ? &x : &y;

#if defined(BUFFERED)
	put(mine);
	seen[n] = look(other);
#elif defined(FENCED)
	put(mine);
	full();
	seen[n] = look(other);
#elif defined(ORDERED)
	set(mine);
	seen[n] = get(other);
#elif defined(COUNTED)
	seen[n] = add(&x) + lse(&x);
#elif defined(TAKEN)
	seen[n] = take(&x) && look(&y) == 0;
	(void)mine;
#endif
	(void)mine, (void)other;
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (uintptr_t i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, thread, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
