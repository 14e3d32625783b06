# SPDX-License-Identifier: ISC
# t_readme.sh - what README.md shows in its console blocks is what its commands print, but for times.
#
# A line "..." in a block stands for any number of lines.
. "$(dirname "$0")/lib.sh"

ln -s "$here/../../examples" examples
ln -s "$here/.." tests
export PATH=$B/bin:$PATH

# Seconds differ from run to run.
steady() { sed -E 's/[0-9]+\.[0-9]+ s$/N s/; s/[[:space:]]+$//'; }

# The lines of the file `wanted` occur in the file `got` in this order; "..." skips lines.
matches() {
	awk 'NR == FNR { want[++n] = $0; next }
		{ got[++m] = $0 }
		END {
			j = 1
			for (i = 1; i <= n; i++) {
				if (want[i] == "...") {
					if (i == n) exit 0
					while (j <= m && got[j] != want[i + 1]) j++
					continue
				}
				if (want[i] != got[j]) { print "README: " want[i]; print "printed: " got[j]; exit 1 }
				j++
			}
			if (j <= m) { print "printed more: " got[j]; exit 1 }
		}' wanted got
}

# A block of C whose first line names a file is one.
awk '/^```c$/ {on = 1; next} /^```$/ {on = 0; file = ""}
	on == 1 {on = 2; file = ($0 ~ /^\/\* [a-z_]+\.c/) ? $2 : ""; sub(/:$/, "", file)}
	on && file != "" {print > file}' "$here/../../README.md"

blocks=$(awk '/^```console$/ {on = 1; n++; next} /^```$/ {on = 0} on {print > ("block." n)} END {print n + 0}' "$here/../../README.md")
[ "$blocks" -ge 3 ] && pass "README: has $blocks console blocks" || fail "README: console blocks" "$blocks"

for i in $(seq "$blocks"); do
	: >got
	while IFS= read -r line; do
		case $line in
		'$ '*)
			printf '%s\n' "$line" >>got
			bash -c "${line#\$ }" >>got 2>&1 </dev/null
			;;
		esac
	done <"block.$i"
	steady <"block.$i" >wanted
	steady <got >got.n && mv got.n got
	if why=$(matches); then pass "README: block $i"; else fail "README: block $i" "$why"; fi
done

# The files it links to are there.
for link in $(grep -oE '\]\([a-zA-Z][^):]*\)' "$here/../../README.md" | tr -d '()]' | sort -u); do
	[ -e "$here/../../$link" ] && pass "README: $link" || fail "README: $link" "no such file"
done

# So are its sections, and the pages of `heddle help` that it names.
grep '^##' "$here/../../README.md" | tr 'A-Z ' 'a-z-' | sed 's/^#*-//; s/[^a-z0-9-]//g' >sections
for link in $(grep -oE '\]\(#[^)]*\)' "$here/../../README.md" | tr -d ']()#' | sort -u); do
	grep -qxF -e "$link" sections && pass "README: #$link" || fail "README: #$link" "no such section"
done
for page in $(tr '\n' ' ' <"$here/../../README.md" | grep -oE '`heddle help [a-z-]+`' | tr -d '`' | cut -d' ' -f3 | sort -u); do
	heddle help "$page" >/dev/null 2>&1 && pass "README: heddle help $page" || fail "README: heddle help $page" "no such page"
done

# A reader finds them where he looks: first what it is for, last how it is made.
cat >order <<'EOT'
## Two commands
## Your own test in five minutes
## A report, line by line
## Link it into an existing test suite
## Stress-test a lock-free data structure
## Reproduce a bug seen in production
## Models, and what each does not see
## Limits
## Exit codes
## How it works
## Measured
## Alternatives, and when to prefer them
## Map of the folders
EOT
grep '^## ' "$here/../../README.md" >titles
same "README: its sections and their order" order titles

# What its commands make is nothing that git asks about.
if git -C "$here" rev-parse >/dev/null 2>&1; then
	rm -rf got wanted block.* sections order titles examples tests
	strange=$(ls | git -C "$here/../.." check-ignore --no-index -v -n --stdin | sed -n 's/^::\t//p')
	[ -z "$strange" ] && pass "README: git ignores what its commands make" ||
		fail "README: git ignores what its commands make" "$strange"
fi
finish
