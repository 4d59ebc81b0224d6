// The request with `fetch`, with all digits of integers; in TypeScript with our own client, if it has the operation.
import {
	jsonString,
	type ReplyReaders,
	type SnippetRequest,
	toExpression,
	type Value,
} from "./request.ts";

export function toTypeScript(request: SnippetRequest): string {
	const call = calls[request.operationId]?.(request);
	// JavaScript is valid TypeScript.
	if (call === undefined || request.values.some(isForFetch))
		return toJavaScript(request);
	const { base, key } = request;
	const keyCode =
		key === undefined ? 'process.env.KEY ?? ""' : JSON.stringify(key);
	return `import { createClient } from "petstore-service/client";

const store = createClient({
  url: "${base}",
  key: ${keyCode},
});

// id and categoryId are bigint, so that no digit is lost.
${call}`;
}

/** What the client cannot send. */
function isForFetch({ place, name }: Value): boolean {
	return place === "header" || name === "cursor";
}

const calls: Readonly<Record<string, (request: SnippetRequest) => string>> = {
	listPets: ({ values }) =>
		`// All pages, one after the other.
for await (const pet of store.listPets(${toQuery(values)})) {
  console.log(pet);
}`,
	createPet: ({ bodyText = "" }) =>
		`const pet = await store.createPet(${toObject(bodyText)});
console.log(pet);`,
	getPet: ({ values }) =>
		`const pet = await store.getPet(${values.map(({ value }) => value)}n);
console.log(pet);`,
};

function toQuery(values: readonly Value[]): string {
	const members = values.map(
		({ name, value }) =>
			`${name}: ${name === "limit" ? value : JSON.stringify(value)}`,
	);
	return members.length === 0 ? "" : `{ ${members.join(", ")} }`;
}

/** Token by token, so that each number keeps its digits. */
function toObject(json: string): string {
	return json.replace(tokens, (token, name, string, integer) => {
		if (name !== undefined) return `${name}: `;
		if (integer !== undefined) return `${integer}n`;
		return string ?? spaced[token];
	});
}

const tokens = new RegExp(
	`"(\\w+)":|(${jsonString})|(-?\\d+)(?![\\d.eE])|[{},]`,
	"g",
);
const spaced: Record<string, string> = { "{": "{ ", "}": " }", ",": ", " };

export function toJavaScript(request: SnippetRequest): string {
	const { url, reply, fileName } = request;
	const start =
		reply === "file" ? 'import { writeFile } from "node:fs/promises";\n\n' : "";
	return `${start}const response = await fetch("${url}", {
${toOptions(request)}
});
if (!response.ok) throw new Error(await response.text());

${readers[reply](fileName)}`;
}

function toOptions({ method, headers, bodyText }: SnippetRequest): string {
	const lines: string[] = [];
	if (method !== "GET") lines.push(`  method: "${method}",`);
	if (headers.length > 0)
		lines.push("  headers: {", ...headers.map(toHeader), "  },");
	if (bodyText !== undefined)
		lines.push(
			"  // JSON text: a number in JavaScript is exact only up to 2^53.",
			`  body: ${toExpression(bodyText, inSingleQuotes)},`,
		);
	return lines.join("\n");
}

function toHeader([name, value]: readonly [string, string]): string {
	const plainName = /^\w+$/.test(name) ? name : `"${name}"`;
	const text = toExpression(value, inDoubleQuotes);
	// Otherwise an unset variable is sent as "undefined".
	const isVariable = text.startsWith("process");
	return `    ${plainName}: ${text}${isVariable ? ' ?? ""' : ""},`;
}

const joined = {
	variable: (name: string) => `process.env.${name}`,
	join: " + ",
};

const inDoubleQuotes = {
	...joined,
	quote: (text: string) => JSON.stringify(text),
};

const inSingleQuotes = {
	...joined,
	quote: (text: string) =>
		`'${text.replace(/['\\]/g, "\\$&").replaceAll("\n", "\\n")}'`,
};

const readers: ReplyReaders = {
	nothing: () => "console.log(response.status);",
	cookie: () =>
		'console.log(response.status, response.headers.get("Set-Cookie"));',
	text: () => "console.log(await response.text());",
	file: (name) =>
		`await writeFile("${name}", new Uint8Array(await response.arrayBuffer()));`,
	// Without a reviver: before Node.js 21 it does not get the digits of a number.
	json: () => `// JSON.parse rounds integers above 2^53, so integers with 16 or more digits become strings.
const text = await response.text();
const tokens = /"(?:[^"\\\\]|\\\\.)*"|(?<![\\d.eE+-])-?\\d{16,}(?![\\d.eE])/g;
const reply = JSON.parse(
  text.replace(tokens, (token) => (token[0] === '"' ? token : \`"\${token}"\`)),
);
console.log(reply);`,
};
