/* SPDX-License-Identifier: ISC */
/* Threads share a reference count of libstdc++, which counts by plain accesses while libc says that
 * there is one thread. */
#include <cassert>
#include <memory>
#include <thread>

static int destroyed;

struct message {
	int value = 7;
	~message() { destroyed++; }
};

int main()
{
	auto p = std::make_shared<message>();
	std::weak_ptr<message> w = p;
	std::thread a([p] { assert(p->value == 7); });
	std::thread b([w] {
		if (auto q = w.lock())
			assert(q->value == 7);
	});

	p.reset();
	a.join();
	b.join();
	assert(destroyed == 1);
}
