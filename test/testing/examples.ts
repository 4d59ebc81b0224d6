// The examples of docs/testing.md. The first line of each names its file and the command that runs it, which must succeed.
import { describe, expect, test } from "bun:test";
import {
	existsSync,
	mkdtempSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { delimiter, dirname } from "node:path";
import { succeed } from "../../harness/package.ts";
import { root } from "../../harness/process.ts";

export interface Project {
	readonly path: string;
	/** Whether npm has installed the package there, with other test runners. */
	readonly isInstalled: boolean;
	/** The executable of a newer Node.js. */
	readonly newerNode: string | undefined;
}

/** Registers the tests. An example is skipped if its test runner is not there. */
export function testExamples(project: Project): void {
	const text = readFileSync(`${root}docs/testing.md`, "utf8");
	const examples = text.matchAll(
		/^```\w+\n(?<code>(?:\/\/|#) (?<file>\S+): (?<command>[^\n]+)\n.*?)^```$/gms,
	);
	test("docs/testing.md names the test runners that .ci/run installs", () => {
		const installed = readFileSync(`${root}.ci/run`, "utf8").matchAll(
			/(vitest|jest)@([\d.]+)/g,
		);
		for (const [, name, version] of installed)
			expect(text.toLowerCase()).toContain(`${name} ${version}`);
	});
	describe("the examples of docs/testing.md run", () => {
		for (const { groups = {} } of examples) {
			const { code = "", file = "", command = "" } = groups;
			test.if(isThere(command, project))(command, async () => {
				const folder = mkdtempSync(`${project.path}/example-`);
				symlinkSync("../node_modules", `${folder}/node_modules`);
				writeFileSync(`${folder}/package.json`, "{}");
				writeFileSync(`${folder}/${file}`, code);
				await succeed(["sh", "-ec", command], folder, toEnv(project));
			});
		}
	});
}

function isThere(command: string, { path, isInstalled }: Project): boolean {
	const [, fromNpm] = /npx (\w+)/.exec(command) ?? [];
	if (fromNpm === "bun") return true;
	if (fromNpm !== undefined)
		return existsSync(`${path}/node_modules/.bin/${fromNpm}`);
	const [program = ""] = command.split(" ");
	return Bun.which(program) !== null && (program !== "go" || isInstalled);
}

/** The newest Vitest needs a newer Node.js than 20. */
function toEnv({ newerNode }: Project): Record<string, string> {
	if (newerNode === undefined) return {};
	const { PATH = "" } = process.env;
	return { PATH: dirname(newerNode) + delimiter + PATH };
}
