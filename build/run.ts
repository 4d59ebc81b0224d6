// npm run build: writes dist/, which has the parts of the package that run without Bun. `npm ci` runs it too.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Each becomes dist/NAME.js, one file with all it imports, and dist/NAME.d.ts. */
const modules = [{ name: "client", entry: "client/client" }];

const root = fileURLToPath(new URL("..", import.meta.url));
rmSync(`${root}dist`, { recursive: true, force: true });
for (const { name, entry } of modules) {
	await bundle(`${root}src/${entry}.ts`, `${name}.js`);
	writeFileSync(`${root}dist/${name}.d.ts`, `export * from "./${entry}.ts";\n`);
}
declare();

async function bundle(entry: string, file: string): Promise<void> {
	await Bun.build({
		entrypoints: [entry],
		outdir: `${root}dist`,
		naming: file,
		target: "browser",
		minify: true,
	});
}

/** The types of the modules, by the compiler. `npm ci --omit=dev` does not install it, and what it installs needs no types. */
function declare(): void {
	const compiler = `${root}node_modules/.bin/tsc`;
	if (!existsSync(compiler)) return;
	const command = [compiler, "-p", `${root}build/declarations.json`];
	const { exitCode } = Bun.spawnSync(command, {
		stdio: ["ignore", "inherit", "inherit"],
	});
	if (exitCode !== 0) process.exit(1);
}
