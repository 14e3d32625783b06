# SPDX-License-Identifier: ISC
# page.py - a page of --html without its script: python3 html.py FILE EXPRESSION, of p (class Page).
import sys
from html.parser import HTMLParser

VOID = {"meta", "br", "link", "img"}


class Page(HTMLParser):
    """Texts by element and class; whether elements nest; what would be loaded from elsewhere."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.errors, self.ids, self.loaded, self.links = [], [], set(), [], []
        self.texts = {}
        self.handlers = []

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        if tag not in VOID:
            self.open.append((tag, a.get("class", "")))
            for key in [tag] + [tag + "." + c for c in a.get("class", "").split()]:
                self.texts.setdefault(key, []).append("")
        if "id" in a:
            if a["id"] in self.ids:
                self.errors.append("id twice: " + a["id"])
            self.ids.add(a["id"])
        self.handlers += [k for k in a if k.startswith("on")]
        if "src" in a or tag in ("link", "iframe", "object", "img"):
            self.loaded.append(tag)
        if tag == "a":
            self.links.append(a["href"])

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.errors.append("</%s> in %s" % (tag, self.open[-1:]))
        else:
            self.open.pop()

    def handle_data(self, data):
        for tag, classes in self.open:
            for key in [tag] + [tag + "." + c for c in classes.split()]:
                self.texts[key][-1] += data

    def text(self, key):
        return self.texts.get(key, [])


p = Page()
p.feed(open(sys.argv[1], encoding="utf-8").read())
p.close()
assert not p.errors and not p.open, (p.errors, p.open)
assert not p.loaded and not p.handlers, (p.loaded, p.handlers)
missing = [l for l in p.links if l[0] != "#" or l[1:] not in p.ids]
assert not missing, missing
if not eval(sys.argv[2]):
    shown = {k: v for k, v in p.texts.items() if k not in ("script", "style", "html", "body", "main", "article")}
    sys.exit("does not hold: " + sys.argv[2] + "\n" + str(shown)[:4000])
