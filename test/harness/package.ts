// The package as a user has it: built, packed by npm, and installed in the node_modules of another project.
import {
	cpSync,
	mkdirSync,
	readdirSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import manifest from "../../package.json" with { type: "json" };
import { root, start } from "./process.ts";

export const packageName = "petstore-service";

/** Links the dependencies of this project, so that nothing is downloaded. */
export async function installPackage(project: string): Promise<void> {
	const modules = `${project}/node_modules`;
	const installed = `${modules}/${packageName}`;
	mkdirSync(installed, { recursive: true });
	linkAll(`${root}node_modules`, modules);
	mkdirSync(`${modules}/.bin`);
	linkAll(`${root}node_modules/.bin`, `${modules}/.bin`);
	symlinkSync(
		`${installed}/${manifest.bin.petstore}`,
		`${modules}/.bin/petstore`,
	);
	writeFileSync(`${project}/package.json`, '{"type":"module"}');
	const tarball = await packPackage(project);
	await succeed(
		["tar", "-xf", tarball, "-C", installed, "--strip-components=1"],
		project,
	);
}

/** Builds a copy of this project, because other tests read its dist/. Returns the path of the tarball in the folder. */
async function packPackage(folder: string): Promise<string> {
	const source = `${folder}/source`;
	cpSync(root, source, {
		recursive: true,
		filter: (path) =>
			!/\/(node_modules|\.git|\.packing|data|dist|executables|.*\.bun-build)$/.test(
				path,
			),
	});
	symlinkSync(`${root}node_modules`, `${source}/node_modules`);
	await succeed(["npm", "pack", "--pack-destination", folder], source);
	return `${folder}/${packageName}-${manifest.version}.tgz`;
}

/** Links to everything in the folder except hidden files. */
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
