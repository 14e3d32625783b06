#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""random.py - random programs of relaxed loads and stores, of which nothing but sequentially consistent outcomes is
asserted: the repair that `heddle fences' finds costs as much as the cheapest of all choices, each tried by itself.

    random.py HEDDLE HEDDLE-CC MODEL SEED N      N programs that fail; in the current directory
"""
import itertools
import json
import os
import random
import subprocess
import sys

heddle, cc, model, seed, wanted = sys.argv[1:]
rnd = random.Random(int(seed))
buffers = model in ("tso", "pso")


def program():
    """Threads as lists of ("W", variable, value) and ("R", variable, register)."""
    values, registers, threads = itertools.count(1), itertools.count(0), []
    n = rnd.choice([2, 2, 3])
    for _ in range(n):
        thread = []
        for _ in range(rnd.choice([2, 3] if n == 2 else [1, 2, 2])):
            variable = rnd.choice("xy" if n == 2 else "xyz")
            write = rnd.random() < 0.55
            thread.append(("W", variable, next(values)) if write else ("R", variable, next(registers)))
        threads.append(thread)
    return threads


def outcomes(threads):
    """Of all interleavings: registers and memory at the end."""
    found = set()

    def go(at, memory, registers):
        if all(at[t] == len(threads[t]) for t in range(len(threads))):
            found.add((tuple(sorted(registers.items())), tuple(sorted(memory.items()))))
        for t, thread in enumerate(threads):
            if at[t] == len(thread):
                continue
            kind, variable, n = thread[at[t]]
            after = at[:t] + (at[t] + 1,) + at[t + 1:]
            if kind == "W":
                go(after, {**memory, variable: n}, registers)
            else:
                go(after, memory, {**registers, n: memory[variable]})

    go((0,) * len(threads), {"x": 0, "y": 0, "z": 0}, {})
    return found


def source(threads):
    text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y, z;\nint r[16];\n"
    for t, thread in enumerate(threads):
        text += f"static void *t{t}(void *arg)\n{{\n"
        for kind, variable, n in thread:
            if kind == "W":
                text += f"\tatomic_store_explicit(&{variable}, {n}, memory_order_relaxed);\n"
            else:
                text += f"\tr[{n}] = atomic_load_explicit(&{variable}, memory_order_relaxed);\n"
        text += "\treturn arg;\n}\n"
    text += "int main(void)\n{\n\tpthread_t t[3];\n"
    text += "".join(f"\tpthread_create(&t[{t}], 0, t{t}, 0);\n" for t in range(len(threads)))
    text += "".join(f"\tpthread_join(t[{t}], 0);\n" for t in range(len(threads)))
    text += "\tint X = x, Y = y, Z = z;\n\tassert(" + " || ".join(
        "(" + " && ".join([f"r[{i}] == {v}" for i, v in registers] + [f"{name.upper()} == {v}" for name, v in memory]) + ")"
        for registers, memory in sorted(outcomes(threads))) + ");\n\treturn 0;\n}\n"
    return text


def quietly(*command, **more):
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more).returncode


def at_site(kind):
    """What can be done there, with its cost."""
    if not buffers:
        return [(0, ""), (1, "order=release" if kind == "store" else "order=acquire"), (7, "order=seq_cst")]
    if kind != "store":
        return [(0, ""), (6, "before=seq_cst")]
    some = [(0, ""), (6, "after=seq_cst")]
    return some + [(1, "order=release"), (7, "order=release after=seq_cst")] if model == "pso" else some


def cheapest():
    quietly("./program", env={**os.environ, "HEDDLE_OPTIONS": f"explore,sites=sites,keep-going,model={model}"})
    with open("sites") as f:
        sites = [line.split() for line in f if " plain " not in line and "alone" not in line]
    options = [[(cost, f"{site[0]} {what}" if what else "") for cost, what in at_site(site[1])] for site in sites]
    choices = sorted((sum(cost for cost, _ in c), "\n".join(what for _, what in c if what))
                     for c in itertools.product(*options))
    for cost, orders in choices:
        with open("orders", "w") as f:
            f.write(orders + "\n")
        if quietly(heddle, "run", "-q", "--model", model, "--orders", "orders", "./program") == 0:
            return cost
    return "impossible"


done = 0
while done < int(wanted):
    with open("program.c", "w") as f:
        f.write(source(program()))
    if quietly(cc, "-g", "-O1", "-pthread", "program.c", "-o", "program") != 0:
        sys.exit("not ok - random.py: a program does not compile")
    quietly(heddle, "fences", "--model", model, "--json", "result.json", "--patch", "/dev/null",
            *([] if buffers else ["--changes", "order"]), "./program")
    with open("result.json") as f:
        result = json.load(f)
    if result["result"] == "clean":
        continue
    done += 1
    got, best = result["repairs"][0]["cost"] if result["repairs"] else result["result"], cheapest()
    title = f"random program {done} of seed {seed}, {model}: nothing cheaper than {best}"
    print(f"ok - {title}" if got == best else f"not ok - {title}: {got}")
