# SPDX-License-Identifier: ISC
# forge.py FILE TO SEED - a checkpoint, changed in some bytes behind its head, with the right checksum
# (runtime/trust/checkpoint_file.h).
import random
import struct
import sys

HEAD, CHILDREN, PLACE, GAP = 128, 512 * 6, 24, 64
MASK = (1 << 64) - 1


def mix(x):
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def add(total, part):
    whole = len(part) // 8 * 8
    for (word,) in struct.iter_unpack("<Q", part[:whole]):
        total = mix(total ^ word)
    return mix(total ^ int.from_bytes(part[whole:], "big"))


def parts(data):
    nplaces, nimages = struct.unpack_from("<II", data, 112)
    at = HEAD
    for n in [CHILDREN] + [PLACE] * nplaces:
        yield at, n
        at += n
    for _ in range(nimages):
        gap = -at % GAP
        yield at, gap
        yield at + gap, GAP
        at += gap + GAP
        (n,) = struct.unpack_from("<Q", data, at - GAP)
        yield at, n
        at += n


data = bytearray(open(sys.argv[1], "rb").read())
pick = random.Random(sys.argv[3])
last = list(parts(data))[-1]
for _ in range(pick.randint(1, 3)):
    begin, n = pick.choice([(HEAD, CHILDREN // 50), last, last, last])
    data[begin + pick.randrange(n)] = pick.choice([0, 1, 2, 127, 128, 255])
total = 0
for begin, n in parts(data):
    total = add(total, bytes(data[begin : begin + n]))
struct.pack_into("<Q", data, 24, total)
open(sys.argv[2], "wb").write(data)
