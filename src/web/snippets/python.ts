// The request with the standard library of Python. Its integers have no size limit.
import {
	jsonString,
	type ReplyReaders,
	type SnippetRequest,
	toExpression,
} from "./request.ts";

export function toPython(request: SnippetRequest): string {
	const { method, url, headers, bodyText, bodyType, reply, fileName } = request;
	const lines = [
		"request = urllib.request.Request(",
		`    "${url}",`,
		`    method="${method}",`,
	];
	if (headers.length > 0) lines.push("    headers={");
	for (const [name, value] of headers)
		lines.push(`        "${name}": ${toText(value)},`);
	if (headers.length > 0) lines.push("    },");
	if (bodyText !== undefined) {
		const isJson = bodyType === "application/json";
		const text = isJson
			? `json.dumps(${toLiteral(bodyText)})`
			: toText(bodyText);
		lines.push(`    data=${text}.encode(),`);
	}
	lines.push(")", readers[reply](fileName));
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

/** Token by token, so that each number keeps its digits. */
function toLiteral(json: string): string {
	return json.replace(tokens, (token, string, word) => {
		if (string !== undefined) return toText(JSON.parse(string));
		return word === undefined ? `${token} ` : (words[word] ?? "");
	});
}

const tokens = new RegExp(`(${jsonString})|(true|false|null)|[,:]`, "g");
const words: Record<string, string> = {
	true: "True",
	false: "False",
	null: "None",
};

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
