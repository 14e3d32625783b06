# SPDX-License-Identifier: ISC
"""sarif.py FILE... - is each a SARIF 2.1.0 log such as ours have to be?

Checks what the standard asks of the parts that we write: which properties there are, of what type,
which must be there, and that references (rules, base URIs, execution order) lead somewhere. With
HEDDLE_SARIF_SCHEMA=FILE (the published sarif-schema-2.1.0.json) and python3-jsonschema, that too.
Prints what is wrong, exits with 1 then.
"""
import json
import os
import re
import sys

TEXT, NUMBER, BOOL = str, int, bool
MESSAGE = {"text!": TEXT}
LOCATION = {
    "id": NUMBER,
    "message": MESSAGE,
    "physicalLocation": {
        "artifactLocation!": {"uri!": TEXT, "uriBaseId": TEXT},
        "region": {"startLine!": NUMBER, "startColumn": NUMBER},
    },
    "logicalLocations": [{"name!": TEXT, "kind": TEXT}],
}
STACK = {"message": MESSAGE, "frames!": [{"location": LOCATION, "module": TEXT, "threadId": NUMBER}]}
STEP = {"location!": LOCATION, "executionOrder!": NUMBER, "importance": TEXT, "kinds": [TEXT]}
RESULT = {
    "ruleId!": TEXT,
    "ruleIndex!": NUMBER,
    "kind": TEXT,
    "level!": TEXT,
    "message!": MESSAGE,
    "locations!": [LOCATION],
    "relatedLocations": [LOCATION],
    "codeFlows": [
        {"message": MESSAGE, "threadFlows!": [{"id": TEXT, "message": MESSAGE, "locations!": [STEP]}]}
    ],
    "stacks": [STACK],
    "partialFingerprints": {"heddleFinding/v1!": TEXT},
    "suppressions": [{"kind!": TEXT, "status": TEXT, "justification": TEXT, "location": LOCATION}],
    "properties": dict,
}
RULE = {"id!": TEXT, "name": TEXT, "shortDescription": MESSAGE, "defaultConfiguration": {"level": TEXT}}
LOG = {
    "$schema!": TEXT,
    "version!": TEXT,
    "runs!": [
        {
            "tool!": {
                "driver!": {"name!": TEXT, "version": TEXT, "semanticVersion": TEXT, "rules": [RULE]}
            },
            "invocations": [
                {
                    "executionSuccessful!": BOOL,
                    "exitCode": NUMBER,
                    "commandLine": TEXT,
                    "toolExecutionNotifications": [{"level": TEXT, "message!": MESSAGE}],
                }
            ],
            "originalUriBaseIds": {"SRCROOT": {"uri!": TEXT}},
            "results!": [RESULT],
        }
    ],
}
problems = []


def shape(value, want, where):
    if isinstance(want, list):
        if not isinstance(value, list):
            problems.append(f"{where}: not an array")
            return
        for i, item in enumerate(value):
            shape(item, want[0], f"{where}[{i}]")
    elif isinstance(want, dict):
        if not isinstance(value, dict):
            problems.append(f"{where}: not an object")
            return
        known = {k.rstrip("!"): v for k, v in want.items()}
        problems.extend(f"{where}: unknown property {k}" for k in value if k not in known)
        problems.extend(f"{where}: no {k[:-1]}" for k in want if k[-1] == "!" and k[:-1] not in value)
        for k in value:
            if k in known:
                shape(value[k], known[k], f"{where}.{k}")
    elif type(value) is not want:
        problems.append(f"{where}: {value!r} is not of type {want.__name__}")


def locations(value):
    """Every physical location below value."""
    if isinstance(value, dict):
        if "artifactLocation" in value:
            yield value
        for v in value.values():
            yield from locations(v)
    elif isinstance(value, list):
        for v in value:
            yield from locations(v)


def references(log):
    for run in log["runs"]:
        rules = run["tool"]["driver"]["rules"]
        base = run["originalUriBaseIds"]["SRCROOT"]["uri"]
        if not re.match(r"file:///.*/$", base):
            problems.append(f"SRCROOT {base} is no absolute URI of a folder")
        for place in locations(run["results"]):
            at = place["artifactLocation"]
            if ("uriBaseId" in at) == bool(re.match(r"file:///", at["uri"])):
                problems.append(f"{at} is neither absolute nor below SRCROOT")
            if re.search(r"[^!-~]", at["uri"]) or place.get("region", {}).get("startLine", 1) < 1:
                problems.append(f"{place} is no place")
        for r in run["results"]:
            if rules[r["ruleIndex"]]["id"] != r["ruleId"] or r["level"] not in ("error", "warning", "note"):
                problems.append(f"no such rule or level: {r['ruleId']}")
            for flow in r.get("codeFlows", []):
                steps = [s for t in flow["threadFlows"] for s in t["locations"]]
                order = [s["executionOrder"] for s in steps]
                if not steps or len(set(order)) != len(order) or min(order) < 1:
                    problems.append(f"execution order: {order}")
                for t in flow["threadFlows"]:
                    own = [s["executionOrder"] for s in t["locations"]]
                    if own != sorted(own) or not own:
                        problems.append(f"steps of {t['id']} out of order")
                if {s["importance"] for s in steps} - {"essential", "important", "unimportant"}:
                    problems.append("unknown importance")


def published(log, path):
    import jsonschema

    with open(path, encoding="utf-8") as f:
        schema = json.load(f)
    validator = jsonschema.validators.validator_for(schema)(schema)
    problems.extend(f"schema: {list(e.path)}: {e.message[:200]}" for e in validator.iter_errors(log))


for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as f:
        whole = json.load(f)
    shape(whole, LOG, "log")
    if not problems:
        references(whole)
    if os.environ.get("HEDDLE_SARIF_SCHEMA"):
        published(whole, os.environ["HEDDLE_SARIF_SCHEMA"])
for p in problems[:20]:
    print(p)
sys.exit(bool(problems))
