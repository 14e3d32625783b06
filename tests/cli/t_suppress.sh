# SPDX-License-Identifier: ISC
# t_suppress.sh - heddle.supp: its matches, the continued search, the messages.
. "$(dirname "$0")/lib.sh"

cp "$here/suppress.c" .
build -o p suppress.c
run=("$heddle" run)

rules() { cat >heddle.supp; }

# A race: without the rule it is the only finding; with it the search continues past it.
t "no rules" 1 "${run[@]}" -q ./p ra
has "no rules: the race ends it" out 'stopped at the first finding .* 1 failing, [0-9.]+ s$'
rules <<'END'
# statistics only,
#   harmless
race function=count_*

deadlock file=old/*.c  # gone
END
t "a race" 0 "${run[@]}" ./p r
hasnt "a race: no report" out FAILED
has "a race: which rule took what" out '^note: heddle\.supp:3 suppresses: data race on hits: T[12] .* suppress\.c:17, T[12] '
has "a race: a rule that takes nothing" out '^note: heddle\.supp:5 suppresses nothing: deadlock file=old/\*\.c$'
has "a race: what was not explored" out '^note: past a suppressed race .*other values that they may read are not explored'
has "a race: the last line" out ' executions, complete, 0 failing, 1 finding suppressed, '
t "a race and an assertion behind it" 1 "${run[@]}" ./p ra
has "an assertion behind a race" out '^FAILED  assertion .r0 \|\| r1'
has "an assertion behind a race: replay file" out 'heddle replay (p-[0-9]+\.heddle)$'
t "it replays" 1 "$heddle" replay "$(sed -nE 's/.*heddle replay (p-[0-9]+\.heddle)$/\1/p' out)"
hasnt "replay: no rules" out 'suppresses'
for options in "-j2" "--strategy random --executions 300" "--model tso" "--model sc --races ignore"; do
	printf 'race\nassertion function=main\n' >two.supp
	t "race and assertion, $options" "$([[ $options = *random* ]] && echo 3 || echo 0)" \
		"${run[@]}" -q $options --suppressions two.supp ./p ra
	has "race and assertion, $options: none failing" out '0 failing'
done

# Suppressing all races is like ignoring races: the same number of executions.
for name in race_double_checked race_read_lock race_mixed_access; do
	build -o "$name" "$here/../bugs/$name.c"
	"${run[@]}" -q --races ignore "./$name" >ignored
	echo race | "${run[@]}" -q --suppressions /dev/stdin "./$name" >passed
	if [ "$(grep -oE '[0-9]+ executions?, complete' ignored)" = "$(grep -oE '[0-9]+ executions?, complete' passed)" ]; then
		pass "as many executions as without races: $name"
	else
		fail "as many executions as without races: $name" "$(cat ignored passed)"
	fi
done

# The same assertion from two callers: by function on the stack, only one is suppressed.
rules <<<'assertion function=known_check'
t "known caller" 0 "${run[@]}" -q ./p k
has "known caller: suppressed" out '0 failing, 1 finding suppressed'
t "the other caller" 1 "${run[@]}" -q ./p f
has "the other caller: unused rule" out '^note: heddle\.supp:1 suppresses nothing: assertion function=known_check$'
for options in "--model rc11" "--model tso --strategy dfs" "--strategy random --executions 300" "--model pso --strategy pct --executions 300" "-j2"; do
	t "both callers, $options" 1 "${run[@]}" $options ./p kf
	has "both callers, $options: the fresh one" out '^    #1 +fresh_check'
	hasnt "both callers, $options: not the known one" out '^    #1 +known_check'
done
rules <<<'assertion function=main'
t "a thread that always fails hides nothing" 1 "${run[@]}" -q ./p ak

# Files: the last parts of the path. Both conditions hold for one call.
t2() { echo "$2" >some.supp && t "$1" "$3" "${run[@]}" -q --suppressions some.supp ./p k; }
t2 "file" 'assertion file=suppress.c' 0
t2 "function and file" 'assert* function=known_check file=*.c' 0
t2 "the thread's first function" '[ad]* function=o?e' 0
t2 "another file" 'assertion file=ess.c' 1
t2 "another function" 'assertion function=known' 1
t2 "another kind" 'race function=known_check' 1

# Deadlocks, by any waiting thread; a process that dies; suppressed findings alone are no failure.
rules <<<'deadlock function=both'
t "deadlock" 0 "${run[@]}" -q ./p d
has "deadlock: suppressed" out '0 failing, 1 finding suppressed'
echo 'crash' >crash.supp
t "a process that dies" 1 "${run[@]}" -q --suppressions crash.supp ./p e
t "cut short" 3 "${run[@]}" -q --suppressions two.supp --executions 2 ./p r

# For machines.
rules <<'END'
# issue 12
race function=count_*
crash
END
t "documents" 1 "${run[@]}" -q --json j.json --sarif s.sarif --junit u.xml --annotate always ./p ra
[ "$(grep -c '^::error' out)" = 1 ] && pass "annotations: one" || fail "annotations: one" "$(cat out)"
if jq -e '.suppressed == 1 and .exit_code == 1 and [.findings[] | select(.suppressed == null) | .kind] == ["assertion"]
		and ([.findings[] | select(.kind == "race") | .suppressed.line] | unique) == [2]
		and [.suppressions[] | [.line, .reason, (.findings > 0)]] == [[2, "issue 12", true], [3, null, false]]' j.json >/dev/null; then
	pass "JSON"
else
	fail "JSON" "$(jq 'del(.findings[].steps)' j.json | head -60)"
fi
valid_sarif "SARIF: its shape" s.sarif
if jq -e '[.runs[0].results[] | select(.ruleId == "race") | .suppressions[0] | [.kind, .status, .justification, .location.physicalLocation.region.startLine]] | unique == [["external", "accepted", "issue 12", 2]]' s.sarif >/dev/null; then
	pass "SARIF: suppressions"
else
	fail "SARIF: suppressions" "$(jq '.runs[0].results[].suppressions' s.sarif)"
fi
[ "$(grep -c '<failure' u.xml)" = 1 ] && grep -q 'failure message="assertion' u.xml && grep -q 'name="suppressed" value="1"' u.xml &&
	pass "JUnit: one failure" || fail "JUnit: one failure" "$(cat u.xml)"

# Mistakes.
bad() { # what is wrong, the line's number, pattern, rules
	printf "$4" >bad.supp
	refused "$1" "^heddle: bad\.supp:$2: $3" "$heddle" run --suppressions bad.supp ./p
}
bad "a kind that there is not" 2 "no kind of finding .rcae': did you mean .race'\?$" '# x\nrcae function=f\n'
bad "a glob of no kind" 1 "no kind of finding .\*wombat\*': there are assertion, " '*wombat*\n'
bad "another condition" 1 ".func=f': wanted function=GLOB or file=GLOB$" 'race func=f\n'
bad "no condition" 3 ".f': wanted function=GLOB" '\n\nrace f\n'
bad "an empty glob" 1 ".file=': the glob is empty" 'race file=\n'
bad "twice" 1 "a second file: .file=b'" 'race file=a file=b\n'
bad "no text" 1 "a NUL byte" 'race\000\n'
refused "no such file" "^heddle: none\.supp: No such file or directory$" "$heddle" run --suppressions none.supp ./p
printf 'bogus\n' >heddle.supp
refused "a mistake in heddle.supp" "^heddle: heddle\.supp:1: no kind" "$heddle" run ./p
printf '\n# nothing\n' >heddle.supp
t "an empty file" 1 "${run[@]}" -q ./p k
t "--help names it" 0 "${run[@]}" --help
has "--help names it: default" out 'heddle\.supp'
# --- heddle known, heddle_check(), run --suite

cat >check.c <<'END'
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdio.h>

static int hits;

static void *count_hits(void *arg) { hits++; return arg; }

static void test(void *arg)
{
	pthread_t t, u;

	pthread_create(&t, 0, count_hits, arg);
	pthread_create(&u, 0, count_hits, arg);
	pthread_join(t, 0);
	pthread_join(u, 0);
	heddle_assert(!arg);
}

int main(void)
{
	struct heddle_result r;

	for (int i = 0; i < 2; i++) {
		int code = heddle_check(test, i ? "" : NULL, NULL, &r);

		printf("%d: %d, %d findings, %s\n", i, code, (int)r.findings, r.message ? r.message : "none");
	}
	return 0;
}
END
build -o check check.c
export HEDDLE_TOOL=$heddle
rm -f heddle.supp
t "heddle_check(), no rules" 0 ./check
has "heddle_check(), no rules: it counts" out '^0: 1, 1 findings, data race'
rules <<<'race function=count_*'
t "heddle_check()" 0 ./check
has "heddle_check(): suppressed" out '^0: 0, 0 findings, none'
has "heddle_check(): what was" err 'heddle\.supp suppresses: data race'
has "heddle_check(): behind it" out '^1: 1, 1 findings, assertion'
t "heddle_check(), other rules" 0 env HEDDLE_SUPPRESSIONS=/dev/null ./check
has "heddle_check(), other rules: it counts" out '^0: 1, 1 findings, data race'
t "heddle_check(), no tool" 0 env HEDDLE_TOOL=/nowhere ./check
has "heddle_check(), no tool: said" err 'heddle\.supp is ignored'
has "heddle_check(), no tool: it counts" out '^0: 1, 1 findings, data race'
t "known" 0 "$heddle" known check.1.heddle
has "known: the rule" out '^heddle\.supp:1 suppresses: data race on hits'
rules <<<'deadlock'
t "not known" 1 "$heddle" known check.1.heddle
refused "known, without a file" "name one replay file" "$heddle" known

"$cc" -g -o suite "$here/suite.c" -lcunit 2>err || fail "suite" "$(cat err)"
printf 'assertion function=counter_statistics\nrace function=unknown\n' >heddle.supp
t "--suite" 1 "$heddle" run --suite ./suite
has "--suite: the test is ok" out '^ok +counter: statistics .*, 1 finding suppressed$'
has "--suite: which rule" out '^note: heddle\.supp:1 suppresses: assertion .CU_ASSERT_EQUAL'
has "--suite: a rule for nothing" out '^note: heddle\.supp:2 suppresses nothing: race function=unknown$'
has "--suite: the others" out '19 ok, 1 failed'
finish
