// SPDX-License-Identifier: ISC
// page.js - the selected step of each finding: source, stack, relations and state; keys; omitted steps.
// All text of the program goes through textContent.
(function () {
	"use strict";

	function element(name, cls, text) {
		const e = document.createElement(name);
		if (cls)
			e.className = cls;
		if (text !== undefined)
			e.textContent = text;
		return e;
	}

	// The data of an article (data.c), with derived tables: steps by thread, edges by step.
	function load(article) {
		const d = JSON.parse(article.querySelector("script[type='application/json']").textContent);
		d.article = article;
		d.steps.forEach((s, i) => {
			if (!s)
				return;
			s.n = i + 1;
			s.o = s.o && d.words[s.o - 1];
			s.p = s.p && d.words[s.p - 1];
		});
		d.decisive = new Set(d.steps.filter(s => s && s.key && s.p).map(s => s.p));
		d.name = {};
		d.label = {};
		d.columns = article.querySelector("thead tr").cells.length - 2;
		d.column = {};
		d.threads.forEach(t => { d.name[t.t] = t.name; d.label[t.t] = t.label; });
		Array.from(new Set(d.steps.filter(Boolean).map(s => s.t))).sort((a, b) => a - b)
			.forEach((t, i) => { d.column[t] = d.columns === 1 ? 0 : i; });
		d.edgesOf = new Map();
		d.next = new Map();
		d.previous = new Map();
		d.edges.forEach(e => {
			[e[0], e[1]].forEach(n => {
				if (!d.edgesOf.has(n))
					d.edgesOf.set(n, []);
				d.edgesOf.get(n).push(e);
			});
			if (e[2] === "co" || e[2] === "fr" || (d.before === "hb" && e[2] === "rf"))
				return;
			link(d.next, e[0], e[1]);
			link(d.previous, e[1], e[0]);
		});
		return d;
	}

	function link(map, from, to) {
		if (!map.has(from))
			map.set(from, []);
		map.get(from).push(to);
	}

	function closure(map, from) {
		const seen = new Set(), work = [from];
		while (work.length)
			(map.get(work.pop()) || []).forEach(n => {
				if (!seen.has(n)) {
					seen.add(n);
					work.push(n);
				}
			});
		return seen;
	}

	// --- the state after a step ------------------------------------------------------------------

	function buffers(d, n) {
		const of = new Map();
		d.steps.slice(0, n).forEach(s => {
			if (s && s.b && !(s.c && s.c <= n))
				link(of, s.t, s);
		});
		return of;
	}

	// Places and their values in memory; in a graph, of the writes up to here the last one in co.
	function values(d, n) {
		const value = new Map(), time = new Map();
		d.steps.slice(0, n).forEach(s => {
			if (!s || !s.p || s.v === undefined)
				return;
			const when = s.b ? (s.c && s.c <= n ? s.c : 0) : s.n;
			const old = value.get(s.p);
			if (s.b && !when)
				return;
			if (old && (overtaken(d, s, old) || time.get(s.p) > when))
				return;
			value.set(s.p, s);
			time.set(s.p, when);
		});
		return value;
	}

	// Is write a before write b in co, by the chain of predecessors of a graph?
	function overtaken(d, a, b) {
		for (let k = b.a, i = 0; k && i < d.steps.length; k = d.steps[k - 1].a, i++)
			if (k === a.n)
				return true;
		return false;
	}

	function locks(d, n) {
		const held = new Map();
		d.steps.slice(0, n).forEach(s => { if (s && s.held) held.set(s.t, s.held); });
		return held;
	}

	// Threads without another step after this one wait.
	function waiting(d, n) {
		const goes = new Set();
		d.steps.slice(n).forEach(s => { if (s) goes.add(s.t); });
		return d.waits.filter(w => !goes.has(w[0]));
	}

	// Blocks allocated by now, those that are freed last.
	function heap(d, n) {
		return d.heap.filter(b => !b.a || b.a <= n).map(b => {
			const freed = b.f && b.f <= n;
			return [freed, b.name + ", " + b.size + " bytes" + (b.at ? ", from " + b.at : "") +
				(freed ? ", freed at step " + b.f : "")];
		}).sort((a, b) => !!a[0] - !!b[0]);
	}

	// Places in the order of their interest at a step: its own, those of the steps that decide, others.
	function ranked(d, n, places) {
		const rank = place => d.steps[n - 1].p === place ? 0 : d.decisive.has(place) ? 1 : 2;
		return places.sort((a, b) => rank(a) - rank(b));
	}

	// --- the panel ---------------------------------------------------------------------------------

	function words(d, s) {
		return d.label[s.t] + "  " + s.x;
	}

	function stepButton(d, n, before) {
		const b = element("button", "step", n + "  " + words(d, d.steps[n - 1]));
		const li = element("li");
		b.type = "button";
		b.addEventListener("click", () => select(d, n, true));
		if (before)
			li.append(element("span", "rel", before));
		li.append(b);
		return li;
	}

	function section(panel, title, items) {
		if (!items.length)
			return;
		const ul = element("ul");
		ul.append(...items);
		panel.append(element("h4", "", title), ul);
	}

	function line(text) {
		return element("li", "", text);
	}

	// A line of a file with its neighbours, under a title.
	function excerpt(panel, d, file, line, around, title) {
		const lines = d.files[file] && d.files[file].lines, pre = element("pre", "source");
		if (!lines || lines[line] === undefined)
			return;
		for (let k = line - around; k <= line + around; k++) {
			if (lines[k] === undefined)
				continue;
			const one = element("span", k === line ? "line here" : "line");
			one.append(element("span", "number", k), element("span", "text", lines[k] + "\n"));
			pre.append(one);
		}
		pre.tabIndex = 0;
		pre.setAttribute("aria-label", title);
		panel.append(element("h4", "", title), pre);
	}

	// The line of a step, and the calls that were inlined into others.
	function source(panel, d, s) {
		const at = s.l && d.locations[s.l - 1], frames = (s.f && d.stacks[s.f - 1]) || [];
		if (at)
			excerpt(panel, d, at[0], at[1], 4,
				d.files[at[0]].name + ":" + at[1] + (at[2] ? ":" + at[2] : ""));
		for (let i = 0; i + 1 < frames.length && frames[i][2]; i++)
			excerpt(panel, d, frames[i + 1][3], frames[i + 1][4], 0,
				frames[i][0] + " is inlined into " + frames[i + 1][0] + ", " + frames[i + 1][1]);
	}

	const passive = {"rf": "read by", "rf, sw": "read by", "co": "co before", "fr": "fr after",
		"po": "po next", "hb": "before"};
	const active = {"rf": "reads", "rf, sw": "reads", "co": "co after", "fr": "fr before",
		"po": "po last", "hb": "after"};

	function relations(d, n) {
		return (d.edgesOf.get(n) || []).filter(e => e[2] !== "po").map(e => {
			const out = e[0] === n;
			const name = e[2] === "fr" ? (out ? active.fr : passive.fr)
				: e[2] === "co" ? (out ? passive.co : active.co)
				: out ? passive[e[2]] : active[e[2]];
			return stepButton(d, out ? e[1] : e[0],
				name + (e[2] === "rf, sw" ? ", sw" : "") + (e[3] ? " (cycle)" : ""));
		});
	}

	function stack(d, s) {
		return ((s.f && d.stacks[s.f - 1]) || []).map((f, i) => {
			const li = line("#" + i + "  " + f[0] + "  "), id = "l" + f[3] + "-" + f[4];
			const place = element(document.getElementById(id) ? "a" : "span", "", f[1]);
			if (place.tagName === "A")
				place.href = "#" + id;
			li.append(place, f[2] ? "  inlined" : "");
			return li;
		});
	}

	function fill(d, n) {
		const s = d.steps[n - 1], panel = d.panel, held = [], now = values(d, n), list = [], more = [];
		panel.textContent = "";
		panel.append(element("h4", "", "step " + n + ": " + d.name[s.t]),
			element("div", "", s.x + (s.o ? "  " + s.o : "")));
		source(panel, d, s);
		section(panel, "relations", relations(d, n));
		buffers(d, n).forEach((list, t) =>
			section(panel, d.label[t] + "'s store buffer, oldest first", list.map(x => stepButton(d, x.n, ""))));
		locks(d, n).forEach((names, t) => {
			if (names.length)
				held.push(line(d.label[t] + " holds " + names.join(", ")));
		});
		section(panel, "locks", held);
		section(panel, "waiting", waiting(d, n).map(w => line(d.label[w[0]] + " " + w[1])));
		ranked(d, n, Array.from(now.keys())).forEach(place => {
			const li = line(place + " = " + now.get(place).v);
			if (place === s.p)
				li.className = "here";
			(list.length < 24 ? list : more).push(li);
		});
		section(panel, d.buffers ? "memory" : "newest values (co)", list);
		if (more.length)
			panel.append(element("div", "", "and " + more.length + " more places"));
		section(panel, "heap", heap(d, n).slice(0, 24).map(b => {
			const li = line(b[1]);
			li.className = b[0] ? "freed" : "";
			return li;
		}));
		section(panel, "stack", stack(d, s));
	}

	// --- the table -----------------------------------------------------------------------------------

	function rowOf(d, n) {
		return document.getElementById(d.article.id + "-s" + n);
	}

	function what(tr) {
		return tr.querySelector(".what");
	}

	function makeRow(d, s) {
		const tr = element("tr", "step" + (s.key ? " key" : "") + (s.s ? " memory" : ""));
		const at = s.l && d.locations[s.l - 1];
		tr.id = d.article.id + "-s" + s.n;
		tr.dataset.n = s.n;
		tr.append(element("td", "n", s.n));
		for (let i = 0; i < d.columns; i++) {
			const td = element("td", i === d.column[s.t] ? "what" : "none");
			if (i === d.column[s.t]) {
				td.dataset.thread = d.label[s.t];
				td.textContent = s.x;
				if (s.o)
					td.append(element("span", "note", s.o));
			}
			tr.append(td);
		}
		const where = element("td", "where");
		if (at)
			where.append(element("span", "function", at[3] || ""),
				" " + d.files[at[0]].name.replace(/.*\//, "") + ":" + at[1]);
		tr.append(where);
		prepare(d, tr);
		return tr;
	}

	function unfold(d, fold) {
		const rows = document.createDocumentFragment();
		let last = 0;
		for (let n = +fold.dataset.from; n <= +fold.dataset.to && last < 500; n++) {
			if (!d.steps[n - 1])
				continue;
			rows.append(makeRow(d, d.steps[n - 1]));
			last++;
			fold.dataset.from = n + 1;
		}
		fold.before(rows);
		if (+fold.dataset.from > +fold.dataset.to)
			fold.remove();
		else
			fold.querySelector("button").textContent = "more steps";
	}

	function prepare(d, tr) {
		const s = d.steps[tr.dataset.n - 1];
		tr.tabIndex = -1;
		tr.setAttribute("aria-label", "step " + s.n + ", " + d.label[s.t] + ": " + s.x +
			(s.o ? ", " + s.o : "") + ", " + tr.cells[tr.cells.length - 1].textContent);
		tr.addEventListener("mouseenter", () => mark(d, s.n));
		tr.addEventListener("mouseleave", () => mark(d, d.at));
		tr.addEventListener("click", e => {
			if (!e.target.closest("a"))
				select(d, +tr.dataset.n, false);
		});
	}

	function mark(d, n) {
		const before = closure(d.previous, n), after = closure(d.next, n);
		d.rows().forEach(tr => {
			const k = +tr.dataset.n;
			tr.classList.toggle("on", k === d.at);
			tr.classList.toggle("before", before.has(k));
			tr.classList.toggle("after", after.has(k));
			what(tr).removeAttribute("data-rel");
			tr.tabIndex = k === d.at ? 0 : -1;
			if (k === d.at)
				tr.setAttribute("aria-current", "step");
			else
				tr.removeAttribute("aria-current");
		});
		(d.edgesOf.get(n) || []).forEach(e => {
			const tr = rowOf(d, e[0] === n ? e[1] : e[0]);
			if (tr && e[2] !== "po")
				what(tr).dataset.rel = e[2] + (e[0] === n ? " \u2190" : " \u2192");
		});
	}

	function select(d, n, scroll) {
		while (!rowOf(d, n)) {
			const fold = Array.from(d.article.querySelectorAll("tr.fold"))
				.find(f => +f.dataset.from <= n && n <= +f.dataset.to);
			if (!fold)
				return;
			unfold(d, fold);
		}
		d.at = n;
		mark(d, n);
		fill(d, n);
		if (scroll) {
			rowOf(d, n).focus({preventScroll: true});
			rowOf(d, n).scrollIntoView({block: "nearest"});
		}
	}

	// The k-th row after the selected one, of those that `test` accepts.
	function move(d, k, test) {
		const rows = d.rows().filter(tr => tr.classList.contains("on") || !test || test(tr));
		const i = rows.findIndex(tr => tr.classList.contains("on"));
		const to = rows[Math.max(0, Math.min(rows.length - 1, i + k))];
		if (to)
			select(d, +to.dataset.n, true);
	}

	function key(d, e) {
		const same = tr => d.steps[tr.dataset.n - 1].t === d.steps[d.at - 1].t;
		const decisive = tr => tr.classList.contains("key") || tr.classList.contains("fails");
		if (e.ctrlKey || e.metaKey || e.altKey)
			return;
		switch (e.key) {
		case "ArrowDown": case "j": move(d, 1); break;
		case "ArrowUp": case "k": move(d, -1); break;
		case "n": move(d, 1, same); break;
		case "p": move(d, -1, same); break;
		case "c": move(d, 1, decisive); break;
		case "C": move(d, -1, decisive); break;
		case "Home": move(d, -1e9); break;
		case "End": move(d, 1e9); break;
		default: return;
		}
		e.preventDefault();
	}

	function colourDiff(pre) {
		const lines = pre.textContent.split("\n");
		pre.textContent = "";
		lines.forEach((l, i) => pre.append(element("span",
			/^(\+\+\+|---|@@)/.test(l) ? "at" : l[0] === "+" ? "add" : l[0] === "-" ? "del" : "",
			l + (i + 1 < lines.length ? "\n" : ""))));
	}

	function begin(article) {
		if (!article.querySelector("script[type='application/json']"))
			return;
		const d = load(article), steps = article.querySelector(".steps .scroll");
		const work = element("div", "work"), body = article.querySelector("tbody");
		d.rows = () => Array.from(body.querySelectorAll("tr.step"));
		d.panel = element("aside", "panel");
		d.panel.setAttribute("aria-label", "the selected step");
		d.panel.tabIndex = 0;
		steps.tabIndex = -1;
		steps.replaceWith(work);
		work.append(steps, d.panel);
		const keys = element("p", "keys");
		[["\u2193 \u2191", "next, previous step"], ["n p", "of the same thread"],
			["c C", "of those that decide"], ["Home End", "first, last"]].forEach(k => {
			const pair = element("span", "pair");
			pair.append(element("kbd", "", k[0]), " " + k[1]);
			keys.append(pair, " ");
		});
		keys.append(element("span", "legend", "left edge of a row: before (violet) or after (blue) the step under the " +
			"pointer, or the selected one, by " + d.before));
		work.after(keys);
		d.rows().forEach(tr => prepare(d, tr));
		article.querySelectorAll("tr.fold").forEach(fold => {
			const button = element("button", "", fold.textContent.trim() + ": show");
			button.type = "button";
			button.addEventListener("click", () => unfold(d, fold));
			fold.firstElementChild.textContent = "";
			fold.firstElementChild.append(button);
		});
		steps.addEventListener("keydown", e => key(d, e));
		article.querySelectorAll(".diff").forEach(colourDiff);
		const of = name => d.rows().filter(tr => tr.classList.contains(name)).pop();
		const fails = of("fails") || of("key") || d.rows().pop();
		if (fails)
			select(d, +fails.dataset.n, false);
	}

	document.documentElement.classList.add("js");
	document.querySelectorAll("article").forEach(begin);
})();
