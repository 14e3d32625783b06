# SPDX-License-Identifier: ISC
# rows.awk - the rows of tests/agree/hardware_rows.c as litmus tests of a machine: awk -v machine=AArch64|PPC|RISCV
# -v folder=DIR -v part=N -v parts=M (each Mth row, from the Nth on). Prints their expected results.
#
# Not all rows: RMWs have no instruction of their own under POWER, RISC-V has no CAS, and the value
# that an instruction without a result has read is not seen.

function put(text) { code[thread, lines[thread]++] = text }

# A register with a fixed value; one for a result.
function number(v, r) {
	r = "r" ++used
	put(machine == "AArch64" ? "MOV " w(r) ",#" v : "li " name(r) "," v)
	return r
}
function name(r) { return machine == "PPC" ? r : machine == "RISCV" ? "x" (substr(r, 2) + 4) : "X" substr(r, 2) }
function w(r) { return machine == "AArch64" ? "W" substr(r, 2) : name(r) }

# The register with the address of a location.
function base(l) {
	if (!((thread, l) in bases)) {
		bases[thread, l] = "r" ++used
		initial = initial thread ":" name("r" used) "=" l "; "
	}
	return bases[thread, l]
}

function fence(kind) {
	if (machine == "AArch64")
		put(kind == "isb" ? "ISB" : kind == "dmb.ld" || kind == "acq" ? "DMB LD" : kind == "dmb.st" ? "DMB ST" : "DMB SY")
	else if (machine == "PPC")
		put(kind == "isb" ? "isync" : kind == "lwsync" || kind == "rel" || kind == "acq" ? "lwsync" : "sync")
	else
		put("fence " (kind == "dmb.ld" || kind == "acq" ? "r,rw" : kind == "dmb.st" ? "w,w" : kind == "rel" ? "rw,w" : "rw,rw"))
}

function branch(r) {
	labels++
	if (machine == "AArch64")
		put("CBNZ " w(r) ",L" labels)
	else if (machine == "PPC") {
		put("cmpwi " r ",0")
		put("bne L" labels)
	} else
		put("bne " name(r) ",x0,L" labels)
	put("L" labels ":")
}

# A zero that depends on a register.
function zero(r, z) {
	z = "r" ++used
	put(machine == "AArch64" ? "EOR " w(z) "," w(r) "," w(r) : "xor " name(z) "," name(r) "," name(r))
	return z
}

function load(l, v, order, r, b, z) {
	b = base(l)
	if (how == "addr")
		z = zero(last)
	r = "r" ++used
	if (machine == "AArch64")
		put((order == "Q" ? "LDAPR " : order == "" ? "LDR " : "LDAR ") w(r) ",[" name(b) "]")
	if (machine == "AArch64" && z) {
		if (order != "")
			return 0
		code[thread, lines[thread] - 1] = "LDR " w(r) ",[" name(b) "," w(z) ",SXTW]"
	}
	if (machine == "PPC") {
		if (order == "sc")
			put("sync")
		put(z ? "lwzx " r "," b "," z : "lwz " r ",0(" b ")")
		if (order != "") {
			branch(r)
			put("isync")
		}
	}
	if (machine == "RISCV") {
		if (order == "sc")
			put("fence rw,rw")
		if (z)
			put("add " name(z) "," name(z) "," name(b))
		put("lw " name(r) ",0(" name(z ? z : b) ")")
		if (order != "")
			put("fence r,rw")
	}
	wanted = wanted (wanted ? " /\\ " : "") thread ":" name(r) "=" v
	last = r
	return 1
}

function store(l, v, order, r, b, z) {
	b = base(l)
	if (how == "data") {
		r = zero(last)
		if (machine == "AArch64")
			put("ADD " w(r) "," w(r) ",#" v)
		else
			put("addi " name(r) "," name(r) "," v)
	} else
		r = number(v)
	if (how == "addr")
		z = zero(last)
	if (machine == "AArch64") {
		if (z && order != "")
			return 0
		put((order == "" ? "STR " : "STLR ") w(r) ",[" name(b) (z ? "," w(z) ",SXTW" : "") "]")
	} else if (machine == "PPC") {
		if (order != "")
			put(order == "sc" ? "sync" : "lwsync")
		put(z ? "stwx " r "," b "," z : "stw " r ",0(" b ")")
	} else {
		if (order != "")
			put("fence rw,w")
		if (z)
			put("add " name(z) "," name(z) "," name(b))
		put("sw " name(r) ",0(" name(z ? z : b) ")")
	}
	return 1
}

# u: flip bit 0; x: exchange with 3. The value that is read is given.
function update(kind, l, v, order, r, b, to) {
	if (machine == "PPC" || how != "")
		return 0
	b = base(l)
	to = number(kind == "u" ? 1 : 3)
	r = "r" ++used
	if (machine == "AArch64")
		put((kind == "u" ? "LDEOR" : "SWP") (order == "ar" ? "AL" : "") " " w(to) "," w(r) ",[" name(b) "]")
	else
		put((kind == "u" ? "amoxor" : "amoswap") ".w" (order == "ar" ? ".aq.rl" : "") " " name(r) "," name(to) ",(" name(b) ")")
	wanted = wanted (wanted ? " /\\ " : "") thread ":" name(r) "=" v
	last = r
	return 1
}

function access(word, n, part, kind, l, v) {
	n = split(word, part, "[.]")
	kind = substr(word, 1, 1)
	l = substr(word, 2, 1)
	v = substr(part[1], 3)
	if (kind == "R")
		return load(l, v, n > 1 ? part[2] : "")
	if (kind == "W")
		return store(l, v, n > 1 ? part[2] : "")
	return kind ~ /[cdn]/ || (n > 1 && part[2] != "ar") ? 0 : update(kind, l, v, n > 1 ? part[2] : "")
}

function translate(threads, nwords, words, i, done) {
	split("", code); split("", lines); split("", bases)
	initial = wanted = ""
	thread = used = labels = 0
	how = last = ""
	nwords = split(threads, words, " ")
	for (i = 1; i <= nwords; i++) {
		if (words[i] == "|") {
			thread++
			used = 0
			how = last = ""
		} else if (words[i] == "addr" || words[i] == "data")
			how = words[i]
		else if (words[i] == "ctrl")
			branch(last)
		else if (words[i] ~ /^(dmb|dmb.ld|dmb.st|lwsync|sync|isb|rel|acq)$/)
			fence(words[i])
		else {
			if (!access(words[i]))
				return 0
			how = ""
		}
	}
	return 1
}

function write_test(title, final, file, i, t, most, n, words) {
	file = folder "/" title ".litmus"
	printf "%s %s\n{ %s}\n", machine, title, initial >file
	for (t = 0; t <= thread; t++) {
		printf "%s P%d ", t ? "|" : "", t >file
		most = lines[t] > most ? lines[t] : most
	}
	print ";" >file
	for (i = 0; i < most; i++) {
		for (t = 0; t <= thread; t++)
			printf "%s %s ", t ? "|" : "", code[t, i] >file
		print ";" >file
	}
	n = split(final, words, " ")
	for (i = 1; i <= n; i++)
		wanted = wanted (wanted ? " /\\ " : "") words[i]
	printf "exists (%s)\n", wanted >file
	close(file)
}

BEGIN { column = machine == "AArch64" ? 1 : machine == "PPC" ? 2 : 3 }

/^\t\{"/ { text = "" }
/^\t\{"/, /\},$/ {
	text = text $0
	if ($0 !~ /\},$/)
		next
	if (split(text, field, "\"") < 8)
		next
	verdict = substr(field[8], column, 1)
	if (verdict == "-" || field[2] ~ /llsc/ || row++ % parts != part || !translate(field[4]))
		next
	title = field[2]
	sub(/ \(.*/, "", title)
	write_test(title, field[6])
	print title, verdict == "A" ? "Sometimes" : "Never"
}
