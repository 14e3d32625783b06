/* SPDX-License-Identifier: ISC */
/*
 * cxx.cc - C++ and its library: exceptions, virtual calls, guards, containers, threads.
 */
#include <algorithm>
#include <atomic>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace
{

struct shape {
	virtual double area() const = 0;
	virtual ~shape()
	{
		destroyed++;
	}
	static int destroyed;
};
int shape::destroyed;

struct square : shape {
	explicit square(double s) : side(s)
	{
	}
	double area() const override
	{
		return side * side;
	}
	double side;
};

struct circle : shape {
	explicit circle(double r) : radius(r)
	{
	}
	double area() const override
	{
		return 3 * radius * radius;
	}
	double radius;
};

struct guard {
	explicit guard(std::string &t) : trace(t)
	{
		trace += "(";
	}
	~guard()
	{
		trace += ")";
	}
	std::string &trace;
};

void throws(std::string &trace, int depth)
{
	guard g(trace);
	int local[3] = {depth, depth, depth};

	trace += std::to_string(*std::max_element(local, local + 3));
	if (!depth)
		throw std::runtime_error("deep");
	throws(trace, depth - 1);
}

const std::map<std::string, int> &names()
{
	static const std::map<std::string, int> map = {{"one", 1}, {"two", 2}, {"three", 3}};

	return map;
}

void exceptions()
{
	std::string trace;

	try {
		throws(trace, 3);
	} catch (const std::logic_error &) {
		trace += "no";
	} catch (const std::exception &e) {
		trace += e.what();
	}
	std::cout << trace << "\n";
}

void containers()
{
	std::vector<std::unique_ptr<shape>> shapes;
	std::unordered_map<int, std::string> words;
	std::vector<int> v(100);
	std::ostringstream out;

	for (int i = 1; i < 5; i++) {
		if (i % 2)
			shapes.push_back(std::make_unique<square>(i));
		else
			shapes.push_back(std::make_unique<circle>(i));
	}
	for (auto &s : shapes)
		out << s->area() << (dynamic_cast<square *>(s.get()) ? "s " : "c ");
	shapes.clear();
	std::iota(v.begin(), v.end(), 0);
	std::sort(v.begin(), v.end(),
		[](int a, int b) { return a % 10 * 100 + a < b % 10 * 100 + b; });
	for (int i = 0; i < 20; i++)
		words[i * 7 % 20] += std::to_string(v[i]);
	out << shape::destroyed << " " << words[14] << " " << names().at("three") << " " << v[50];
	std::cout << out.str() << "\n";
}

void threads()
{
	std::atomic<long> sum{0};
	auto shared = std::make_shared<std::vector<int>>();
	std::vector<std::thread> all;
	std::mutex lock;

	for (int t = 0; t < 4; t++)
		all.emplace_back([&, shared, t] {
			for (int i = 0; i < 500; i++) {
				sum.fetch_add(i, std::memory_order_relaxed);
				std::lock_guard<std::mutex> l(lock);
				shared->push_back(t);
			}
			sum += names().at("two");
		});
	for (auto &t : all)
		t.join();
	std::cout << sum << " " << shared->size() << " "
		  << std::accumulate(shared->begin(), shared->end(), 0) << " " << shared.use_count()
		  << "\n";
}

} // namespace

int main()
{
	std::function<int(int)> twice = [](int i) { return 2 * i; };

	exceptions();
	containers();
	threads();
	std::cout << twice(21) << "\n";
	return 0;
}
