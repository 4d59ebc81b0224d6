// Builds the parts of the package that run without Bun.
import { existsSync, writeFileSync } from "node:fs";
import { root } from "./root.ts";

/** Each becomes dist/NAME.js, one file with everything that it imports except other modules, and dist/NAME.d.ts. */
const modules = [
	{ name: "client", entry: "client/client", target: "browser" },
	{ name: "testing", entry: "testing/testing", target: "node" },
] as const;

type Module = (typeof modules)[number];

const compiler = `${root}node_modules/typescript/bin/tsc`;

export async function buildModules(): Promise<void> {
	for (const module of modules) await bundle(module);
	// `npm ci --omit=dev` installs no compiler. The service runs without types.
	if (existsSync(compiler)) declare();
}

async function bundle({ name, entry, target }: Module): Promise<void> {
	await Bun.build({
		entrypoints: [`${root}src/${entry}.ts`],
		outdir: `${root}dist`,
		naming: `${name}.js`,
		target,
		// Keeps line breaks, because runtimes print the line of an error.
		minify: { syntax: true, identifiers: true },
		plugins: [{ name: "other modules", setup: leaveOtherModules }],
	});
}

/** A module imports another one, and does not copy it: two copies of a class do not know each other's instances. */
function leaveOtherModules({ onResolve }: Bun.PluginBuilder): void {
	for (const { name, entry } of modules)
		onResolve({ filter: new RegExp(`^\\.\\./${entry}\\.ts$`) }, () => ({
			path: `./${name}.js`,
			external: true,
		}));
	// command.cjs finds other files by its own path.
	onResolve({ filter: /\/bin\/command\.cjs$/ }, () => ({
		path: "../bin/command.cjs",
		external: true,
	}));
}

/** Writes the types of each source file into dist/, and for each module a file that exports those of its entry. */
function declare(): void {
	const { exitCode } = Bun.spawnSync(
		[process.execPath, compiler, "-p", `${root}build/declarations.json`],
		{ stdio: ["ignore", "inherit", "inherit"] },
	);
	if (exitCode !== 0) process.exit(1);
	for (const { name, entry } of modules)
		writeFileSync(
			`${root}dist/${name}.d.ts`,
			`export * from "./${entry}.ts";\n`,
		);
}
