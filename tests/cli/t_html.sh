# SPDX-License-Identifier: ISC
# t_html.sh - --html: a page that loads nothing, is complete without its script, and can be stepped through in a
# browser.
. "$(dirname "$0")/lib.sh"

# page TITLE FILE CONDITION: also, elements nest, nothing is loaded, links lead to the page.
page() {
	xml "$1" "$2" "$3"
	xmllint --html --noout "$2" 2>&1 | grep error | grep -v 'Tag .* invalid$' >wrong
	xmllint --html --xpath '//@id' "$2" 2>/dev/null | sort | uniq -d >>wrong
	xmllint --html --xpath '//@src | //@*[starts-with(name(), "on")] | //link | //iframe | //object | //img |
		//a[not(starts-with(@href, "#")) or not(substring(@href, 2) = //@id)]' "$2" >>wrong 2>/dev/null
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

t "report --html -" 0 "$heddle" report --html - sb.heddle
cp out from_report.html
page "the same from the file" from_report.html '(//h2)[1] = "assertion `r0 || r1'"'"' failed"'
t "a data race" 1 "$heddle" run -q --html race.html ./publish
page "a data race: both accesses" race.html 'count(//tr.fails) = 2 and contains(//dl.lines, "T2 loads message")'
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

# in_browser FILE: the page with html_keys.js; its document goes to dom.html, the console's messages to console.
in_browser() {
	{ sed 's#</body></html>##' "$1"; echo "<script>"; cat "$here/html_keys.js"; echo "</script></body></html>"; } >driven.html
	timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/profile" \
		--enable-logging=stderr --dump-dom "file://$PWD/driven.html" >dom.html 2>log
	grep -E 'CONSOLE|Uncaught' log >console
	sed -n '/<pre id="keys">/,/<\/pre>/p' dom.html >keys
}

in_browser sb.html
if [ -s console ]; then fail "no error in the console" "$(cat console)"; else pass "no error in the console"; fi
has "begins at the failure" keys '^begin 21$'
has "Home" keys '^Home 1 step 1: main'
has "down, down" keys '^j 3 step 3: T1 writer_x'
[ "$(grep -c '^c ' keys)" = 3 ] && grep -q '^c 8 ' keys && pass "c: steps that decide" || fail "c: steps that decide" "$(cat keys)"
has "n, p: the same thread" keys '^n 10 step 10: T2'
has "End" keys '^End 21 '
has "a click" keys '^click 4$'
has "one row has the focus" keys '^focus true$'
has "source, relations, buffer, stack" keys \
	"^panel step 4: T1 writer_x .*sb.c:30.*fr after \(cycle\) *10 .*T1's store buffer, oldest first 4 .*#0 writer_x sb.c:30"
has "before and after" keys '^before [1-9]'
in_browser long.html
if [ -s console ]; then fail "10,000 steps: no error" "$(cat console)"; else pass "10,000 steps: no error"; fi
has "10,000 steps: omitted ones" keys '^unfolded [1-9]'
finish
