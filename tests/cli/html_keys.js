// SPDX-License-Identifier: ISC
// html_keys.js - put into a page by t_html.sh: presses keys, and writes what is selected, line by line, into #keys.
(function () {
	const log = [];
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
