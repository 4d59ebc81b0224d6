// The package as a user has it: packed by npm and installed in another project. The folder where it was built is gone.
import {
	constants,
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };
import { root, start } from "./process.ts";

export const packageName = "petstore-service";

export async function installPackage(project: string): Promise<void> {
	const source = `${project}/source`;
	const installed = `${project}/node_modules/${packageName}`;
	copyCheckout(source);
	linkDevelopmentPackages(source);
	await succeed(["npm", "pack", "--pack-destination", project], source);
	mkdirSync(installed, { recursive: true });
	await succeed(
		["tar", "-xf", `${project}/${tarball}`, "--strip-components=1"],
		installed,
	);
	for (const path of runtimePackages) {
		mkdirSync(dirname(`${project}/${path}`), { recursive: true });
		renameSync(`${source}/${path}`, `${project}/${path}`);
	}
	rmSync(source, { recursive: true });
	mkdirSync(`${project}/node_modules/.bin`);
	symlinkSync(
		`../${packageName}/${manifest.bin.petstore}`,
		`${project}/node_modules/.bin/petstore`,
	);
	writeFileSync(`${project}/package.json`, '{"type":"module"}');
}

export const tarball = `${packageName}-${manifest.version}.tgz`;

/** Copies this checkout as a new clone has it after `npm ci --omit=dev`, but for the build. Nothing in the copy leads back to the checkout. */
export function copyCheckout(copy: string): void {
	cpSync(root, copy, {
		recursive: true,
		filter: (path) =>
			!/\/(node_modules|\.git|data|dist|executables|.*\.bun-build|.*\.tgz)$/.test(
				path,
			),
	});
	for (const path of [...runtimePackages, "node_modules/.bin"])
		cpSync(root + path, `${copy}/${path}`, {
			recursive: true,
			verbatimSymlinks: true,
			mode: constants.COPYFILE_FICLONE,
			// A second name of bun.exe, of 100 MB.
			filter: (path) => !path.endsWith("/bunx.exe"),
		});
}

/** Those that are installed: npm leaves out the packages of Bun for other systems. */
const runtimePackages = Object.entries(lock.packages)
	.filter(([path, entry]) => path !== "" && !("dev" in entry))
	.map(([path]) => path)
	.filter((path) => existsSync(root + path));

/** The build runs the compiler, but what it makes has nothing of it. */
export function linkDevelopmentPackages(copy: string): void {
	for (const name of readdirSync(`${root}node_modules`)) {
		const path = join(copy, "node_modules", name);
		if (!existsSync(path)) symlinkSync(`${root}node_modules/${name}`, path);
	}
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
