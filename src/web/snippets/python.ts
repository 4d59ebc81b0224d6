// The request with the standard library of Python. Its integers have no size limit.
import {
	type ReplyReaders,
	type SnippetRequest,
	toExpression,
} from "./request.ts";

export function toPython(request: SnippetRequest): string {
	const { method, url, headers, body, bodyText, reply } = request;
	const lines = [
		"request = urllib.request.Request(",
		`    "${url}",`,
		`    method="${method}",`,
	];
	if (headers.length > 0) lines.push("    headers={");
	for (const [name, value] of headers)
		lines.push(`        "${name}": ${toText(value)},`);
	if (headers.length > 0) lines.push("    },");
	if (bodyText !== undefined)
		lines.push(`    data=json.dumps(${toLiteral(body)}).encode(),`);
	lines.push(")", readers[reply.kind](reply.name));
	const code = lines.join("\n");
	const used = modules.filter((name) =>
		new RegExp(`(^|[ (=])${name}\\.`, "m").test(code),
	);
	return [...used.map((name) => `import ${name}`), "", code].join("\n");
}

const modules = ["json", "os", "shutil", "urllib.request"];

function toText(text: string): string {
	return toExpression(text, {
		quote: (part) => JSON.stringify(part),
		// The cookie is optional.
		variable: (name) =>
			name === "COOKIE"
				? `os.environ.get("${name}", "")`
				: `os.environ["${name}"]`,
		join: " + ",
	});
}

function toLiteral(value: unknown): string {
	if (typeof value === "string") return toText(value);
	if (typeof value === "boolean") return value ? "True" : "False";
	if (Array.isArray(value)) return `[${value.map(toLiteral).join(", ")}]`;
	if (typeof value !== "object") return String(value);
	if (value === null) return "None";
	const members = Object.entries(value).map(
		([name, one]) => `"${name}": ${toLiteral(one)}`,
	);
	return `{${members.join(", ")}}`;
}

const open = "with urllib.request.urlopen(request) as reply";

const readers: ReplyReaders = {
	nothing: () => `${open}:\n    print(reply.status)`,
	cookie: () =>
		`${open}:\n    print(reply.status, reply.headers["Set-Cookie"])`,
	text: () => `${open}:\n    print(reply.read().decode())`,
	file: (name) => `${open}, open("${name}", "wb") as file:
    shutil.copyfileobj(reply, file)`,
	json: () => `${open}:
    # Integers in Python have no size limit, so no digit is lost.
    print(json.load(reply))`,
};
