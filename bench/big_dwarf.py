#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""big_dwarf.py FOLDER [--units N]: a C++ program with about 100 MB of DWARF, FOLDER/big.

200 units, each with instances of templates of its own beside the standard library's. Takes some
minutes of two processors, and compiles only what is not there yet.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess

UNIT = """
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>
namespace unit_{n} {{
template <int N> struct item {{
	int value = N;
	std::string name;
	bool operator<(const item &o) const {{ return value < o.value; }}
}};
template <int N> int work(int x)
{{
	std::map<std::string, std::vector<item<N>>> table;
	std::unordered_map<int, std::shared_ptr<item<N>>> other;
	other[x] = std::make_shared<item<N>>();
	table["a"].push_back(*other[x]);
	std::sort(table["a"].begin(), table["a"].end());
	std::function<int(int)> f = [&](int y) {{ return y + (int)table.size(); }};
	return f(x) + N;
}}
int run(int x) {{ return work<1>(x) + work<2>(x); }}
}}
int only_in_{n}(int x) {{ return unit_{n}::run(x) + {n}; }}
"""


def compile_unit(folder, n):
    source, made = folder / f"unit_{n}.cc", folder / f"unit_{n}.o"
    if not made.exists():
        source.write_text(UNIT.format(n=n))
        part = made.with_suffix(".part")
        subprocess.run(["g++", "-g", "-O0", "-c", source, "-o", part], check=True)
        part.rename(made)  # an interrupted run leaves no half of it
    return made


def build(folder, units=200):
    """The program; made only if it is not there."""
    program = folder / "big"
    if program.exists():
        return program
    folder.mkdir(parents=True, exist_ok=True)
    calls = "".join(f"int only_in_{n}(int);\n" for n in range(units))
    calls += "int main(int argc, char **argv)\n{\n\tint sum = argv[0] == nullptr;\n"
    calls += "".join(f"\tsum += only_in_{n}(argc);\n" for n in range(units)) + "\treturn sum == 0;\n}\n"
    (folder / "main.cc").write_text(calls)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        made = list(pool.map(lambda n: compile_unit(folder, n), range(units)))
    subprocess.run(["g++", "-g", folder / "main.cc", *made, "-o", program], check=True)
    return program


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--units", type=int, default=200)
    options = parser.parse_args()
    print(build(options.folder, options.units))


if __name__ == "__main__":
    main()
