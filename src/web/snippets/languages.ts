// The languages that the reference has snippets for.
import { toCurl } from "./curl.ts";
import { toGo } from "./go.ts";
import { toJavaScript, toTypeScript } from "./javascript.ts";
import { toPython } from "./python.ts";
import type { SnippetRequest } from "./request.ts";

export interface Language {
	readonly id: string;
	readonly label: string;
	readonly write: (request: SnippetRequest) => string;
}

export const languages: readonly Language[] = [
	{ id: "curl", label: "curl", write: toCurl },
	{ id: "typescript", label: "TypeScript", write: toTypeScript },
	{ id: "javascript", label: "JavaScript", write: toJavaScript },
	{ id: "python", label: "Python", write: toPython },
	{ id: "go", label: "Go", write: toGo },
];
