// Starts a real browser: Chromium from npm on Linux with x86-64, else the one on the PATH (Debian's package `chromium`).
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";
import manifest from "../../package.json" with { type: "json" };
import { root } from "./process.ts";

/**
 * Undefined if no browser runs on this machine. With REQUIRE_BROWSER, throws instead. If a script is given, it runs "$BROWSER" with its own
 * arguments.
 */
export async function openBrowser(
	script?: string,
): Promise<Browser | undefined> {
	try {
		const found = await findBrowser();
		const env = { ...found.env, BROWSER: found.executablePath };
		return await chromium.launch({
			...found,
			...(script && { executablePath: script, env }),
			// Chromium's own sandbox needs privileges that containers lack, and does not run as root. Only our own pages are opened.
			args: ["--no-sandbox"],
		});
	} catch (error) {
		if (process.env.REQUIRE_BROWSER === undefined) return undefined;
		throw error;
	}
}

async function findBrowser() {
	if (process.platform === "linux" && process.arch === "x64") return fromNpm();
	return {
		executablePath: Bun.which("chromium") ?? "chromium",
		env: { ...process.env },
	};
}

/** Adds the package's own libraries and fonts, because not every machine has them. */
async function fromNpm() {
	const folder = await unpacked();
	return {
		executablePath: join(folder, "chromium"),
		env: {
			PATH: process.env.PATH ?? "",
			HOME: folder,
			LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
			FONTCONFIG_FILE: join(folder, "fonts.conf"),
		},
	};
}

/** The folder with the unpacked files. Unpacking takes two seconds, once until the next `npm ci`. */
async function unpacked(): Promise<string> {
	const version = manifest.devDependencies["@sparticuz/chromium"];
	const folder = join(root, "node_modules/.cache", `chromium-${version}`);
	if (existsSync(folder)) return folder;
	await mkdir(dirname(folder), { recursive: true });
	const partial = await mkdtemp(`${folder}-`);
	await chmod(partial, 0o755);
	await unpackInto(partial);
	// Another process may have been faster.
	await rename(partial, folder).catch(() => rm(partial, { recursive: true }));
	return folder;
}

async function unpackInto(folder: string): Promise<void> {
	await promisify(execFile)(process.execPath, ["-e", unpack], {
		cwd: root,
		// The package unpacks into the temporary folder, and unpacks the libraries only with AWS_EXECUTION_ENV.
		env: { TMPDIR: folder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
	});
	await chmod(join(folder, "chromium"), 0o755);
	await writeFile(join(folder, "fonts.conf"), fontConfiguration);
}

const unpack = `await (await import("@sparticuz/chromium")).default.executablePath()`;

/** Adds the fonts of the machine, because the package has no monospaced one. */
const fontConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
	<dir>/usr/share/fonts</dir>
	<dir prefix="relative">fonts</dir>
	<alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
	<cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;
