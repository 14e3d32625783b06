// SPDX-License-Identifier: ISC
// html_keys.js - put into a page by t_html.sh: presses keys, and writes what is selected, line by line, into #keys;
// also texts with too little contrast (WCAG 2.1: below 4.5), and how wide the page is.
(function () {
	const log = [];
	const rgb = colour => (colour.match(/[\d.]+/g) || []).map(Number);
	const light = c => [0.2126, 0.7152, 0.0722].reduce((sum, part, i) => {
		const v = c[i] / 255;
		return sum + part * (v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4));
	}, 0);
	const behind = e => {
		for (; e; e = e.parentElement) {
			const c = rgb(getComputedStyle(e).backgroundColor);
			if (c.length === 3 || c[3] > 0.99)
				return c;
		}
		return [255, 255, 255];
	};
	const contrast = () => {
		const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		let texts = 0;
		while (walker.nextNode()) {
			const e = walker.currentNode.parentElement;
			if (!walker.currentNode.textContent.trim() || !e.getClientRects().length)
				continue;
			const a = light(rgb(getComputedStyle(e).color)), b = light(behind(e));
			const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
			texts++;
			if (ratio < 4.5)
				log.push("contrast " + ratio.toFixed(2) + " " + e.className + " " + walker.currentNode.textContent);
		}
		log.push("texts " + texts);
	};
	const on = () => document.querySelector("tr.on");
	const press = key => {
		document.querySelector(".scroll").dispatchEvent(new KeyboardEvent("keydown", {key: key, bubbles: true}));
		log.push(key + " " + on().dataset.n + " " + document.querySelector(".panel h4").textContent);
	};
	log.push("begin " + on().dataset.n);
	["Home", "ArrowDown", "j", "c", "c", "c", "n", "p", "C", "k", "ArrowUp", "End"].forEach(press);
	document.querySelector("tr.step.key").click();
	const panel = document.querySelector(".panel").innerText;
	log.push("click " + on().dataset.n, "focus " + (document.querySelectorAll("tr.step[tabindex='0']").length === 1));
	log.push("panel " + panel.replace(/\s+/g, " "));
	log.push("before " + document.querySelectorAll("tr.before").length, "after " + document.querySelectorAll("tr.after").length);
	document.querySelectorAll("tr.step")[2].dispatchEvent(new MouseEvent("mouseenter"));
	log.push("hover " + on().dataset.n + " " + document.querySelectorAll("[data-rel]").length);
	document.querySelector("tr.step.key").dispatchEvent(new MouseEvent("mouseenter"));
	log.push("relations " + Array.from(document.querySelectorAll("[data-rel]")).map(e => e.dataset.rel).join(", "));
	log.push("rows " + document.querySelector("tr.step").getAttribute("aria-label"));
	log.push("current " + document.querySelectorAll("[aria-current]").length);
	contrast();
	log.push("wide " + (document.documentElement.scrollWidth > innerWidth));
	const began = performance.now();
	["Home", "ArrowDown", "End"].forEach(press);
	log.push("slow " + (performance.now() - began > 1500));
	const fold = document.querySelector("tr.fold button");
	if (fold) {
		const rows = document.querySelectorAll("tr.step").length;
		fold.click();
		log.push("unfolded " + (document.querySelectorAll("tr.step").length - rows));
	}
	const out = document.createElement("pre");
	out.id = "keys";
	out.textContent = "\n" + log.join("\n") + "\n";
	document.body.append(out);
})();
