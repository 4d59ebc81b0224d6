// The scripts of `petstore completion`, in the real shells. The tests of a shell are skipped if it is not installed.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { run, start } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(async () => {
	folder = temporaryFolder();
	for (const shell of shells) {
		const script = await run(["completion", shell], { cwd: folder.path });
		expect([script.status, script.stderr]).toEqual([0, ""]);
		writeFileSync(`${folder.path}/petstore.${shell}`, script.stdout);
	}
});
afterAll(() => folder.remove());

/** What the shell offers in place of the last word, which may be empty. */
const completers: Record<Shell, (words: readonly string[]) => string> = {
	bash: (words) => `
		source petstore.bash
		compopt() { echo FILES; }
		COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})
		COMP_CWORD=${words.length - 1}
		_petstore
		printf '%s\\n' "\${COMPREPLY[@]}"`,
	zsh: (words) => `
		compdef() { : }
		source ./petstore.zsh
		_files() { echo FILES }
		compadd() { shift; print -l -- "$@" }
		_describe() { print -l -- "\${(@)choices%%:*}" }
		words=(${words.map((word) => `'${word}'`).join(" ")})
		CURRENT=${words.length}
		_petstore`,
	fish: (words) => `
		touch FILES
		source petstore.fish
		complete -C '${words.join(" ")}' | string replace -r '\\t.*' ''
		true`,
};

async function complete(shell: Shell, line: string): Promise<string[]> {
	const words = line.split(" ");
	const { status, stdout, stderr } = await start(
		[shell, "-c", completers[shell](words)],
		{ cwd: folder.path, env: { HOME: folder.path } },
	).finished;
	expect([status, stderr]).toEqual([0, ""]);
	const last = words.at(-1) ?? "";
	// Zsh itself filters what the script gives it, after the script has ended.
	return stdout
		.split("\n")
		.filter((word) => word !== "" && word.startsWith(last));
}

describe.each(shells)("in %s", (shell) => {
	test.skipIf(Bun.which(shell) === null).each([
		["petstore ", ["serve", "keys", "verify", "openapi", "copy", "help"]],
		["petstore se", ["serve"]],
		["petstore keys ", ["create", "list", "rename", "rotate", "revoke"]],
		["petstore serve --po", ["--port", "--pool-size"]],
		["petstore serve --port 80 --tls-c", ["--tls-cert"]],
		["petstore keys create --na", ["--name"]],
		["petstore keys create --scope ", ["read", "operator", "metrics"]],
		["petstore keys create --name list --js", ["--json"]],
		["petstore completion ", ["bash", "zsh", "fish"]],
		["petstore serve --tls-cert ", ["FILES"]],
		["petstore serve --backups ", ["FILES"]],
		["petstore sandbox --", ["--pets", "--ready-file"]],
		["petstore sandbox --ready-file ", ["FILES"]],
		["petstore --ver", ["--version"]],
		["petstore help ", ["serve", "keys"]],
		["petstore help keys ", ["create", "revoke"]],
	])("completes %j with %p", async (line, expected) => {
		const offered = await complete(shell, line);
		for (const word of expected) expect(offered).toContain(word);
	});

	test.skipIf(Bun.which(shell) === null).each([
		["petstore serve --port ", "--host"],
		["petstore serve ", "keys"],
		["petstore openapi --", "--database"],
		["petstore sandbox --", "--workers"],
		["petstore keys list --", "--name"],
		["petstore keys create --scope ", "--name"],
		["petstore serve --tls-cert ", "--port"],
	])("does not complete %j with %s", async (line, word) => {
		expect(await complete(shell, line)).not.toContain(word);
	});
});

test("puts every command and flag of the help into every script", async () => {
	const help = async (...args: string[]) =>
		(await run([...args, "--help"], { cwd: folder.path })).stdout;
	const texts = await Promise.all([
		help(),
		help("serve"),
		help("sandbox"),
		help("keys"),
		help("keys", "create"),
		help("verify"),
		help("copy"),
	]);
	const names = texts.flatMap((text) =>
		[...text.matchAll(/^ {2}(?:-\w, )?(?:--)?([a-z-]+)/gm)].map(
			([, name = ""]) => name,
		),
	);
	expect(names).toContain("log-requests");
	for (const shell of shells) {
		const script = await Bun.file(`${folder.path}/petstore.${shell}`).text();
		for (const name of names) expect(script).toMatch(new RegExp(`\\b${name}`));
	}
});
