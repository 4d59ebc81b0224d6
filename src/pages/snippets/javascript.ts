// The request by `fetch`, with integers that stay exact above 2^53.
import type { SnippetRequest } from "./request.ts";

export function toJavaScript(request: SnippetRequest): string {
	const { url, hasReplyBody } = request;
	return `${hasReplyBody ? needsSource : ""}const response = await fetch("${url}", {
${toOptions(request)}
});
if (!response.ok) throw new Error(await response.text());

${hasReplyBody ? readReply : "console.log(response.status);"}`;
}

function toOptions({ method, key, bodyText }: SnippetRequest): string {
	const authorization =
		key === undefined ? `"Bearer " + process.env.KEY` : `"Bearer ${key}"`;
	return [
		...(method === "GET" ? [] : [`  method: "${method}",`]),
		"  headers: {",
		`    Authorization: ${authorization},`,
		...(bodyText === undefined
			? ["  },"]
			: [
					'    "Content-Type": "application/json",',
					"  },",
					"  // JSON text: a number in JavaScript is exact only up to 2^53.",
					`  body: ${quote(bodyText)},`,
				]),
	].join("\n");
}

function quote(text: string): string {
	return `'${text.replace(/['\\]/g, "\\$&")}'`;
}

/** Comes before the request, so that no add is sent whose reply cannot be read. Runtimes with JSON.rawJSON also give a reviver the digits of a number. */
const needsSource = `if (!("rawJSON" in JSON)) throw new Error("This needs Node.js 21 or later.");

`;

const readReply = `// Reads integers from their digits, because response.json() rounds them above 2^53.
const reply = JSON.parse(await response.text(), (name, value, { source }) =>
  Number.isInteger(value) ? BigInt(source) : value,
);
console.log(reply);`;
