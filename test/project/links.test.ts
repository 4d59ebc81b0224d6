// The links between the documents resolve.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../harness/process.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const others = /^(\.git|node_modules|data|dist|executables|backups)$/;
/** The paths of the files from the project's folder. */
const files = readdirSync(root, { withFileTypes: true })
	.filter(({ name }) => !others.test(name))
	.flatMap((entry) => (entry.isDirectory() ? inside(entry.name) : entry.name));
const documents = files.filter((path) => path.endsWith(".md"));

test.each(documents)("%s links only to existing files and headings", (path) => {
	const broken = linksOf(read(path)).filter((link) => {
		const [target = "", anchor] = link.split("#");
		const file = target === "" ? path : join(dirname(path), target);
		if (!existsSync(join(root, file))) return true;
		return anchor !== undefined && !anchorsOf(read(file)).has(anchor);
	});
	expect(broken).toEqual([]);
});

function inside(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true })
		.map((name) => join(folder, String(name)))
		.filter((path) => !path.includes("node_modules"));
}

/** Links to files. Leaves out other sites and examples in code. */
function linksOf(text: string): string[] {
	const links = withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g);
	return [...links]
		.map(([, link = ""]) => link)
		.filter((link) => !/^[a-z]+:/.test(link));
}

/** The anchors of headings on GitHub. */
function anchorsOf(text: string): Set<string> {
	const headings = withoutBlocks(text).matchAll(/^#+ +(.+)$/gm);
	return new Set(
		[...headings].map(([, heading = ""]) =>
			heading
				.trim()
				.toLowerCase()
				.replace(/[^\p{L}\p{N}\s_-]/gu, "")
				.replaceAll(" ", "-"),
		),
	);
}

function withoutCode(text: string): string {
	return withoutBlocks(text).replace(/(`+)[^`].*?\1/g, "");
}

function withoutBlocks(text: string): string {
	return text.replace(/^```.*?^```$/gms, "");
}
