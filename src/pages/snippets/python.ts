// The request by Python's standard library, whose integers have no limit.
import { python, toLiteral } from "./literal.ts";
import type { SnippetRequest } from "./request.ts";

export function toPython(request: SnippetRequest): string {
	const { method, url, key, body, bodyText, hasReplyBody } = request;
	const modules = [
		...(bodyText !== undefined || hasReplyBody ? ["json"] : []),
		...(key === undefined ? ["os"] : []),
		"urllib.request",
	];
	const authorization =
		key === undefined ? '"Bearer " + os.environ["KEY"]' : `"Bearer ${key}"`;
	return [
		...modules.map((name) => `import ${name}`),
		"",
		"request = urllib.request.Request(",
		`    "${url}",`,
		`    method="${method}",`,
		"    headers={",
		`        "Authorization": ${authorization},`,
		...(bodyText === undefined
			? ["    },"]
			: [
					'        "Content-Type": "application/json",',
					"    },",
					`    data=json.dumps(${toLiteral(body, python)}).encode(),`,
				]),
		")",
		"with urllib.request.urlopen(request) as reply:",
		...(hasReplyBody
			? [
					"    # An int of Python has no limit: no digit is lost.",
					"    print(json.load(reply))",
				]
			: ["    print(reply.status)"]),
	].join("\n");
}
