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

/** Before the request, so that an add is not sent in vain. Whoever has rawJSON gives the source of a number to a reviver. */
const needsSource = `if (!("rawJSON" in JSON)) throw new Error("This needs Node.js 21 or later.");

`;

const readReply = `// Reads integers from their digits, because response.json() rounds them above 2^53.
const reply = JSON.parse(await response.text(), (name, value, { source }) =>
  Number.isInteger(value) ? BigInt(source) : value,
);
console.log(reply);`;
