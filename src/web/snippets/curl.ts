// The request as a curl command.
import { type SnippetRequest, toExpression } from "./request.ts";

export function toCurl(request: SnippetRequest): string {
	const { method, url, headers, bodyText, reply } = request;
	const implied = bodyText === undefined ? "GET" : "POST";
	return [
		`curl ${toFlags(reply)}${method === implied ? "" : `-X ${method} `}${quoteUrl(url)}`,
		...headers.map(
			([name, value]) => `-H "${toExpression(`${name}: ${value}`, inQuotes)}"`,
		),
		...(bodyText === undefined
			? []
			: [`-d ${toExpression(bodyText, besideQuotes)}`]),
	].join(" \\\n  ");
}

/** The cookie is in the headers of the reply, which curl shows only with `-i`. */
function toFlags({ kind, name }: SnippetRequest["reply"]): string {
	if (kind === "cookie") return "-i ";
	return kind === "file" ? `-o ${name} ` : "";
}

/** The shell gives `?` and `&` a meaning of their own. */
function quoteUrl(url: string): string {
	return /[?&]/.test(url) ? `"${url}"` : url;
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
