// The package as its users have it: built, packed by npm, and installed in the node_modules of another project.
import {
	cpSync,
	mkdirSync,
	readdirSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import manifest from "../package.json" with { type: "json" };
import { root, start } from "./process.ts";

export const packageName = "petstore-service";

/** The dependencies are links to those of this project, so that nothing is downloaded. */
export async function installPackage(project: string): Promise<void> {
	const source = `${project}/source`;
	const modules = `${project}/node_modules`;
	const installed = `${modules}/${packageName}`;
	// A copy, since other tests read dist/ of this project at the same time.
	cpSync(root, source, {
		recursive: true,
		filter: (path) => !/\/(node_modules|\.git|data|dist)$/.test(path),
	});
	mkdirSync(installed, { recursive: true });
	linkAll(`${root}node_modules`, modules);
	mkdirSync(`${modules}/.bin`);
	linkAll(`${root}node_modules/.bin`, `${modules}/.bin`);
	symlinkSync(
		`${installed}/${manifest.bin.petstore}`,
		`${modules}/.bin/petstore`,
	);
	symlinkSync(modules, `${source}/node_modules`);
	writeFileSync(`${project}/package.json`, '{"type":"module"}');
	await succeed([process.execPath, "build/run.ts"], source);
	await succeed(
		["npm", "pack", "--ignore-scripts", "--pack-destination", project],
		source,
	);
	const [tarball = ""] = readdirSync(project).filter((name) =>
		name.endsWith(".tgz"),
	);
	await succeed(
		["tar", "-xf", tarball, "-C", installed, "--strip-components=1"],
		project,
	);
}

/** Links to all that is in the folder, without hidden files. */
function linkAll(from: string, to: string): void {
	for (const name of readdirSync(from))
		if (!name.startsWith(".")) symlinkSync(`${from}/${name}`, `${to}/${name}`);
}

/** Returns stdout. Throws with all output if the status is not 0. */
export async function succeed(
	command: readonly [string, ...string[]],
	cwd: string,
	env: Record<string, string> = {},
): Promise<string> {
	const { status, stdout, stderr } = await start(command, { cwd, env })
		.finished;
	if (status !== 0)
		throw new Error(`${command.join(" ")}: ${status} ${stdout}${stderr}`);
	return stdout;
}
