# SPDX-License-Identifier: ISC
#
# blocks.sh - console blocks in a text: their commands are run, and the output is compared with the block.
#
# A line "..." in a block stands for any number of lines. Times, numbers of processes and cycles differ
# from run to run and are not compared.

steady() {
	sed -E 's/[0-9]+\.[0-9]+ s$/N s/; s/[[:space:]]+$//
		s/\.[0-9]+\.flight/.PID.flight/; s/process [0-9]+,/process PID,/; s/^(  [A-Za-z0-9]+) \([0-9]+\): /\1 (TID): /'
}

# The lines of the file `wanted` occur in the file `got` in this order; "..." skips lines.
matches() {
	awk -v text="$1" 'NR == FNR { want[++n] = $0; next }
		{ got[++m] = $0 }
		END {
			j = 1
			for (i = 1; i <= n; i++) {
				if (want[i] == "...") {
					if (i == n) exit 0
					while (j <= m && got[j] != want[i + 1]) j++
					continue
				}
				if (want[i] != got[j]) { print text ": " want[i]; print "printed: " got[j]; exit 1 }
				j++
			}
			if (j <= m) { print "printed more: " got[j]; exit 1 }
		}' wanted got
}

# compare_blocks NAME: the files block.1, block.2 ... of the text NAME, in their order.
compare_blocks() {
	local name=$1 i why line

	for ((i = 1; ; i++)); do
		[ -e "block.$i" ] || break
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
		if why=$(matches "$name"); then pass "$name: block $i"; else fail "$name: block $i" "$why"; fi
	done
}
