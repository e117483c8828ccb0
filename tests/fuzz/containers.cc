/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Containers: a program whose types fuzz_container.c reads memory as; it need not run for that.
 * Run with the name of a folder it makes the seeds there: of each variable vN the memory that a
 * container like it uses, at the addresses where fuzz_container.c puts it, behind the number N and
 * 0xff (what it says of itself is true) twice.
 */
#include <any>
#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <valarray>
#include <variant>
#include <vector>

enum { BASE = 1 << 16, ROOM = 1 << 16 };
static char *free_room;

static void *take(std::size_t size)
{
	char *got = free_room;

	if (!got)
		return std::malloc(size);
	free_room += (size + 15) / 16 * 16;
	if (free_room > (char *)BASE + ROOM)
		std::abort();
	return got;
}
void *operator new(std::size_t size)
{
	return take(size);
}
void operator delete(void *) noexcept
{
}
void operator delete(void *, std::size_t) noexcept
{
}

static void keep(const char *folder, int number, const char *kind)
{
	std::size_t len = (std::size_t)(free_room - (char *)BASE);
	const unsigned char head[] = { (unsigned char)number, 0xff, 0xff, 0 };

	free_room = nullptr;
	std::string path = std::string(folder) + "/" + kind;
	FILE *f = std::fopen(path.c_str(), "w");
	if (!f || std::fwrite(head, sizeof(head), 1, f) != 1 ||
	    std::fwrite((void *)BASE, len, 1, f) != 1 || std::fclose(f))
		std::abort();
}

typedef std::map<std::string, int> map_type;
typedef std::unordered_map<int, std::string> hash_type;
typedef std::pair<int, std::string> pair_type;
typedef std::tuple<char, std::string, double> tuple_type;
typedef std::variant<int, std::string> variant_type;
typedef std::function<int(int)> function_type;
typedef std::array<short, 5> array_type;
static int twice(int n)
{
	return 2 * n;
}

/* Number, name of the seed, type, how one is made. */
#define OBJECTS                                                                                    \
	OBJECT(0, string, std::string, "hi")                                                       \
	OBJECT(1, long_string, std::string, "a text that does not fit into the object")            \
	OBJECT(2, wide_string, std::wstring, L"wide")                                              \
	OBJECT(3, string_view, std::string_view, *new std::string("a view of twenty letters"))     \
	OBJECT(4, vector, std::vector<int>, { 1, 2, 3 })                                           \
	OBJECT(5, bits, std::vector<bool>, { true, false, true })                                  \
	OBJECT(6, strings, std::vector<std::string>, { "a", "b" })                                 \
	OBJECT(7, vectors, std::vector<std::vector<int>>, { { 1 }, { 2, 3 } })                     \
	OBJECT(8, deque, std::deque<int>, { 1, 2, 3 })                                             \
	OBJECT(9, list, std::list<int>, { 1, 2, 3 })                                               \
	OBJECT(10, forward_list, std::forward_list<int>, { 1, 2, 3 })                              \
	OBJECT(11, map, map_type, { { "one", 1 }, { "two", 2 } })                                  \
	OBJECT(12, multiset, std::multiset<char>, { 'a', 'b', 'b' })                               \
	OBJECT(13, unordered_map, hash_type, { { 1, "x" }, { 2, "y" } })                           \
	OBJECT(14, unordered_set, std::unordered_set<long>, { 1, 2 })                              \
	OBJECT(15, pair, pair_type, 1, "p")                                                        \
	OBJECT(16, tuple, tuple_type, 'a', "t", 2.5)                                               \
	OBJECT(17, optional, std::optional<int>, 5)                                                \
	OBJECT(18, variant, variant_type, "v")                                                     \
	OBJECT(19, any, std::any, 5)                                                               \
	OBJECT(20, unique_ptr, std::unique_ptr<int>, new int(3))                                   \
	OBJECT(21, shared_ptr, std::shared_ptr<int>, std::make_shared<int>(4))                     \
	OBJECT(22, weak_ptr, std::weak_ptr<int>, *new auto(std::make_shared<int>(4)))              \
	OBJECT(23, function, function_type, twice)                                                 \
	OBJECT(24, bitset, std::bitset<70>, 11)                                                    \
	OBJECT(25, duration, std::chrono::milliseconds, 250)                                       \
	OBJECT(26, time_point, std::chrono::system_clock::time_point,                              \
	       std::chrono::seconds(1700000000))                                                   \
	OBJECT(27, complex, std::complex<double>, 1, 2)                                            \
	OBJECT(28, valarray, std::valarray<int>, { 1, 2, 3 })                                      \
	OBJECT(29, atomic, std::atomic<int>, 4)                                                    \
	OBJECT(30, mutex, std::mutex, )                                                            \
	OBJECT(31, thread, std::thread, )                                                          \
	OBJECT(32, array, array_type, { 1, 2, 3 })                                                 \
	OBJECT(33, vector_iterator, std::vector<int>::iterator,                                    \
	       (new std::vector<int>{ 1 })->begin())                                               \
	OBJECT(34, map_iterator, map_type::iterator, (new map_type{ { "k", 1 } })->begin())        \
	OBJECT(35, deque_iterator, std::deque<int>::iterator, (new std::deque<int>{ 1 })->begin())

#define OBJECT(number, name, type, ...) type v##number;
OBJECTS
#undef OBJECT

#define OBJECT(number, name, type, ...)                                                            \
	free_room = (char *)BASE;                                                                  \
	new (take(sizeof(type))) type(__VA_ARGS__);                                                \
	keep(argv[1], number, #name);

int main(int argc, char **argv)
{
	if (argc != 2 ||
	    mmap((void *)BASE, ROOM, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED)
		return 1;
	OBJECTS
	return 0;
}
