/* SPDX-License-Identifier: ISC */
/* places.cc - std::atomic: members, operators, conversions, in a lambda and in a class. */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> flag, count, hits;
static int data;

struct box {
	bool is_full() const { return full.load(std::memory_order_acquire); }
	void fill() { full.store(true, std::memory_order_release); }
	std::atomic<bool> full{false};
};

static box a, b;

int main()
{
	std::thread t([] {
		data = 1;
		flag.store(1, ORDER(release));
		count.store(1, ORDER(release)); // needs nothing
		hits++;
		a.fill();
		b.fill(); // needs nothing
	});
	if (flag.load(ORDER(acquire)))
		assert(data == 1);
	if (a.is_full())
		assert(data == 1);
	int seen = count.load(ORDER(acquire)) + hits; // needs nothing
	(void)b.is_full(); // needs nothing
	t.join();
	return seen > 2;
}
