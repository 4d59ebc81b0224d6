// The arrows between the files of src/, as ARCHITECTURE.md draws them, and what may stand only in one place.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { root } from "./process.ts";

/** From the bottom up: a file imports only from the layers below its own. */
const layers = [
	/^(awaitable|deadline|errors|json)$/,
	/^(parameter|rate-limit|tls)$/,
	/^contract$/,
	/^pet$/,
	/^cursor$/,
	/^store\/store$/,
	/^store\/(batch|pages)$/,
	/^store\/(sqlite|postgres)-(schema|rows)$/,
	/^store\/((sqlite|postgres)-database|sqlite-log)$/,
	/^store\/((sqlite|postgres)-(copy|pages)|sqlite-(changes|writes))$/,
	/^store\/sqlite-(writer|reads)$/,
	/^store\/sqlite-(thread|place)$/,
	/^store\/(sqlite|postgres)$/,
	/^store\/open$/,
	/^(key|body|reply|router|log|config|openapi|admission|outbox|turn)$/,
	/^auth$/,
	/^operations$/,
	/^app$/,
	/^server$/,
	/^cli\/(expiry|print|progress|signal|table|worker)$/,
	/^cli\/(issue|workers)$/,
	/^cli\/report$/,
	/^cli\/(serve|keys|openapi|copy|verify)$/,
	/^cli\/main$/,
];

const sources = readdirSync(`${root}src`, { recursive: true })
	.map(String)
	.filter((path) => path.endsWith(".ts"))
	.map((path) => {
		const text = readFileSync(`${root}src/${path}`, "utf8");
		return {
			name: path.replace(/\.ts$/, ""),
			text,
			imports: importsOf(path, text),
		};
	});

test("every file has its layer", () => {
	for (const { name } of sources)
		expect([name, layerOf(name)]).not.toEqual([name, -1]);
});

test("imports point one way", () => {
	const against = sources.flatMap(({ name, imports }) =>
		imports
			.filter((other) => layerOf(other) >= layerOf(name))
			.map((other) => `${name} imports ${other}`),
	);
	expect(against).toEqual([]);
});

test("only store/open imports an engine", () => {
	const importers = sources.filter(
		({ name, imports }) =>
			imports.some((other) => /^store\/(sqlite|postgres)$/.test(other)) &&
			name !== "store/open",
	);
	expect(importers.map(({ name }) => name)).toEqual([]);
});

test.each([
	["bun:sqlite", /"bun:sqlite"/, /^store\/sqlite/],
	["the PostgreSQL client", /from "pg"/, /^store\/postgres/],
	["Bun itself", /\bBun\./, /^(server|store\/sqlite-schema)$/],
	[
		"SQL",
		/\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|PRAGMA)\b/,
		/^store\/(sqlite|postgres)/,
	],
	["a status number", /\bstatus\b\W{1,5}[1-5]\d\d\b/, /^(contract|errors)$/],
	["the environment", /process\.env|\.env\(/, /^config$/],
	["a socket", /"node:(net|http|https|tls)"|Bun\.serve/, /^server$/],
	["a shell", /Bun\.\$|from "bun"|\bshell:|\bexec(Sync)?\("/, /^nowhere$/],
])("%s is known only where it belongs", (_what, pattern, places) => {
	const elsewhere = sources
		.filter(
			({ name, text }) => !places.test(name) && pattern.test(codeOf(text)),
		)
		.map(({ name }) => name);
	expect(elsewhere).toEqual([]);
});

test("keys are compared in constant time", () => {
	const auth = sources.find(({ name }) => name === "auth")?.text ?? "";
	expect(codeOf(auth)).toContain("timingSafeEqual(copy, own)");
	expect(codeOf(auth)).not.toMatch(
		/\b(text|token|keyHash|apiKey|given|copy|own)\b(\.\w+)? [!=]==? (?!undefined)|[!=]==? (text|token|keyHash|apiKey|given|copy|own)\b/,
	);
});

function importsOf(path: string, text: string): string[] {
	return [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)\.ts"/g)].map(
		([, target = ""]) => normalize(join(dirname(path), target)),
	);
}

function layerOf(name: string): number {
	return layers.findIndex((files) => files.test(name));
}

function codeOf(text: string): string {
	return text.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, "");
}
