// The package as a user has it: built, and installed in the node_modules of another project.
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

/** Builds it and copies its files. Faster than `installPacked`, which also tests how npm packs them. */
export async function installPackage(project: string): Promise<void> {
	const installed = makeProject(project);
	const source = copySource(project);
	await succeed([process.execPath, "build/run.ts"], source);
	for (const part of ["bin", "dist", "package.json"])
		cpSync(`${source}/${part}`, `${installed}/${part}`, { recursive: true });
}

/** Packs it with npm and unpacks that. */
export async function installPacked(project: string): Promise<void> {
	const installed = makeProject(project);
	const source = copySource(project);
	await succeed(["npm", "pack", "--pack-destination", project], source);
	const tarball = `${packageName}-${manifest.version}.tgz`;
	await succeed(
		["tar", "-xf", tarball, "-C", installed, "--strip-components=1"],
		project,
	);
}

/** Links the dependencies of this project, so that nothing is downloaded. Returns the folder of the package. */
function makeProject(project: string): string {
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
	return installed;
}

/** A copy of this project, because other tests read its dist/. */
function copySource(project: string): string {
	const source = `${project}/source`;
	cpSync(root, source, {
		recursive: true,
		filter: (path) =>
			!/\/(node_modules|\.git|\.packing|data|dist|executables|.*\.bun-build)$/.test(
				path,
			),
	});
	symlinkSync(`${root}node_modules`, `${source}/node_modules`);
	return source;
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
