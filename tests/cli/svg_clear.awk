# SPDX-License-Identifier: ISC
# svg_clear.awk - edges of a picture by heddle graph (its <rect> and <path d="..."> elements, one a line) that run
# through a box, sampled at 200 points each; names of edges that cover each other. Prints these, and their number.
function number(line, name) {
	return match(line, " " name "=\"[^\"]*\"") ? substr(line, RSTART + length(name) + 3, RLENGTH - length(name) - 4) + 0 : 0
}
function look(x, y,   i) {
	for (i = 0; i < boxes; i++)
		if (x > left[i] + 1 && x < left[i] + wide[i] - 1 && y > top[i] + 1 && y < top[i] + high[i] - 1)
			return 1
	return 0
}
function sample(n, px, py,   k, t, u, i, bad) {
	for (k = 0; k <= 200; k++) {
		t = k / 200
		u = 1 - t
		if (curved)
			bad += look(u^3 * px[0] + 3 * u^2 * t * px[1] + 3 * u * t^2 * px[2] + t^3 * px[3],
				u^3 * py[0] + 3 * u^2 * t * py[1] + 3 * u * t^2 * py[2] + t^3 * py[3])
		else
			for (i = 0; i + 1 < n; i++)
				bad += look(u * px[i] + t * px[i + 1], u * py[i] + t * py[i + 1])
	}
	return bad
}
/^<rect x=/ {
	left[boxes] = number($0, "x")
	top[boxes] = number($0, "y")
	wide[boxes] = number($0, "width")
	high[boxes++] = number($0, "height")
}
/^<path d="M[0-9]/ { paths[npaths++] = $0 }
/^<text .*class="edge"/ {
	x = number($0, "x")
	y = number($0, "y")
	for (i = 0; i < names; i++)
		if (x - tx[i] < 10 && tx[i] - x < 10 && y - ty[i] < 9 && ty[i] - y < 9) {
			print "names at " x " " y
			covered++
		}
	tx[names] = x
	ty[names++] = y
}
END {
	for (p = 0; p < npaths; p++) {
		text = paths[p]
		curved = text ~ / C/
		gsub(/^<path d="M|".*$|[CL]/, " ", text)
		n = split(text, part, " ") / 2
		if (n < 2 || paths[p] ~ / z"/)
			continue
		for (i = 0; i < n; i++) {
			px[i] = part[2 * i + 1]
			py[i] = part[2 * i + 2]
		}
		edges++
		if (sample(n, px, py)) {
			print "through a box: " paths[p]
			covered++
		}
	}
	print boxes + 0 " boxes, " edges + 0 " edges, " covered + 0 " covered"
}
