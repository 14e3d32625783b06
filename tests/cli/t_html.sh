# SPDX-License-Identifier: ISC
# t_html.sh - --html: a page that loads nothing, is complete without its script, and can be stepped through in a
# browser.
. "$(dirname "$0")/lib.sh"

# page TITLE FILE EXPRESSION: see page.py
page() {
	if python3 "$here/page.py" "$2" "$3" >why 2>&1; then pass "$1"; else fail "$1" "$(cat why)"; fi
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
page "headline" sb.html "p.text('h2')[0] == \"assertion \`r0 || r1' failed\" and 'impossible under sc' in p.text('p.qualities')[0]"
page "model, build, replay" sb.html "[w for w in ('tso', 'build ', 'heddle replay sb.heddle') if w not in p.text('dl.facts')[0]] == []"
page "the guarantee" sb.html "'2 executions, not complete: stopped at the first finding' in p.text('span.summary')[0]"
page "threads are columns" sb.html "[t for t in p.text('th')] == ['step', 'main', 'T1writer_x', 'T2writer_y', 'where']"
page "steps" sb.html "'store x = 1, release-> into T1\\'s store buffer' in p.text('td.what') and len(p.text('tr.key')) == 5"
page "why" sb.html "'not kept in this order' in p.text('dl.lines')[0]"
page "the repair as a diff" sb.html "p.text('pre.diff')[0].count('\\n+\\tatomic_thread_fence(memory_order_seq_cst);') == 2"
page "source" sb.html "any('atomic_store_explicit(&x, 1' in l for l in p.text('span.line'))"
page "stacks" sb.html "'T1 at step 4: store x = 1, release' in p.text('summary')"
smaller "its size" sb.html 60

t "report --html -" 0 "$heddle" report --html - sb.heddle
cp out from_report.html
page "the same from the file" from_report.html "p.text('h2')[0] == \"assertion \`r0 || r1' failed\""
t "a data race" 1 "$heddle" run -q --html race.html ./publish
page "a data race: both accesses" race.html "len(p.text('tr.fails')) == 2 and 'T2 loads message' in p.text('dl.lines')[0]"
t "nothing found" 0 "$heddle" run --model sc --html clean.html ./sb
page "nothing found: says so" clean.html "'nothing found' in p.text('title')[0] and 'complete' in p.text('span.summary')[0] and not p.text('article')"
refused "a page that cannot be written" "no/such: cannot be written" "$heddle" run --html no/such ./sb

build -o long -I"$here" "$here/html_long.c"
t "10,000 steps" 1 "$heddle" run -q --strategy random --max-steps 100000 --minimise 0 --html long.html ./long
page "10,000 steps: omitted" long.html "any(int(f.split()[0]) > 6000 for f in p.text('tr.fold'))"
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
