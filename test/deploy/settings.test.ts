// The files in deploy/ and the Dockerfile use only settings that exist.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { toFlag } from "../../src/cli/command.ts";
import { flags as health } from "../../src/cli/commands/health.ts";
import { flags as sandbox } from "../../src/cli/commands/sandbox.ts";
import { flags as serve } from "../../src/cli/commands/serve.ts";
import { type Members, readText } from "../../src/domain/types/type.ts";
import { root } from "../harness/process.ts";

const files = [
	"Dockerfile",
	"deploy/compose.yaml",
	"deploy/compose.postgres.yaml",
	"deploy/compose.sandbox.yaml",
	"deploy/kubernetes.yaml",
	"deploy/petstore.service",
	"deploy/petstore-copies.conf",
];
const read = (path: string) => readFileSync(root + path, "utf8");

describe.each(files)("%s", (file) => {
	const text = read(file);

	test("sets only variables that the service reads", () => {
		const known = Object.values(serve).flatMap((flag) =>
			"variable" in flag ? [`PETSTORE_${flag.variable}`] : [],
		);
		const used = text
			// Comments name variables that others would set.
			.replace(/^\s*#.*$/gm, "")
			.match(/\bPETSTORE_\w+/g);
		expect(used?.length).toBeGreaterThan(0);
		expect(known).toEqual(expect.arrayContaining(used ?? []));
	});

	test("calls commands with known flags and valid values", () => {
		const calls = toCalls(text);
		expect(calls.length).toBeGreaterThan(0);
		for (const { flags, args } of calls) expectAccepted(flags, args);
	});
});

/** The petstore commands of a file: as lists in YAML and JSON, or on a line of the unit. */
function toCalls(text: string) {
	const lists = [...text.matchAll(/\[([^\][]*)\]/g)].map(([, list = ""]) =>
		list.split(",").map((word) =>
			word
				.trim()
				.replace(/^"(.*)"$/, "$1")
				// A variable that Compose requires.
				.replace(/^\$\{\w+:\?.*\}$/, "given"),
		),
	);
	const lines = [...text.matchAll(/^ExecStart=(.*)$/gm)].map(([, line = ""]) =>
		line.split(" "),
	);
	return [...lists, ...lines].flatMap((words) => {
		const at = words.findIndex((word) => commands.has(word));
		const flags = commands.get(words[at] ?? "");
		return flags === undefined ? [] : [{ flags, args: words.slice(at + 1) }];
	});
}

const commands = new Map<string, Members>(
	Object.entries({ serve, health, sandbox }),
);

function expectAccepted(flags: Members, args: readonly string[]): void {
	for (let at = 0; at < args.length; at++) {
		const [, type] =
			Object.entries(flags).find(([name]) => toFlag(name) === args[at]) ?? [];
		expect([args[at], type !== undefined]).toEqual([args[at], true]);
		if (type === undefined || type.schema.type === "boolean") continue;
		expect(readText(type, args[++at] ?? "", "value").broken).toEqual([]);
	}
}
