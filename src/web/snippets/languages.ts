// The languages of the snippets; and the request as a curl command.
import { toGo } from "./go.ts";
import { toJavaScript, toTypeScript } from "./javascript.ts";
import { toPython } from "./python.ts";
import { type SnippetRequest, toExpression } from "./request.ts";

export const languages = [
	{ id: "curl", label: "curl", write: toCurl },
	{ id: "typescript", label: "TypeScript", write: toTypeScript },
	{ id: "javascript", label: "JavaScript", write: toJavaScript },
	{ id: "python", label: "Python", write: toPython },
	{ id: "go", label: "Go", write: toGo },
] as const;

export type Language = (typeof languages)[number];

export function toCurl(request: SnippetRequest): string {
	const { method, url, headers, bodyText, reply, fileName } = request;
	// curl shows the headers of the reply, with the cookie, only with `-i`.
	const show = reply === "cookie" ? "-i " : "";
	const store = reply === "file" ? `-o ${fileName} ` : "";
	const implied = bodyText === undefined ? "GET" : "POST";
	// Other characters have a meaning in the shell.
	const address = /^[\w:/.%~-]+$/.test(url) ? url : `"${url}"`;
	return [
		`curl ${show}${store}${method === implied ? "" : `-X ${method} `}${address}`,
		...headers.map(
			([name, value]) => `-H "${toExpression(`${name}: ${value}`, inQuotes)}"`,
		),
		...(bodyText === undefined
			? []
			: [`-d ${toExpression(bodyText, besideQuotes)}`]),
	].join(" \\\n  ");
}

const inQuotes = {
	quote: (text: string) => text.replace(/["\\$`]/g, "\\$&"),
	variable: (name: string) => `$${name}`,
	join: "",
};

const besideQuotes = {
	quote: (text: string) => `'${text.replaceAll("'", "'\\''")}'`,
	variable: (name: string) => `"$${name}"`,
	join: "",
};
