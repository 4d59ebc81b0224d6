// Builds what a browser is sent beside the pages themselves: the scripts, each in one file, the styles and the icon.
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { assetFolder } from "../src/pages/assets.ts";

/** Writes them to dist/pages. A file that is there is replaced in one step, since a service may read it. */
export async function buildPages(): Promise<void> {
	await mkdir(assetFolder, { recursive: true });
	for (const [name, content] of [
		...(await bundleScripts([
			"browser/home.ts",
			"browser/reference.ts",
			"console/console.tsx",
		])),
		["home.css", await joinStyles(["tokens", "base", "home"])],
		["reference.css", await joinStyles(referenceStyles)],
		["console.css", await joinStyles(consoleStyles)],
		["icon.svg", await read("style/icon.svg")],
	] as const) {
		const partial = `${assetFolder}${name}.${process.pid}`;
		await writeFile(partial, content);
		await rename(partial, assetFolder + name);
	}
}

const referenceStyles = [
	...["tokens", "base", "operation", "snippets"],
	...["try-it", "errors", "reference"],
];

const consoleStyles = [
	...["tokens", "base", "console", "forms", "dialogs", "catalogue"],
	...["keys", "charts", "traffic"],
];

async function bundleScripts(
	entries: readonly string[],
): Promise<readonly (readonly [name: string, content: string])[]> {
	const { outputs } = await Bun.build({
		entrypoints: entries.map((entry) => source + entry),
		target: "browser",
		minify: true,
		naming: "[name].[ext]",
		jsx: { runtime: "automatic", importSource: "preact", development: false },
	});
	return Promise.all(
		outputs.map(
			async (output) =>
				[output.path.replace(/^.*\//, ""), await output.text()] as const,
		),
	);
}

/** In their order, without the comments. Bun's own bundler would rewrite some colours. */
async function joinStyles(names: readonly string[]): Promise<string> {
	const styles = names.map((name) => read(`style/${name}.css`));
	return (await Promise.all(styles)).join("\n").replace(/\/\*.*?\*\/\s*/gs, "");
}

const source = fileURLToPath(new URL("../src/pages/", import.meta.url));

function read(path: string): Promise<string> {
	return readFile(source + path, "utf8");
}
