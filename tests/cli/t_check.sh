# SPDX-License-Identifier: ISC
# t_check.sh - heddle_check(): explore a function inside a program, replay its finding.
. "$(dirname "$0")/lib.sh"

build -o check "$here/check.c"
export HEDDLE_TOOL=$heddle

t "all in one process" 0 ./check tso sc twice choices tso
has "a finding" out "^tso: code 1, 1 findings, incomplete, .*: assertion .s->r0 .. s->r1. failed"
has "no finding" out "^sc: code 0, 0 findings, complete, executions [1-9][0-9]*, blocked 0$"
has "double free of a block from before" out "^twice: code 1, 1 findings, .*: double free"
has "choices" out "^choices: code 0, 0 findings, complete, executions 9, blocked 3$"
[ ! -s err ] && pass "quiet" || fail "quiet" "$(cat err)"

t "threads of one exploration are not those of another" 0 ./check trees trees trees trees trees trees trees trees trees trees
has "threads of one exploration" out "^trees: code 0, 0 findings, complete"
hasnt "threads of one exploration" out "^trees: code [^0]"

t "with a report" 0 ./check sc report
has "report on stderr" err "^FAILED  assertion .s->r0"
has "report says where" err "check\.c:[0-9]+"
hasnt "report not on stdout" out "FAILED"
HEDDLE_TOOL=/nonexistent t "without the tool" 0 ./check report
has "without the tool: the finding" err "^heddle: FAILED assertion: "
has "without the tool: the file" err "^heddle: replay file .*check\.1\.heddle"
[ "$(wc -l <err)" = 2 ] && pass "without the tool: two lines" || fail "without the tool: two lines" "$(cat err)"

t "the second of three calls" 0 ./check sc tso sc
t "replay" 1 "$heddle" replay check.2.heddle
has "replay: the finding" out "^FAILED  assertion .s->r0"
[ "$(grep -c "^sc: " out)" = 1 ] && pass "replay: nothing runs after it" ||
	fail "replay: nothing runs after it" "$(cat out)"

t "bad option" 0 ./check bad-option
has "bad option" err '^heddle: heddle_check: options "model=foo", at character 1: .*sc, tso, pso, sra, ra, rc11, arm8, power, riscv, imm, or auto'
has "bad option: code 2" out "^bad-option: code 2, 0 findings"
t "nested" 0 ./check nested sc
has "nested" err "^heddle: heddle_check\(\) inside an explored execution"
has "nested: code 2" out "^nested: code 2, 0 findings"
has "nested: and goes on" out "^sc: code 0"
t "other threads" 0 ./check threads sc
has "other threads" err "^heddle: heddle_check: 1 other thread is running; join it first"
has "other threads: code 2" out "^threads: code 2"
has "other threads: and goes on" out "^sc: code 0"
refused "inside heddle run" "heddle_check\(\) inside an explored execution" "$heddle" run ./check sc
HEDDLE_OPTIONS=model=sc t "the environment's model" 0 ./check tso
has "the environment's model" out "^tso: code 0, 0 findings, complete"
HEDDLE_OPTIONS=modle=sc refused "the environment is wrong" "HEDDLE_OPTIONS, at character 1: no option .modle." ./check tso
# Without the runtime: the function is called once, the result says that nothing was found.
cat >once.c <<-'END'
	#include <heddle/heddle.h>
	#include <stdio.h>
	#include <string.h>
	static void f(void *arg) { ++*(int *)arg; }
	int main(void)
	{
		struct heddle_result r;
		int n = 0;
		memset(&r, 0x55, sizeof r);
		printf("%d", heddle_check(f, &n, NULL, &r));
		printf(" %d %d %p %p\n", n, (int)r.findings, (void *)r.message, (void *)r.replay);
		return 0;
	}
END
if gcc -Wall -Wextra -Werror -I"$B/include" -o once once.c 2>err &&
	g++ -Wall -Wextra -Werror -x c++ -fsyntax-only -I"$B/include" once.c 2>>err; then
	t "without the runtime" 0 ./once
	has "without the runtime: once, and the result is filled in" out '^0 1 0 \(nil\) \(nil\)$'
else
	fail "without the runtime" "$(cat err)"
fi
finish
