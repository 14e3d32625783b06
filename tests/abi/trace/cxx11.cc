/* SPDX-License-Identifier: ISC */
/*
 * cxx11.cc - std::atomic, and related C++: references, virtual calls, guards.
 */
#include "../expect.h"

#include <atomic>
#include <cstdint>

struct alignas(16) pair {
	uint64_t a, b;
};

struct base {
	virtual int get()
	{
		return field;
	}
	virtual ~base()
	{
	}
	int field = 7;
};

extern "C" {
std::atomic<int> i;
std::atomic<uint8_t> c;
std::atomic<int *> p;
std::atomic<bool> b;
std::atomic<double> d;
std::atomic<pair> wide;
std::atomic_flag flag = ATOMIC_FLAG_INIT;
int sink;
int plain;
int *reference_to = &plain;
}

static __attribute__((noinline)) void set(int &reference)
{
	reference = 4;
}

static __attribute__((noinline)) void operators()
{
	i = 5;
	__heddle_expect("store4 i seq_cst 5");
	i.store(6, std::memory_order_release);
	__heddle_expect("store4 i release 6");
	sink = i.load(std::memory_order_acquire);
	__heddle_expect("load4 i acquire");
	sink = i.fetch_add(2, std::memory_order_relaxed);
	__heddle_expect("rmw4 i add relaxed 2");
	++c;
	__heddle_expect("rmw1 c add seq_cst 1");
	c ^= 3;
	__heddle_expect("rmw1 c xor seq_cst 3");
	sink = b.exchange(true, std::memory_order_acq_rel);
	__heddle_expect("rmw1 b xchg acq_rel 1");
	d.store(2.0, std::memory_order_relaxed);
	__heddle_expect("store8 d relaxed 4000000000000000");
	p.store(nullptr, std::memory_order_release);
	__heddle_expect("store8 p release 0");
	p += 2;
	__heddle_expect("rmw8 p add seq_cst 8");
}

static __attribute__((noinline)) void exchanges()
{
	int expected = 8;

	sink = i.compare_exchange_strong(
		expected, 9, std::memory_order_acq_rel, std::memory_order_acquire);
	__heddle_expect("cas4 i 4/2 8->9 ok");
	sink = i.compare_exchange_weak(
		expected, 10, std::memory_order_release, std::memory_order_relaxed);
	__heddle_expect("cas4 i 3/0 weak 8->a 9");
	wide.store(pair{1, 2}, std::memory_order_release);
	__heddle_expect("store16 wide release 2:0000000000000001");
}

int main()
{
	operators();
	exchanges();
	sink = flag.test_and_set(std::memory_order_acquire);
	__heddle_expect("rmw1 flag xchg acquire 1");
	flag.clear(std::memory_order_release);
	__heddle_expect("store1 flag release 0");
	std::atomic_thread_fence(std::memory_order_seq_cst);
	__heddle_expect("fence seq_cst");
	set(plain);
	__heddle_expect("plain_store4 plain 4");
	return 0;
}
