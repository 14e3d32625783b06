# SPDX-License-Identifier: ISC
# sarif.jq - jq -rf sarif.jq FILE: is it a SARIF 2.1.0 log such as ours have to be? Prints a line for each problem.
#
# Checks what the standard asks of the parts that we write: which properties there are, of what type, which must be
# there (!), and that references (rules, base URIs, execution order) lead somewhere.

def message: {"text!": "string"};
def place: {
	id: "integer",
	message: message,
	physicalLocation: {
		"artifactLocation!": {"uri!": "string", uriBaseId: "string"},
		region: {"startLine!": "integer", startColumn: "integer"}
	},
	logicalLocations: [{"name!": "string", kind: "string"}]
};
def step: {"location!": place, "executionOrder!": "integer", importance: "string", kinds: ["string"]};
def result: {
	"ruleId!": "string",
	"ruleIndex!": "integer",
	kind: "string",
	"level!": "string",
	"message!": message,
	"locations!": [place],
	relatedLocations: [place],
	codeFlows: [{message: message, "threadFlows!": [{id: "string", message: message, "locations!": [step]}]}],
	stacks: [{message: message, "frames!": [{location: place, module: "string", threadId: "integer"}]}],
	partialFingerprints: {"heddleFinding/v1!": "string"},
	suppressions: [{"kind!": "string", status: "string", justification: "string", location: place}],
	properties: "object"
};
def log: {
	"$schema!": "string",
	"version!": "string",
	"runs!": [{
		"tool!": {
			"driver!": {
				"name!": "string",
				version: "string",
				semanticVersion: "string",
				rules: [{
					"id!": "string",
					name: "string",
					shortDescription: message,
					defaultConfiguration: {level: "string"}
				}]
			}
		},
		invocations: [{
			"executionSuccessful!": "boolean",
			exitCode: "integer",
			commandLine: "string",
			toolExecutionNotifications: [{level: "string", "message!": message}]
		}],
		originalUriBaseIds: {SRCROOT: {"uri!": "string"}},
		"results!": [result]
	}]
};

def is($want): type == $want or ($want == "integer" and type == "number" and . == floor);

def shape($want; $where):
	if $want | type == "array" then
		if type != "array" then "\($where): not an array"
		else to_entries[] | .key as $i | .value | shape($want[0]; "\($where)[\($i)]") end
	elif $want | type == "object" then
		if type != "object" then "\($where): not an object"
		else . as $value | ($want | with_entries(.key |= rtrimstr("!"))) as $known |
			(keys[] | select($known[.] == null) | "\($where): unknown property \(.)"),
			($want | keys[] | select(endswith("!"))[:-1] | select(in($value) | not) | "\($where): no \(.)"),
			(keys[] | select($known[.] != null) | . as $key | $value[$key] | shape($known[$key]; "\($where).\($key)"))
		end
	elif is($want) then empty
	else "\($where): \(tojson) is not of type \($want)" end;

def bad_place:
	.artifactLocation as {$uri, $uriBaseId} |
	if ($uriBaseId != null) == ($uri | startswith("file:///")) then "\($uri) is neither absolute nor below SRCROOT" else empty end,
	if ($uri | test("[^!-~]")) or (.region.startLine // 1) < 1 then "\(tojson) is no place" else empty end;

def bad_flow:
	[.threadFlows[].locations[]] as $steps | [$steps[].executionOrder] as $order |
	if ($order | length == 0 or (unique | length) != length or min < 1) then "execution order: \($order)" else empty end,
	(.threadFlows[] | [.locations[].executionOrder] as $own |
		if $own == [] or $own != ($own | sort) then "steps of \(.id) out of order" else empty end),
	([$steps[].importance] - ["essential", "important", "unimportant"] | if . != [] then "unknown importance" else empty end);

def references:
	.runs[] | .tool.driver.rules as $rules |
	(.originalUriBaseIds.SRCROOT.uri | if test("^file:///.*/$") then empty else "SRCROOT \(.) is no absolute URI of a folder" end),
	(.results | .. | objects | select(has("artifactLocation")) | bad_place),
	(.results[] |
		if $rules[.ruleIndex].id != .ruleId or (.level | IN("error", "warning", "note") | not)
		then "no such rule or level: \(.ruleId)" else empty end,
		(.codeFlows[]? | bad_flow));

[shape(log; "log")] as $problems | if $problems == [] then references else $problems[] end
