// SPDX-License-Identifier: ISC
// barrier.cc - std::barrier, with -DLATCH std::latch, std::counting_semaphore and an atomic's wait() sleep in the kernel.
#include <atomic>
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

static std::atomic<int> ready{0};
static std::counting_semaphore<2> ended(0);
static std::barrier meeting(2);
static std::latch all_here(2);
static int value[2];

static void meet(int self)
{
	value[self] = 1;
#ifdef LATCH
	all_here.arrive_and_wait();
#else
	meeting.arrive_and_wait();
#endif
	assert(value[1 - self] == 1);
	if (self)
		ended.release();
}

int main()
{
	std::thread a(meet, 0), b(meet, 1);

	ended.acquire();
	ready = 1;
	ready.notify_one();
	ready.wait(0);
	a.join();
	b.join();
}
