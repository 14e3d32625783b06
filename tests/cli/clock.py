# SPDX-License-Identifier: ISC
"""clock.py SEED - commands that are interrupted at random moments, and how long they go on.

stdin: a line a case: TITLE; exit codes; what the output has to say; command. {time} in the command becomes --time and
the moment; without it the process gets SIGINT or SIGTERM then. A case is right if it ends within a second, not
counting the time for which its processes were ready to run and had no CPU: that is the machine's (schedstat).
"""
import random
import re
import signal
import subprocess
import sys
import threading
import time

LIMIT = 1.0


def family(pid):
    """The process, its children and theirs."""
    all_of_them, k = [pid], 0
    while k < len(all_of_them):
        try:
            with open(f"/proc/{all_of_them[k]}/task/{all_of_them[k]}/children", encoding="ascii") as f:
                all_of_them += [int(p) for p in f.read().split()]
        except OSError:
            pass
        k += 1
    return all_of_them


def starved(pid):
    """Seconds for which the one that has waited most had no CPU, by process."""
    waited = {}
    for p in family(pid):
        try:
            with open(f"/proc/{p}/schedstat", encoding="ascii") as f:
                waited[p] = int(f.read().split()[1]) / 1e9
        except (OSError, IndexError):
            pass
    return waited


def has_begun(pid):
    """Does heddle catch signals? On a busy machine it takes a while to begin. SIGINT may be ignored, in the background
    of a shell, and is then waited for later."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as f:
            caught = next(line.split()[1] for line in f if line.startswith("SigCgt"))
    except (OSError, StopIteration):
        return False
    return int(caught, 16) >> (signal.SIGTERM - 1) & 1


def run(command, moment, sig):
    """How late it ends, how much of that it had no CPU, its exit code and output."""
    began = time.monotonic()
    p = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    out = []
    reader = threading.Thread(target=lambda: out.append(p.stdout.read()))
    reader.start()
    while sig and p.poll() is None and not has_begun(p.pid) and time.monotonic() < began + 20:
        time.sleep(0.002)
    due = (time.monotonic() if sig else began) + moment
    before = starved(p.pid)
    while p.poll() is None and time.monotonic() < due:
        time.sleep(0.005)
        before = starved(p.pid)
    if sig and p.poll() is None:
        due = time.monotonic()
        p.send_signal(sig)
    waited = 0
    while p.poll() is None and time.monotonic() < due + 20:
        # Parent and child wait for one another: what each lacked adds up.
        waited = max(waited, sum(w - before.get(q, 0) for q, w in starved(p.pid).items()))
        time.sleep(0.005)
    late = time.monotonic() - due
    if p.poll() is None:
        p.kill()
    reader.join()
    return late, waited, p.returncode, out[0].decode(errors="replace")


def main():
    rnd = random.Random(int(sys.argv[1]))
    worst = failed = 0
    for line in sys.stdin:
        title, codes, words, command = (s.strip() for s in line.split(";", 3))
        moment = rnd.uniform(0.05, 0.4)
        sig = 0 if "{time}" in command else rnd.choice([signal.SIGINT, signal.SIGTERM])
        argv = command.replace("{time}", f"--time {moment:.2f}").split()
        late, waited, code, out = run(argv, moment, sig)
        worst = max(worst, late - waited)
        good = late - waited <= LIMIT and str(code) in codes.split() and re.search(words, out)
        print("ok" if good else "not ok", "-", title)
        if not good:
            failed = 1
            print(f"    # {command}, {sig or 'time'} at {moment:.2f} s: {late:.2f} s late, {waited:.2f} s without CPU, "
                  f"exit code {code}\n    # " + out.strip().replace("\n", "\n    # "))
    print(f"# worst delay {worst:.2f} s", file=sys.stderr)
    sys.exit(failed)


main()
