# SPDX-License-Identifier: ISC
# t_documents.sh - documents for machines: --junit, --sarif, --annotate, also of a refusal.
. "$(dirname "$0")/lib.sh"

mkdir src && cp "$here/sb.c" "$here/../../examples/publish.c" src
build -o sb src/sb.c
build -o publish src/publish.c
build -I"$here/../clean" -o abba "$here/../bugs/abba_deadlock.c"

sarif() { # title, file: its shape; then a filter of its run, and the name of that test; $f: the first result
	if python3 "$here/sarif.py" "$2" >why 2>&1; then pass "$1: shape"; else fail "$1: shape" "$(cat why)"; fi
	holds "$1: $4" "$2" 'def uri: .physicalLocation.artifactLocation.uri;
		.runs[0] | .results[0] as $f | $f.codeFlows[0]?.threadFlows as $flows | '"$3"
}

junit() { # title, file, condition on suites, suite, test
	if python3 -c "
import xml.etree.ElementTree as E
suites = E.parse('$2').getroot()
suite = suites[0]
test = suite.find('testcase')
values = {p.get('name'): p.get('value') for p in test.iter('property')}
assert $3, E.tostring(suites)
" 2>why; then pass "$1"; else fail "$1" "$(tail -3 why)"; fi
}

# An assertion under TSO.
t "sb" 1 "$heddle" run --model tso --junit sb.xml --sarif sb.sarif --json sb.json ./sb
has "sb: text too" out '^FAILED  assertion'
sarif "sb" sb.sarif '$f.ruleId == "assertion" and ($f.locations[0] | uri == "src/sb.c" and .physicalLocation.region.startLine == 34)' "where it fails, from the root"
sarif "sb" sb.sarif '[$flows[].id] == ["main", "T1", "T2"] and all($flows[1:][]; any(.locations[].location.message.text; contains("store")))' "a flow for each thread"
sarif "sb" sb.sarif '$f.properties | .reorderDependent == true and .model == "tso" and (.replay | endswith("/sb.heddle"))' "properties"
sarif "sb" sb.sarif '.invocations[0] | .exitCode == 1 and (.commandLine | contains("run --model tso"))' "the command"
junit "sb: JUnit: counts" sb.xml "[suites.get(k) for k in ('tests', 'failures', 'errors')] == ['1', '1', '0'] and [suite.get(k) for k in ('name', 'tests', 'failures')] == ['sb', '1', '1']"
junit "sb: JUnit: the test" sb.xml "[test.get(k) for k in ('name', 'classname', 'file', 'line')] == ['sb', 'sb.tso', 'src/sb.c', '34'] and float(test.get('time')) > 0"
junit "sb: JUnit: the failure" sb.xml "test.find('failure').get('type') == 'assertion' and 'r0 || r1' in test.find('failure').get('message') and 'reaches memory' in test.find('failure').text"
junit "sb: JUnit: properties, last line" sb.xml "values['complete'] == 'false' and int(values['executions']) > 0 and values['replay'].endswith('/sb.heddle') and 'heddle: tso, graph' in test.find('system-out').text"

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
junit "clean: JUnit" clean.xml "suites.get('failures') == '0' and test.find('failure') is None and values['complete'] == 'true'"
hasnt "clean: no annotation" out '^::'
t "cut short" 3 "$heddle" run --model sc --strategy random --executions 9 --junit cut.xml --sarif cut.sarif --annotate always ./sb
sarif "cut short" cut.sarif '.results == [] and .invocations[0].toolExecutionNotifications[0].level == "warning"' "a notification says so"
junit "cut short: JUnit: passes, and says so" cut.xml "test.find('failure') is None and test.find('error') is None and values['complete'] == 'false' and '--executions' in test.find('system-out').text"
has "cut short: a warning" out '^::warning title=heddle::heddle: sc, random, 9 executions, not complete: '
t "refused" 2 "$heddle" run --preemptions 1 --model tso --json no.json --junit no.xml --sarif no.sarif ./sb
one_line "refused" "--preemptions needs --model sc"
sarif "refused" no.sarif '.invocations[0] | .executionSuccessful == false and (.toolExecutionNotifications[0].message.text | contains("needs --model sc"))' "a notification says why"
junit "refused: JUnit" no.xml "suites.get('errors') == '1' and 'needs --model sc' in test.find('error').get('message')"
[ "$(jq -r .error no.json)" = "--preemptions needs --model sc" ] && pass "refused: JSON" || fail "refused: JSON" "$(cat no.json)"

# Characters that XML and URIs cannot have; replay and report; standard output.
cat >"src/odd name.c" <<'END'
#include <heddle/heddle.h>
#include <stdio.h>
int main(void) { puts("\033[1m\001\377"); heddle_assert("<&\">" == 0); return 0; }
END
build -o odd -Wno-string-compare "src/odd name.c"
t "odd characters" 1 "$heddle" run --junit odd.xml --sarif odd.sarif ./odd
junit "odd characters: JUnit" odd.xml "'\"<&' in test.find('failure').get('message') and 'x01' + chr(92) + 'xff' in test.find('failure').text"
sarif "odd characters" odd.sarif '$f.locations[0] | uri == "src/odd%20name.c"' "URI"
t "report --sarif -" 0 "$heddle" report --sarif - sb.heddle
cp out from_report.sarif
sarif "report" from_report.sarif '$f.ruleId == "assertion" and ($flows | length) == 3' "the same flows"
t "replay --junit -" 1 "$heddle" replay --junit - sb.heddle
cp out from_replay.xml
junit "replay: JUnit" from_replay.xml "test.find('failure').get('type') == 'assertion' and test.get('name') == 'sb'"
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
if command -v xmllint >/dev/null; then
	t "all XML is well-formed" 0 xmllint --noout sb.xml clean.xml cut.xml no.xml odd.xml from_replay.xml
fi
finish
