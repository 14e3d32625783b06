# SPDX-License-Identifier: ISC
# t_documents.sh - documents for machines: --junit, --sarif, --annotate, also of a refusal.
. "$(dirname "$0")/lib.sh"

mkdir src && cp "$here/sb.c" "$here/../../examples/publish.c" src
build -o sb src/sb.c
build -o publish src/publish.c
build -I"$here/../clean" -o abba "$here/../bugs/abba_deadlock.c"

sarif() { # title, file: its shape; then a filter of its run, and the name of that test; $f: the first result
	valid_sarif "$1: shape" "$2"
	holds "$1: $4" "$2" 'def uri: .physicalLocation.artifactLocation.uri;
		.runs[0] | .results[0] as $f | $f.codeFlows[-1]?.threadFlows as $flows | '"$3"
}

# An assertion under TSO.
t "sb" 1 "$heddle" run --model tso --junit sb.xml --sarif sb.sarif --json sb.json ./sb
has "sb: text too" out '^FAILED  assertion'
sarif "sb" sb.sarif '$f.ruleId == "assertion" and ($f.locations[0] | uri == "src/sb.c" and .physicalLocation.region.startLine == 34)' "where it fails, from the root"
sarif "sb" sb.sarif '[$flows[].id] == ["main", "T1", "T2"] and all($flows[1:][]; any(.locations[].location.message.text; contains("store")))' "a flow for each thread"
sarif "sb" sb.sarif '($f.codeFlows | length) == 2 and ($f.codeFlows[0].threadFlows | length) == 1 and
	($f.codeFlows[0].threadFlows[0].locations | all(.[]; .location.physicalLocation.artifactLocation.uri != null)
		and any(.[].location.message.text; startswith("T1: store x = 1"))
		and ([.[].executionOrder] | . == sort) and length > 8)' "one flow of all threads, each step at a place"
sarif "sb" sb.sarif 'all($flows[].locations[]; .location.physicalLocation.artifactLocation.uri != null)
	and any($flows[1].locations[].location; .message.text == "start" and .physicalLocation.region.startLine == 30)' "a thread starts where it was created"
sarif "sb" sb.sarif '$f.properties | .reorderDependent == true and .model == "tso" and (.replay | endswith("/sb.heddle"))' "properties"
sarif "sb" sb.sarif '.invocations[0] | .exitCode == 1 and (.commandLine | contains("run --model tso"))' "the command"
xml "sb: JUnit: counts" sb.xml '/testsuites[@tests = 1 and @failures = 1 and @errors = 0]/testsuite[@name = "sb" and @tests = 1 and @failures = 1]'
xml "sb: JUnit: the test" sb.xml '//testcase[@name = "sb" and @classname = "sb.tso" and @file = "src/sb.c" and @line = 34 and @time > 0]'
xml "sb: JUnit: the failure" sb.xml '//failure[@type = "assertion" and contains(@message, "r0 || r1") and contains(., "reaches memory")]'
xml "sb: JUnit: properties, last line" sb.xml '//property[@name = "complete" and @value = "false"] and //property[@name = "executions" and @value > 0]
	and //property[@name = "replay" and contains(concat(@value, "$"), "/sb.heddle$")] and contains(//system-out, "heddle: tso, graph")'

# A race: both accesses.
t "race" 1 "$heddle" run -q --sarif race.sarif --annotate always ./publish
sarif "race" race.sarif '$f | .ruleId == "race" and [.relatedLocations[].physicalLocation.region.startLine] == [49, 57] and (.stacks | length) == 4' "both accesses, both stacks, both creations"
has "race: annotation" out '^::error file=src/publish\.c,line=57,title=heddle%3A race::data race on message: T1 stores it at publish\.c:49, T2 loads it at publish\.c:57%0Aheddle replay publish\.heddle$'
has "race: the other access" out '^::notice file=src/publish\.c,line=49,title=heddle%3A race::the other access: T1 stores message = 1'
sarif "race, lines moved" race.sarif '$f.partialFingerprints | length > 0' "fingerprint"
sed -i '1i /* one more line */' src/publish.c && build -o publish src/publish.c
"$heddle" run -q --sarif moved.sarif ./publish >/dev/null
if [ "$(jq -c '.runs[0].results[0].partialFingerprints' race.sarif)" = \
	"$(jq -c '.runs[0].results[0].partialFingerprints' moved.sarif)" ]; then
	pass "fingerprint: lines do not matter"
else
	fail "fingerprint: lines do not matter" "$(jq -c '.runs[0].results[0].partialFingerprints' race.sarif moved.sarif)"
fi

t "deadlock" 1 "$heddle" run -q --sarif deadlock.sarif ./abba
sarif "deadlock" deadlock.sarif '$f | .ruleId == "deadlock" and ([.relatedLocations[].message.text[:8]] | sort) == ["T1 waits", "T2 waits", "main wai"]' "who waits"

# Several findings, nothing found, cut short, refused.
t "clean" 0 "$heddle" run --model sc --junit clean.xml --sarif clean.sarif --annotate always ./sb
sarif "clean" clean.sarif '.results == [] and (.invocations[0] | .exitCode == 0 and .executionSuccessful and .toolExecutionNotifications == [])' "no result"
xml "clean: JUnit" clean.xml '/testsuites/@failures = 0 and not(//failure) and //property[@name = "complete" and @value = "true"]'
hasnt "clean: no annotation" out '^::'
t "cut short" 3 "$heddle" run --model sc --strategy random --executions 9 --junit cut.xml --sarif cut.sarif --annotate always ./sb
sarif "cut short" cut.sarif '.results == [] and .invocations[0].toolExecutionNotifications[0].level == "warning"' "a notification says so"
xml "cut short: JUnit: passes, and says so" cut.xml '//testcase and not(//failure) and not(//error) and //property[@name = "complete" and @value = "false"]
	and contains(//system-out, "--executions")'
has "cut short: a warning" out '^::warning title=heddle::heddle: sc, random, 9 executions, not complete: '
t "refused" 2 "$heddle" run --preemptions 1 --model tso --json no.json --junit no.xml --sarif no.sarif ./sb
one_line "refused" "--preemptions needs --model sc"
sarif "refused" no.sarif '.invocations[0] | .executionSuccessful == false and (.toolExecutionNotifications[0].message.text | contains("needs --model sc"))' "a notification says why"
xml "refused: JUnit" no.xml '/testsuites/@errors = 1 and contains(//error/@message, "needs --model sc")'
[ "$(jq -r .error no.json)" = "--preemptions needs --model sc" ] && pass "refused: JSON" || fail "refused: JSON" "$(cat no.json)"

# Characters that XML and URIs cannot have; replay and report; standard output.
cat >"src/odd name.c" <<'END'
#include <heddle/heddle.h>
#include <stdio.h>
int main(void) { puts("\033[1m\001\377"); heddle_assert("<&\">" == 0); return 0; }
END
build -o odd -Wno-string-compare "src/odd name.c"
t "odd characters" 1 "$heddle" run --junit odd.xml --sarif odd.sarif ./odd
xml "odd characters: JUnit" odd.xml $'contains(//failure/@message, \'"<&\') and contains(//failure, "x01\\xff")'
sarif "odd characters" odd.sarif '$f.locations[0] | uri == "src/odd%20name.c"' "URI"
t "report --sarif -" 0 "$heddle" report --sarif - sb.heddle
cp out from_report.sarif
sarif "report" from_report.sarif '$f.ruleId == "assertion" and ($flows | length) == 3' "the same flows"
t "replay --junit -" 1 "$heddle" replay --junit - sb.heddle
cp out from_replay.xml
xml "replay: JUnit" from_replay.xml '//testcase[@name = "sb"]/failure/@type = "assertion"'
refused "two documents to one place" "only one document can go to standard output" "$heddle" run --json - --sarif - ./sb
refused "a file that cannot be written" "no/such: cannot be written: No such file or directory" "$heddle" run --sarif no/such ./sb
refused "wrong --annotate" "wrong value .x' for annotate: wanted auto, always or never" "$heddle" run --annotate x ./sb

# GitHub: by itself, paths from the root of the repository.
mkdir sub && cd sub || exit 2
t "GitHub" 1 env GITHUB_ACTIONS=true GITHUB_WORKSPACE="$scratch" "$heddle" run -q --model tso --sarif ../hub.sarif ../sb
has "GitHub: by itself, from its root" out '^::error file=src/sb\.c,line=34,title=heddle%3A assertion::assertion'
t "GitHub, not wanted" 1 env GITHUB_ACTIONS=true "$heddle" run -q --model tso --annotate never ../sb
hasnt "GitHub, not wanted: none" out '^::'
cd ..
sarif "GitHub" hub.sarif "(\$f.locations[0] | uri) == \"src/sb.c\" and .originalUriBaseIds.SRCROOT.uri == \"file://$scratch/\"" "from its root"
t "all XML is well-formed" 0 xmllint --noout sb.xml clean.xml cut.xml no.xml odd.xml from_replay.xml
finish
