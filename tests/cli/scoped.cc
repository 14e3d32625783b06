// SPDX-License-Identifier: ISC
// Transfers between accounts in both directions: std::scoped_lock tries, and puts back what it has. -DNESTED: a lock
// after the other, which is a deadlock.
#include <cassert>
#include <mutex>
#include <thread>

struct account {
	std::mutex lock;
	int balance;
};

static void transfer(account &from, account &to, int amount)
{
#ifdef NESTED
	std::lock_guard one(from.lock);
	std::lock_guard other(to.lock);
#else
	std::scoped_lock both(from.lock, to.lock);
#endif
	from.balance -= amount;
	to.balance += amount;
}

int main()
{
	account a{{}, 10}, b{{}, 10};
	std::thread t([&] { transfer(a, b, 3); }), u([&] { transfer(b, a, 5); });

	t.join();
	u.join();
	assert(a.balance == 12 && b.balance == 8);
}
