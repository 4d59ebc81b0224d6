// Builds the files that a browser loads with the pages: the scripts, each in one file, the styles and the icon.
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { assetFolder } from "../src/web/assets.ts";

/** Writes the files, each in one step, because a service may read it. Returns the packages whose code is in the scripts. */
export async function buildPages(
	folder = assetFolder,
): Promise<readonly string[]> {
	const { scripts, packages } = await bundleScripts([
		"browser/home.ts",
		"browser/reference.ts",
		"browser/theme.ts",
		"console/console.tsx",
		"sandbox/sandbox.tsx",
	]);
	await mkdir(folder, { recursive: true });
	for (const [name, content] of [
		...scripts,
		["home.css", await joinStyles([...sharedStyles, "home"])],
		[
			"reference.css",
			await joinStyles([...sharedStyles, "operation", "reference"]),
		],
		[
			"console.css",
			await joinStyles([...uiStyles, "catalogue", "console", "media"]),
		],
		["sandbox.css", await joinStyles([...uiStyles, "sandbox", "media"])],
		["icon.svg", await read("style/icon.svg")],
	] as const) {
		// Not in the folder, where a service takes every file for a whole one.
		const partial = `${folder}../${name}.${process.pid}`;
		await writeFile(partial, content);
		await rename(partial, folder + name);
	}
	return packages;
}

const sharedStyles = ["tokens", "base", "controls"];

const uiStyles = [...sharedStyles, "ui", "tables"];

async function bundleScripts(entries: readonly string[]): Promise<{
	scripts: readonly (readonly [name: string, content: string])[];
	packages: readonly string[];
}> {
	const { outputs, metafile } = await Bun.build({
		entrypoints: entries.map((entry) => source + entry),
		target: "browser",
		minify: true,
		naming: "[name].[ext]",
		jsx: { runtime: "automatic", importSource: "preact", development: false },
		metafile: true,
	});
	const scripts = await Promise.all(
		outputs.map(
			async (output) =>
				[output.path.replace(/^.*\//, ""), await output.text()] as const,
		),
	);
	return { scripts, packages: toPackages(Object.keys(metafile?.inputs ?? {})) };
}

function toPackages(files: readonly string[]): readonly string[] {
	const names = files.flatMap(
		(file) => /.*node_modules\/((@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
	);
	return [...new Set(names)];
}

/** Joins the styles in order, without comments. Bun's bundler would rewrite some colours. */
async function joinStyles(names: readonly string[]): Promise<string> {
	const styles = names.map((name) => read(`style/${name}.css`));
	return (await Promise.all(styles)).join("\n").replace(/\/\*.*?\*\/\s*/gs, "");
}

const source = fileURLToPath(new URL("../src/web/", import.meta.url));

function read(path: string): Promise<string> {
	return readFile(source + path, "utf8");
}
