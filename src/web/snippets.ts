// The request of an operation's form as a command or a program. Each prints the reply as text, so that every digit stays. The service and
// the script of the page both write it.

import { toQuery } from "../domain/text.ts";

/** The form as a reader has filled it in; at first with examples. */
export interface Filled {
	readonly method: string;
	/** With the prefix of the interface; `{name}` stands for a value. */
	readonly path: string;
	readonly needsKey: boolean;
	/** Without empty fields. */
	readonly values: readonly Value[];
	readonly bodyText: string | undefined;
	/** Its media type. */
	readonly bodyType: string;
	/** Whether a successful reply is a file, and not text. */
	readonly isFile: boolean;
}

interface Value {
	/** `path`, `query` or `header`. */
	readonly place: string;
	readonly name: string;
	readonly value: string;
}

export type SentRequest = ReturnType<typeof toRequest>;

/** Without a key, the snippet reads the environment variable KEY. */
export function toSnippetRequest(
	filled: Filled,
	base: string,
	key = keyMark,
): SentRequest {
	const bodyText =
		filled.bodyType === "application/json"
			? filled.bodyText?.replace(spaces, "$1")
			: filled.bodyText;
	return toRequest({ ...filled, bodyText }, base, key);
}

/** Matches strings too, to keep the spaces in them. JSON.parse would round an int64. */
const spaces = /("(?:[^"\\]|\\.)*")|\s+/g;

/** Has no Authorization if the key is empty. */
export function toRequest(filled: Filled, base: string, key: string) {
	const { method, path, values, needsKey, bodyText, bodyType, isFile } = filled;
	const headers: (readonly [name: string, value: string])[] = [];
	if (needsKey && key !== "") headers.push(["Authorization", `Bearer ${key}`]);
	for (const { place, name, value } of values)
		if (place === "header") headers.push([name, value]);
	if (bodyText !== undefined) headers.push(["Content-Type", bodyType]);
	const asked = values.filter(({ place }) => place === "query");
	const query = toQuery(
		Object.fromEntries(asked.map(({ name, value }) => [name, value])),
	);
	const target = path.replace(/\{(\w+)\}/g, (_, segment) =>
		encodeURIComponent(
			values.find(({ name }) => name === segment)?.value ?? "",
		),
	);
	const url = `${base}${target}${query && `?${query}`}`;
	return { method, url, headers, body: bodyText, isFile, base, key, values };
}

/** Stands for the environment variable KEY at the end of a header. No example has this private-use character. */
const keyMark = "\ue000";

/** A header's value as an expression. A JSON string is also a string of JavaScript, Python and Go. */
function toExpression(value: string, variable: string, plus = " + "): string {
	if (value === keyMark) return variable;
	const text = JSON.stringify(value.replace(keyMark, ""));
	return value.endsWith(keyMark) ? text + plus + variable : text;
}

/** For JavaScript and Python. */
function inSingleQuotes(text: string): string {
	return `'${text.replace(/['\\]/g, "\\$&").replaceAll("\n", "\\n")}'`;
}

export function toCurl(request: SentRequest): string {
	const { method, url, headers, body, isFile } = request;
	const isImplied = method === (body === undefined ? "GET" : "POST");
	const flags = [
		// Its reply has no body.
		method === "DELETE" && "-i",
		isFile && `-o ${url.replace(/^.*\//, "")}`,
		!isImplied && `-X ${method}`,
	];
	// Other characters have a meaning in the shell.
	const address = /^[\w:/.%~-]+$/.test(url) ? url : `"${url}"`;
	return [
		["curl", ...flags, address].filter(Boolean).join(" "),
		...headers.map(([name, value]) => {
			const text = `${name}: ${value}`.replace(/["\\$`]/g, "\\$&");
			return `-H "${text.replace(keyMark, "$KEY")}"`;
		}),
		...(body === undefined ? [] : [`-d '${body.replaceAll("'", "'\\''")}'`]),
	].join(" \\\n  ");
}

function toJavaScript({ method, url, headers, body }: SentRequest): string {
	const lines = headers.map(
		([name, value]) => `    "${name}": ${toExpression(value, inNode)},`,
	);
	return `const response = await fetch("${url}", {
  method: "${method}",
  headers: {
${lines.join("\n")}
  },${body === undefined ? "" : `\n  body: ${inSingleQuotes(body)},`}
});
// As text, because JSON.parse rounds integers above 2^53.
console.log(response.status, await response.text());`;
}

const inNode = "process.env.KEY";

function toPython({ method, url, headers, body }: SentRequest): string {
	const inPython = 'os.environ["KEY"]';
	const lines = headers.map(
		([name, value]) => `        "${name}": ${toExpression(value, inPython)},`,
	);
	return `import os
import urllib.request

request = urllib.request.Request(
    "${url}",
    method="${method}",
    headers={
${lines.join("\n")}
    },${body === undefined ? "" : `\n    data=${inSingleQuotes(body)}.encode(),`}
)
with urllib.request.urlopen(request) as reply:
    print(reply.status, reply.read().decode())`;
}

function toGo({ method, url, headers, body = "" }: SentRequest): string {
	const inGo = 'os.Getenv("KEY")';
	const lines = headers.map(
		([name, value]) =>
			`	request.Header.Set("${name}", ${toExpression(value, inGo, "+")})`,
	);
	// A raw string has no escapes, but it cannot have a backtick.
	const text = /[`\r]/.test(body) ? JSON.stringify(body) : `\`${body}\``;
	return `package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func main() {
	request, err := http.NewRequest("${method}", "${url}", strings.NewReader(${text}))
	if err != nil {
		panic(err)
	}
${lines.join("\n")}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	fmt.Println(response.Status)
	io.Copy(os.Stdout, response.Body)
}`;
}

/** By the client of this package, which has the operations of /v1. */
function toClient({ base, key, values, body }: SentRequest): string {
	const id = values.find(({ place }) => place === "path")?.value;
	const filter = values
		.filter(({ place, name }) => place === "query" && name !== "cursor")
		.map(
			({ name, value }) =>
				`${name}: ${name === "limit" ? value : JSON.stringify(value)}`,
		);
	const list = `for await (const pet of store.listPets({ ${filter.join(", ")} })) console.log(pet);`;
	// A whole number outside a string is an int64.
	const pet = body?.replace(
		/("(?:[^"\\]|\\.)*")|-?\d+/g,
		(number, text) => text ?? `${number}n`,
	);
	const one = pet ? `createPet(${pet})` : `getPet(${id}n)`;
	return `// Run "npm pack" in the checkout of the service, then "npm install FILE" here.
import { createClient } from "petstore-service/client";

const store = createClient({ url: "${base}", key: ${toExpression(key, inNode)} });
${pet || id ? `console.log(await store.${one});` : list}`;
}

export const languages: Readonly<
	Record<string, { label: string; write: (request: SentRequest) => string }>
> = {
	curl: { label: "curl", write: toCurl },
	javascript: { label: "JavaScript", write: toJavaScript },
	python: { label: "Python", write: toPython },
	go: { label: "Go", write: toGo },
	client: { label: "Client", write: toClient },
};

/** Only curl stores a file, and the client has only the operations of /v1. */
export function hasLanguage(id: string, { isFile, path }: Filled): boolean {
	if (isFile) return id === "curl";
	return id !== "client" || path.startsWith("/v1/");
}
