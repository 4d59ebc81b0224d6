// Builds the parts of the package that run without Bun, as ES modules, and in cjs/ as CommonJS.
import { cpSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { root } from "./root.ts";

/** Each becomes NAME.js, one file with everything that it imports except other modules, and NAME.d.ts. */
const modules = [
	{ name: "client", entry: "client/client", target: "browser" },
	{ name: "testing", entry: "testing/testing", target: "node" },
] as const;

type Module = (typeof modules)[number];

const compiler = `${root}node_modules/typescript/bin/tsc`;

export async function buildModules(folder: string): Promise<void> {
	const commonJs = `${folder}cjs/`;
	for (const module of modules) {
		await bundle(module, folder, "esm", "../bin/command.cjs");
		await bundle(module, commonJs, "cjs", "../../bin/command.cjs");
	}
	// `npm ci --omit=dev` installs no compiler. The service runs without types.
	if (existsSync(compiler)) declare(folder);
	// The compiler takes types for those of CommonJS only if this says so.
	for (const path of readdirSync(folder, { recursive: true }).map(String))
		if (path.endsWith(".d.ts")) cpSync(folder + path, commonJs + path);
	writeFileSync(`${commonJs}package.json`, '{ "type": "commonjs" }\n');
}

async function bundle(
	{ name, entry, target }: Module,
	folder: string,
	format: "esm" | "cjs",
	command: string,
): Promise<void> {
	await Bun.build({
		entrypoints: [`${root}src/${entry}.ts`],
		outdir: folder,
		naming: `${name}.js`,
		target,
		format,
		// Keeps line breaks, because runtimes print the line of an error.
		minify: { syntax: true, identifiers: true },
		plugins: [
			{
				name: "other modules",
				setup: (build) => leaveOtherModules(build, command),
			},
		],
	});
}

/** A module imports another one, and does not copy it: two copies of a class do not know each other's instances. */
function leaveOtherModules(
	{ onResolve }: Bun.PluginBuilder,
	command: string,
): void {
	for (const { name, entry } of modules)
		onResolve({ filter: new RegExp(`^\\.\\./${entry}\\.ts$`) }, () => ({
			path: `./${name}.js`,
			external: true,
		}));
	// command.cjs finds other files by its own path.
	onResolve({ filter: /\/bin\/command\.cjs$/ }, () => ({
		path: command,
		external: true,
	}));
}

/** Writes the types of each source file, and for each module a file that exports those of its entry. */
function declare(folder: string): void {
	const project = `${root}build/declarations.json`;
	const { exitCode } = Bun.spawnSync(
		[process.execPath, compiler, "-p", project, "--outDir", folder],
		{ stdio: ["ignore", "inherit", "inherit"] },
	);
	if (exitCode !== 0) throw new Error("The types of the package have errors.");
	for (const { name, entry } of modules)
		writeFileSync(`${folder}${name}.d.ts`, `export * from "./${entry}.ts";\n`);
}
