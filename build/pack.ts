// Around npm pack: package.json and README.md as users of the package need them (prepack), then those of the checkout again (postpack).
import {
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { root } from "./root.ts";

const saved = `${root}.packing/`;

if (process.argv[2] === "restore") {
	for (const file of ["package.json", "README.md"])
		renameSync(saved + file, root + file);
	rmSync(saved, { recursive: true });
} else {
	mkdirSync(saved);
	const manifest = JSON.parse(replace("package.json", toManifest));
	replace("README.md", (text) => toReadme(text, manifest.files));
}

/** Returns the original text. */
function replace(file: string, change: (text: string) => string): string {
	const text = readFileSync(root + file, "utf8");
	renameSync(root + file, saved + file);
	writeFileSync(root + file, change(text));
	return text;
}

/** Without what only a checkout needs: scripts, development packages, and the packages in the built pages. */
function toManifest(text: string): string {
	const { scripts, devDependencies, allowScripts, ...rest } = JSON.parse(text);
	const dependencies = Object.entries(rest.dependencies).filter(
		([name]) => !name.includes("preact"),
	);
	return JSON.stringify(
		{ ...rest, dependencies: Object.fromEntries(dependencies) },
		undefined,
		2,
	);
}

/** Without pictures, and without links to files that are not in the package. */
function toReadme(text: string, files: readonly string[]): string {
	const packed = [...files, "LICENSE", "package.json"];
	return text
		.replace(/^!\[.*\n\n/gm, "")
		.replace(/\[([^\]]+)\]\(([^)#]+)[^)]*\)/g, (link, title, target) =>
			/^https?:/.test(target) || packed.includes(target) ? link : title,
		);
}
