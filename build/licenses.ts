// Collects the licences of everything in the program: the packages that it needs to run, those in the scripts of its pages, Bun and SQLite.
// The build fails if a package has no licence text, because the text must accompany it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import manifest from "../package.json" with { type: "json" };
import lock from "../package-lock.json" with { type: "json" };
import { root } from "./root.ts";

/** Writes the licences to a folder. `inPages` are the packages in the scripts of the pages. */
export function buildLicenses(
	folder: string,
	inPages: readonly string[],
): void {
	const paths = new Set([
		...runtimePackages,
		...inPages.map((name) => `node_modules/${name}`),
	]);
	const texts = [...paths].sort().map(toEntry);
	writeFileSync(
		`${folder}licenses.txt`,
		[introduction, ...texts, bun, sqlite].join(`\n${"-".repeat(80)}\n\n`),
	);
}

interface Package {
	readonly version: string;
	readonly license?: string;
	readonly dev?: boolean;
}

const packages: Readonly<Record<string, Package>> = lock.packages;

/** The folders of the packages that the program needs to run. Bun's packages have no text, and get their own entry below. */
const runtimePackages = Object.entries(packages)
	.filter(([path, { dev = false }]) => path !== "" && !dev)
	.map(([path]) => path)
	.filter((path) => !/^node_modules\/(bun$|@oven\/bun-)/.test(path));

function toEntry(path: string): string {
	const name = path.replace(/^.*node_modules\//, "");
	const { version = "", license = "" } = packages[path] ?? {};
	const text = findText(`${root}${path}/`);
	if (text === undefined)
		throw new Error(
			`The package ${name} has no text of its licence (${license}).`,
		);
	return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

/** From its own file, or the last section of the README. */
function findText(folder: string): string | undefined {
	const files = readdirSync(folder);
	const own = files.find((file) => /^(licen[cs]e|copying)/i.test(file));
	if (own !== undefined) return read(folder + own);
	const readme = files.find((file) => /^readme/i.test(file));
	if (readme === undefined) return undefined;
	return /^#+ licen[cs]e$(.+)/ims.exec(read(folder + readme))?.[1];
}

function read(file: string): string {
	return readFileSync(file, "utf8");
}

const introduction = `petstore ${manifest.version} (${manifest.license})

${read(`${root}LICENSE`).trim()}

It contains the software below, each part under its own licence.
`;

const bunVersion = lock.packages["node_modules/bun"].version;

const bun = `bun ${bunVersion} (MIT)

Bun is under the MIT licence. It contains JavaScriptCore and other parts of
WebKit, which are under the LGPL 2, and more libraries under licences of their
own. The packages of Bun on npm have no text of them. The list of the libraries
with their licences, and how to build Bun with a changed JavaScriptCore, is in
the file LICENSE.md of Bun's source at the tag of this version:

https://github.com/oven-sh/bun/blob/bun-v${bunVersion}/LICENSE.md
`;

const sqlite = `SQLite

Bun contains SQLite, except on macOS, where it uses the SQLite of the system.
SQLite is in the public domain: https://sqlite.org/copyright.html
`;
