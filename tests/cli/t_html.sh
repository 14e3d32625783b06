# SPDX-License-Identifier: ISC
# t_html.sh - --html: a page that loads nothing, is complete without its script, and can be stepped through in a
# browser.
. "$(dirname "$0")/lib.sh"

# page TITLE FILE CONDITION [FOLDER]: also, elements nest, nothing is loaded, links lead to the page, or into the folder.
page() {
	xml "$1" "$2" "$3"
	xmllint --html --noout "$2" 2>&1 | grep error | grep -v 'Tag .* invalid$' >wrong
	xmllint --html --xpath '//@id' "$2" 2>/dev/null | sort | uniq -d >>wrong
	xmllint --html --xpath '//@src | //@*[starts-with(name(), "on")] | //link | //iframe | //object | //img |
		//a[starts-with(@href, "#") and not(substring(@href, 2) = //@id)]' "$2" >>wrong 2>/dev/null
	for to in $(xmllint --html --xpath '//a[not(starts-with(@href, "#"))]/@href' "$2" 2>/dev/null | sed 's/.*"\(.*\)"/\1/'); do
		[ -n "${4-}" ] && [ -f "$4/$to" ] || echo "link to $to" >>wrong
	done
	[ ! -s wrong ] || fail "$1: as a page" "$(cat wrong)"
}

# smaller TITLE FILE KB
smaller() {
	if [ "$(stat -c %s "$2")" -lt $(($3 * 1024)) ]; then pass "$1"; else fail "$1" "$(stat -c %s "$2") bytes"; fi
}

cp "$here/../../examples/sb.c" "$here/../../examples/publish.c" .
build -o sb sb.c
build -o publish publish.c
t "run --html" 1 "$heddle" run --model tso --html sb.html ./sb
has "the text is there, too" out '^FAILED  assertion'
page "headline" sb.html '(//h2)[1] = "assertion `r0 || r1'"'"' failed" and contains(//p.qualities, "impossible under sc")'
page "model, build, replay" sb.html '//dl.facts[contains(., "tso") and contains(., "build ") and contains(., "heddle replay sb.heddle")]'
page "the guarantee" sb.html 'contains(//span.summary, "2 executions, not complete: stopped at the first finding")'
page "threads are columns" sb.html 'count(//th) = 5 and //th[1] = "step" and //th[2] = "main" and //th[3] = "T1writer_x" and //th[4] = "T2writer_y" and //th[5] = "where"'
page "steps" sb.html '//td.what = "store x = 1, release-> into T1'"'"'s store buffer" and count(//tr.key) = 5'
page "why" sb.html 'contains(//dl.lines, "not kept in this order")'
page "the repair as a diff" sb.html '//pre.diff'
[ "$(xmllint --html --xpath '//pre[@class = "diff"]/text()' sb.html 2>/dev/null | grep -c '^+	atomic_thread_fence(memory_order_seq_cst);')" = 2 ] &&
	pass "the repair has two fences" || fail "the repair has two fences" "$(grep -A 20 'class="diff"' sb.html)"
page "source" sb.html '//span.line[contains(., "atomic_store_explicit(&x, 1")]'
page "stacks" sb.html '//summary = "T1 at step 4: store x = 1, release"'
smaller "its size" sb.html 60
page "the closest passing execution" sb.html 'contains(//section[@class="passing"]/p[1], "Steps 1 to 9 are the same. The first difference: here T2 load  x = 0")
	and contains(//section[@class="passing"]/p[1], "in the passing execution T1 x = 1 reaches memory.") and count(//ol[@class="compared"]) = 2'
page "the closest passing execution: its end" sb.html '//div[h4 = "This one passes"]/ol/li[last()]/span = "exit"
	and //div[h4 = "This one passes"]/ol/li[contains(@class, "differs")]/span = "load  x = 1, acquire"'

t "report --html -" 0 "$heddle" report --html - sb.heddle
cp out from_report.html
page "the same from the file" from_report.html '(//h2)[1] = "assertion `r0 || r1'"'"' failed"'
t "a data race" 1 "$heddle" run -q --html race.html ./publish
page "a data race: both accesses" race.html 'count(//tr.fails) = 2 and contains(//dl.lines, "T2 loads message")'
page "a data race: the passing execution" race.html 'contains(//section[@class="passing"]/p[1], "here T1 store flag = 1 (publish.c:50), in the passing execution T2 start.")'
cat >always.c <<'END'
#include <assert.h>
int main(void)
{
	assert(0);
}
END
build -o always always.c
t "each execution fails" 1 "$heddle" run -q --html always.html ./always
page "each execution fails: none passes" always.html 'not(//section[@class="passing"])'
page "no reason is known: no heading" always.html 'not(//h3 = "Why")'
t "a replay" 1 "$heddle" replay --html replay.html sb.heddle
page "a replay: the passing execution" replay.html '//section[@class="passing"]'
sed 's/two(ab/(two)(ab/' "$here/../bugs/abba_deadlock.c" | sed "s#\.\./clean#$here/../clean#" >abba.c
build -O1 -o abba abba.c
t "a deadlock" 1 "$heddle" run -q --html abba.html ./abba
page "a deadlock: a row for each that waits" abba.html 'count(//tr[@class="wait"]) = 3 and //tr[@class="wait"]/td = "waits to lock b, which T2 holds"'
page "a deadlock: what the passing execution does" abba.html 'contains(//section[@class="passing"]/p[1], "here T2 start, in the passing execution T1 lock b")'

build -O1 -o order "$here/../bugs/lock_order.c"
t "a lock order" 1 "$heddle" run -q --detect=+lock-order --html order.html ./order
page "a long file name may be broken" order.html '//td.where/a[starts-with(., "lock_order.c:")]/wbr'
page "a lock order: no thread waits" order.html 'not(//tr[@class="wait"]) and contains(//dl.lines, "locks b while it holds a")'

# A page for each finding.
t "a folder" 1 "$heddle" run -q --html pages/ ./sb
page "a folder: index" pages/index.html '//p[@class="count"] = "1 of 1 test has findings" and //a[@href = "sb.html"]' pages
page "a folder: a page" pages/sb.html '(//h2)[1] = "assertion `r0 || r1'"'"' failed" and //a[@href = "index.html"]' pages
t "a folder that is there" 0 "$heddle" run -q --model sc --html pages ./sb
page "a folder: nothing found" pages/index.html '//p[@class="count"] = "0 of 1 test has findings"' pages
refused "a folder that cannot be made" "no/such/: cannot be written" "$heddle" run --html no/such/ ./sb
t "nothing found" 0 "$heddle" run --model sc --html clean.html ./sb
page "nothing found: says so" clean.html 'contains(//title, "nothing found") and contains(//span.summary, "complete") and not(//article)'
refused "a page that cannot be written" "no/such: cannot be written" "$heddle" run --html no/such ./sb

build -o long -I"$here" "$here/html_long.c"
t "10,000 steps" 1 "$heddle" run -q --strategy random --max-steps 100000 --minimise 0 --html long.html ./long
page "10,000 steps: omitted" long.html '//tr.fold[substring-before(normalize-space(.), " ") > 6000]'
smaller "10,000 steps: its size" long.html 600

# --- in a browser ---
browser=$(command -v chromium || command -v chromium-browser || true)
if [ -z "$browser" ]; then
	echo "ok - in a browser # SKIP chromium is not installed"
	finish
	exit
fi

# in_browser FILE [OPTION]: the page with html_keys.js; its document goes to dom.html, the console's messages to console.
in_browser() {
	{ sed 's#</body></html>##' "$1"; echo "<script>"; cat "$here/html_keys.js"; echo "</script></body></html>"; } >driven.html
	timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/profile" ${2+"$2"} \
		--enable-logging=stderr --dump-dom "file://$PWD/driven.html" >dom.html 2>log
	grep -E 'CONSOLE|Uncaught' log >console
	sed -n '/<pre id="keys">/,/<\/pre>/p' dom.html >keys
}

# sound TITLE: what holds of every page in the browser.
sound() {
	if [ -s console ]; then fail "$1: no error in the console" "$(cat console)"; else pass "$1: no error in the console"; fi
	has "$1: texts" keys '^texts [1-9][0-9]'
	hasnt "$1: contrast" keys '^contrast'
	has "$1: one row has the focus" keys '^focus true$'
	has "$1: one row is the current one" keys '^current 1$'
	has "$1: keys are fast" keys '^slow false$'
}

in_browser sb.html
sound "light"
has "begins at the failure" keys '^begin 21$'
has "Home" keys '^Home 1 step 1: main'
has "down, down" keys '^j 3 step 3: T1 writer_x'
[ "$(grep -c '^c ' keys)" = 3 ] && grep -q '^c 8 ' keys && pass "c: steps that decide" || fail "c: steps that decide" "$(cat keys)"
has "n, p: the same thread" keys '^n 10 step 10: T2'
has "End" keys '^End 21 '
has "a click" keys '^click 4$'
has "source, relations, buffer, stack" keys \
	"^panel step 4: T1 writer_x .*sb.c:30.*fr after \(cycle\) *10 .*T1's store buffer, oldest first 4 .*#0 writer_x sb.c:30"
has "before and after" keys '^before [1-9]'
has "the pointer shows relations and selects nothing" keys '^hover 4 [0-9]'
has "relations of a step" keys '^relations fr'
has "a row for a screen reader" keys '^rows step 1, main: create thread T1, main sb.c:52$'
in_browser long.html
sound "10,000 steps"
has "10,000 steps: omitted ones" keys '^unfolded [1-9]'
sed 's/prefers-color-scheme: dark/min-width: 0/' abba.html >dark.html
in_browser dark.html
sound "dark"
has "a deadlock: begins at the last step that decides" keys '^begin 6$'
has "a deadlock: inlined calls, locks, waits" keys \
	'^panel step 2.* two is inlined into main, abba.c:[0-9]+ .*main waits to join T1'
in_browser abba.html --window-size=420,900
has "a phone: nothing is wider than the page" keys '^wide false$'
finish
