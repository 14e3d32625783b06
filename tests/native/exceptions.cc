// SPDX-License-Identifier: ISC
// C++: exceptions through frames with destructors, out of threads, rethrown; thread_local objects,
// statics, std::thread, futures, call_once.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> destroyed{0}, made{0};

struct guard {
	~guard() { destroyed++; }
};

struct local {
	local() { made++; }
	~local() { destroyed += 100; }
	int n = 3;
};

static thread_local local mine;

static int deep(int n, std::atomic<int> &depth)
{
	guard g;

	depth++;
	if (!n)
		throw std::runtime_error("from the depth of " + std::to_string(depth.load()));
	return deep(n - 1, depth) + 1;
}

static void frames()
{
	std::atomic<int> depth{0};

	try {
		deep(10, depth);
	} catch (const std::exception &e) {
		std::printf("%s, destroyed %d\n", e.what(), destroyed.load());
	}
	try {
		try {
			throw 5;
		} catch (...) {
			guard g;
			throw;
		}
	} catch (int n) {
		std::printf("rethrown %d, destroyed %d\n", n, destroyed.load());
	}
}

static void threads()
{
	std::exception_ptr caught;
	std::vector<std::thread> all;
	std::once_flag once;
	int calls = 0;

	destroyed = 0;
	for (int i = 0; i < 4; i++)
		all.emplace_back([&] {
			std::call_once(once, [&] { calls++; });
			mine.n++;
		});
	for (auto &t : all)
		t.join();
	std::printf("calls %d, made %d, destroyed %d\n", calls, made.load(), destroyed.load());
	std::thread([&] {
		try {
			std::vector<int>().at(3);
		} catch (...) {
			caught = std::current_exception();
		}
	}).join();
	try {
		std::rethrow_exception(caught);
	} catch (const std::out_of_range &) {
		std::printf("out of a thread\n");
	}
	std::future<int> f =
		std::async(std::launch::async, []() -> int { throw std::string("later"); });
	try {
		f.get();
	} catch (const std::string &s) {
		std::printf("%s\n", s.c_str());
	}
}

static void waiting()
{
	std::mutex m;
	std::condition_variable c;
	bool ready = false;
	std::thread t([&] {
		std::lock_guard<std::mutex> l(m);
		ready = true;
		c.notify_one();
	});
	std::unique_lock<std::mutex> l(m);

	c.wait(l, [&] { return ready; });
	l.unlock();
	t.join();
	std::printf("timed out: %d\n", [&] {
		std::unique_lock<std::mutex> k(m);
		return c.wait_for(k, std::chrono::milliseconds(1), [] { return false; });
	}());
}

int main()
{
	std::set_terminate([] {
		std::printf("terminate\n");
		std::fflush(stdout);
		std::_Exit(3);
	});
	frames();
	threads();
	waiting();
	std::fflush(stdout);
	std::thread([] { throw 1; }).join();
}
