# SPDX-License-Identifier: ISC
#
# t_report.sh - the text and the JSON made of fixed traces, to the letter. BLESS=1 rewrites what is
# expected (report.txt, columns.txt): look at the difference before committing it.
. "$(dirname "$0")/lib.sh"

# Give a trace its last line.
sign() {
	python3 -c "
import sys, zlib
body = open('$1', 'rb').read()
sys.stdout.buffer.write(body + b'end records=%d crc=0x%08x\n' % (body.count(b'\n'), zlib.crc32(body)))
" >"$2"
}

golden() {
	[ -z "$BLESS" ] || cp out "$here/$2"
	same "$1" "$here/$2" out
}

sign "$here/report.trace" fixed.heddle
t "fixed trace" 0 "$heddle" report fixed.heddle
golden "fixed trace: text" report.txt
t "columns" 0 "$heddle" report --columns --width 150 fixed.heddle
golden "columns: text" columns.txt
t "colour" 0 "$heddle" report --color=always fixed.heddle
sed 's/\x1b\[[0-9;]*m//g' out >plain
same "colour changes nothing else" "$here/report.txt" plain
has "the program's escapes do not reach the terminal" out '\\x1b\[31mred'

t "JSON" 0 "$heddle" report --json - fixed.heddle
python3 - <<'END' && pass "JSON: values" || fail "JSON: values" "$(head -c 3000 out)"
import json
d = json.load(open('out'))
assert d['executions'] is None and d['complete'] is None and d['model'] == 'pso', d
f = d['findings'][0]
assert f['kind'] == 'assertion' and f['reorder_dependent'] is True and f['step'] == 14, f
assert f['file'] == '/nowhere/demo.c' and f['line'] == 99 and f['function'] == 'check', f
assert f['execution'] == 7 and f['thread'] == 2 and f['replay'] == 'fixed.heddle', f
s = f['steps']
assert len(s) == 14 and s[2]['flags'] == ['buffered'] and s[2]['value'] == '0x2a', s[2]
assert s[4]['store'] == 4 and s[8]['old'] == '0x1' and s[6]['from'] == 4, s
assert s[7]['stack'][1]['offset'] == '0x1331' and s[7]['stack'][1]['module'] == '/nowhere/demo', s[7]
assert f['reordered'] == [{'store': 3, 'overtaken_by': 4}], f['reordered']
w = f['why']
assert [(c['step'], c['relation']) for c in w['cycle']] == [(3, 'po'), (4, 'rf'), (7, 'po'), (8, 'fr')], w
assert [(x['first'], x['later']) for x in w['reorderings']] == [(3, 4)] and 'became visible before' in w['reorderings'][0]['text'], w
assert [(x['step'], x['where'], x['order']) for x in w['fences']] == [(4, 'before', 'release')], w
assert not w['orders'] and not w['unsynchronised'] and f['minimised'] is None, w
assert f['waits'][1]['holder'] == 2 and f['waits'][1]['kind'] == 'lock', f['waits']
assert f['blocks'][0]['size'] == 32 and f['blocks'][0]['address'] == '0x200000000040', f['blocks']
assert ''.join(o['text'] for o in f['output'] if o['fd'] == 1).startswith('half a line and'), f['output']
END

# A long execution is shown in part: what matters, and its neighbourhood.
python3 - "$here/report.trace" >long.trace <<'END'
import sys
lines = open(sys.argv[1]).read().splitlines()
for l in lines:
    if l.startswith('event') or l.startswith('cycle'):
        continue
    print(l.replace('step=14', 'step=500'))
for step in range(1, 500):
    print(f'event step={step} thread={1 + step % 2} kind=load place=1 size=4 value={hex(step)} stack=5')
print('event step=500 thread=2 kind=fail stack=6')
print('cycle from=100 to=102 relation=po')
END
sign long.trace long.heddle
t "long" 0 "$heddle" report long.heddle
has "long: steps are omitted" out '^ +\.\.\.  97 steps omitted, --all shows them$'
has "long: the cycle is there" out '^ +100  T1 \(sender\)'
has "long: what failed is there" out '^ +500  T2 .* fails: it broke'
[ "$(grep -cE '^ +[0-9]+  T[12] ' out)" -lt 30 ] && pass "long: short" || fail "long: short" "$(cat out)"
t "long, --all" 0 "$heddle" report --all long.heddle
[ "$(grep -cE '^ +[0-9]+  T[12] ' out)" = 500 ] && pass "--all: every step" || fail "--all: every step" "$(wc -l out)"
finish
