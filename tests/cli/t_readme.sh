# SPDX-License-Identifier: ISC
# t_readme.sh - the console blocks of README.md show the output of their commands; its links are valid.
. "$(dirname "$0")/lib.sh"
. "$here/blocks.sh"

ln -s "$here/../../examples" examples
ln -s "$here/.." tests
export PATH=$B/bin:$PATH

# A block of C whose first line names a file is one.
awk '/^```c$/ {on = 1; next} /^```$/ {on = 0; file = ""}
	on == 1 {on = 2; file = ($0 ~ /^\/\* [a-z_]+\.c/) ? $2 : ""; sub(/:$/, "", file)}
	on && file != "" {print > file}' "$here/../../README.md"

blocks=$(awk '/^```console$/ {on = 1; n++; next} /^```$/ {on = 0} on {print > ("block." n)} END {print n + 0}' "$here/../../README.md")
[ "$blocks" -ge 3 ] && pass "README: has $blocks console blocks" || fail "README: console blocks" "$blocks"

compare_blocks README

# The files that it links to exist.
for link in $(grep -oE '\]\([a-zA-Z][^):]*\)' "$here/../../README.md" | tr -d '()]' | sort -u); do
	[ -e "$here/../../$link" ] && pass "README: $link" || fail "README: $link" "no such file"
done

# So do its sections, and the pages of `heddle help` that it mentions.
grep '^##' "$here/../../README.md" | tr 'A-Z ' 'a-z-' | sed 's/^#*-//; s/[^a-z0-9-]//g' >sections
for link in $(grep -oE '\]\(#[^)]*\)' "$here/../../README.md" | tr -d ']()#' | sort -u); do
	grep -qxF -e "$link" sections && pass "README: #$link" || fail "README: #$link" "no such section"
done
for page in $(tr '\n' ' ' <"$here/../../README.md" | grep -oE '`heddle help [a-z-]+`' | tr -d '`' | cut -d' ' -f3 | sort -u); do
	heddle help "$page" >/dev/null 2>&1 && pass "README: heddle help $page" || fail "README: heddle help $page" "no such page"
done

# The order is that of a reader's questions; two printed pages.
cat >order <<'EOT'
## Two commands
## Your own test in five minutes
## Three uses
## Limits
## Map
EOT
grep '^## ' "$here/../../README.md" >titles
same "README: its sections and their order" order titles
words=$(wc -w <"$here/../../README.md")
[ "$words" -le 1000 ] && pass "README: short" || fail "README: short" "$words words"

# Files made by its commands are ignored by git.
if git -C "$here" rev-parse >/dev/null 2>&1; then
	rm -rf got wanted block.* sections order titles examples tests
	strange=$(ls | git -C "$here/../.." check-ignore --no-index -v -n --stdin | sed -n 's/^::\t//p')
	[ -z "$strange" ] && pass "README: git ignores what its commands make" ||
		fail "README: git ignores what its commands make" "$strange"
fi
finish
