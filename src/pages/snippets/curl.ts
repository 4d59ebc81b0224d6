// The request as a curl command.
import type { SnippetRequest } from "./request.ts";

export function toCurl(request: SnippetRequest): string {
	const { method, url, key, bodyText } = request;
	const implied = bodyText === undefined ? "GET" : "POST";
	return [
		`curl ${method === implied ? "" : `-X ${method} `}${quoteUrl(url)}`,
		`-H "Authorization: Bearer ${key ?? "$KEY"}"`,
		...(bodyText === undefined
			? []
			: ['-H "Content-Type: application/json"', `-d ${quote(bodyText)}`]),
	].join(" \\\n  ");
}

/** The shell gives `?` and `&` a meaning of their own. */
function quoteUrl(url: string): string {
	return /[?&]/.test(url) ? `"${url}"` : url;
}

function quote(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}
