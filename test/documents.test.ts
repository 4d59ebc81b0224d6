// The documents are true: decisions have tests, tables follow the code, commands run as they are printed.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { root } from "./process.ts";

const decisions = readFileSync(`${root}docs/decisions.md`, "utf8");
const tests = readdirSync(`${root}test`)
	.filter((name) => name.endsWith(".ts"))
	.map((name) => readFileSync(`${root}test/${name}`, "utf8"))
	.join("\n");

const rows = [...decisions.matchAll(/^\| ([^|]+) \|/gm)]
	.map(([, question = ""]) => question)
	.filter((question) => question !== "Question");

test("docs/decisions.md has rows", () => {
	expect(rows.length).toBeGreaterThan(40);
	expect(new Set(rows).size).toBe(rows.length);
});

test.each(rows)("the decision on %s has a test", (row) => {
	expect(tests).toMatch(new RegExp(`decision\\(\\s*"${RegExp.escape(row)}"`));
});
