// Builds the parts of the package that run without Bun.
import { existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Each becomes dist/NAME.js, one file with all that it imports, and dist/NAME.d.ts. */
const modules = [{ name: "client", entry: "client/client" }];

const root = fileURLToPath(new URL("..", import.meta.url));
const compiler = `${root}node_modules/.bin/tsc`;

export async function buildModules(): Promise<void> {
	for (const { name, entry } of modules) await bundle(name, entry);
	// `npm ci --omit=dev` installs no compiler. Who runs the service needs no types.
	if (existsSync(compiler)) declare();
}

async function bundle(name: string, entry: string): Promise<void> {
	await Bun.build({
		entrypoints: [`${root}src/${entry}.ts`],
		outdir: `${root}dist`,
		naming: `${name}.js`,
		target: "browser",
		minify: true,
	});
}

/** Writes the types of each source file below its folder in dist/, and for each module a file that exports those of its entry. */
function declare(): void {
	const { exitCode } = Bun.spawnSync(
		[compiler, "-p", `${root}build/declarations.json`],
		{ stdio: ["ignore", "inherit", "inherit"] },
	);
	if (exitCode !== 0) process.exit(1);
	for (const { name, entry } of modules)
		writeFileSync(
			`${root}dist/${name}.d.ts`,
			`export * from "./${entry}.ts";\n`,
		);
}
