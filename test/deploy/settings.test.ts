// The files in deploy/ and the Dockerfile use only settings that exist, and contain no secrets.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Option } from "@commander-js/extra-typings";
import { command as healthCommand } from "../../src/cli/commands/health.ts";
import { command as sandboxCommand } from "../../src/cli/commands/sandbox/sandbox.ts";
import { serveCommand } from "../../src/cli/commands/serve/config.ts";
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
		const known = serveCommand.options.map(({ envVar }) => envVar);
		const used = text
			// Comments name variables that others would set.
			.replace(/^\s*#.*$/gm, "")
			.match(/\bPETSTORE_\w+/g);
		expect(used?.length).toBeGreaterThan(0);
		expect([...known, "PETSTORE_API_KEY"]).toEqual(
			expect.arrayContaining(used ?? []),
		);
	});

	test("calls commands with known flags and valid values", () => {
		const calls = toCalls(text);
		expect(calls.length).toBeGreaterThan(0);
		for (const { options, args } of calls) expectAccepted(options, args);
	});

	test("contains no password and no key", () => {
		// A URL with a password, one of our keys, or a value that does not come from a variable.
		expect(text).not.toMatch(/:\/\/\w*:[^@\s]*@|\bpet_\w{8}/);
		const secrets =
			text.match(/(?<!\$\{\w*)(PASSWORD|API_KEY|--key)\b["']?[:=,].*$/gm) ?? [];
		for (const secret of secrets) expect(secret).toMatch(/[:=,] ?"?\$\{\w+:/);
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
		const options = commands.get(words[at] ?? "");
		return options === undefined
			? []
			: [{ options, args: words.slice(at + 1) }];
	});
}

const commands = new Map(
	[serveCommand, healthCommand, sandboxCommand].map((command) => [
		command.name(),
		command.options,
	]),
);

function expectAccepted(
	options: readonly Option[],
	args: readonly string[],
): void {
	for (let at = 0; at < args.length; at++) {
		const option = options.find(({ long }) => long === args[at]);
		expect([args[at], option !== undefined]).toEqual([args[at], true]);
		// Throws if the option refuses the value.
		if (option?.required) option.parseArg?.(args[++at] ?? "", undefined);
	}
}
