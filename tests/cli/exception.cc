// SPDX-License-Identifier: ISC
// exception.cc - threads that share an exception: by std::exception_ptr, by a future, with -DCOPY by copies of its text.
// -DRACE: without synchronisation; -DLATE: its object is used when the last owner may be gone.
#include <atomic>
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

struct error {
	int value;
};

#if defined(COPY)
using thrown = std::runtime_error;
#define MAKE std::runtime_error("bad")
static bool is_good(thrown e)
{
	return e.what()[0] == 'b';
}
#else
using thrown = const error &;
#define MAKE error{42}
static bool is_good(thrown e)
{
	return e.value == 42;
}
#endif

static std::exception_ptr shared;
static std::atomic<int *> late;

static void look(std::exception_ptr p)
{
	bool caught = false;

	try {
		std::rethrow_exception(p);
	} catch (thrown e) {
		caught = is_good(e);
	}
	assert(caught);
}

static void two_owners()
{
	std::exception_ptr p = std::make_exception_ptr(MAKE);
	std::thread t(look, p);

	look(std::move(p));
	t.join();
}

static void by_future()
{
	std::promise<int> promise;
	std::future<int> future = promise.get_future();
	bool caught = false;
	std::thread t([&promise] {
		try {
			throw std::logic_error("bad");
		} catch (...) {
			promise.set_exception(std::current_exception());
		}
	});

	try {
		future.get();
	} catch (const std::logic_error &e) {
		caught = e.what()[0] == 'b';
	}
	t.join();
	assert(caught);
}

static void race()
{
	shared = std::make_exception_ptr(1);
	std::thread t([] { std::exception_ptr p = shared; });
	shared = nullptr;
	t.join();
}

static void use_late()
{
	std::exception_ptr p = std::make_exception_ptr(error{1});

	try {
		std::rethrow_exception(p);
	} catch (error &e) {
		late = &e.value;
	}
	std::thread t([] { *late = 2; });
	p = nullptr;
	t.join();
}

int main()
{
#if defined(RACE)
	race();
#elif defined(LATE)
	use_late();
#elif defined(FUTURE)
	by_future();
#else
	two_owners();
#endif
}
