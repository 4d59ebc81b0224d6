// Wine, which runs Windows programs on Linux, with its drive C: and registry in a folder.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { succeed } from "./package.ts";
import { start } from "./process.ts";

export interface Wine {
	/** The folder that Windows calls C:\. */
	readonly drive: string;
	/** The environment of its programs. */
	readonly env: Record<string, string>;
	/** Ends all its programs. */
	readonly stop: () => Promise<void>;
}

/** Why it does not work here, or undefined. */
export function wineProblem(): string | undefined {
	if (process.arch !== "x64") return "the processor is not an x64";
	const programs = ["wine", "wineboot", "wineserver"];
	if (Bun.which("wine") !== null && needsLibrary()) programs.push(compiler);
	const missing = programs.filter((name) => Bun.which(name) === null);
	return missing.length === 0
		? undefined
		: `not installed: ${missing.join(", ")}`;
}

/** Takes some seconds, mostly for the registry. */
export async function startWine(folder: string): Promise<Wine> {
	// The user's home may be read-only, or have a Wine with other settings.
	const env = {
		HOME: `${folder}/home`,
		WINEPREFIX: `${folder}/wine`,
		WINEDEBUG: "-all",
		// The encoding of arguments and file names.
		LANG: "C.UTF-8",
		// Leaves out .NET and HTML, which Wine would download, and the desktop's menu.
		WINEDLLOVERRIDES: "mscoree,mshtml=;winemenubuilder.exe=d",
	};
	mkdirSync(env.HOME);
	const run = (...command: [string, ...string[]]) =>
		succeed(command, folder, env);
	await run("wineboot", "--init");
	// Bun needs Windows 10. Wine 8 reports Windows 7 by default.
	await run("wine", "winecfg", "-v", "win10");
	const drive = `${env.WINEPREFIX}/drive_c`;
	if (needsLibrary()) {
		const source = `${folder}/random.c`;
		writeFileSync(source, randomLibrary);
		const library = `${drive}/windows/system32/bcryptprimitives.dll`;
		await run(compiler, "-shared", "-o", library, source, "-ladvapi32");
	}
	return {
		drive,
		env,
		async stop() {
			// The status is 1 if nothing runs.
			await start(["wineserver", "--kill"], { cwd: folder, env }).finished;
			await run("wineserver", "--wait");
		},
	};
}

/** Wine has `bcryptprimitives.dll` since version 8.13. */
function needsLibrary(): boolean {
	const env = { ...process.env, WINEDEBUG: "-all" };
	const version = execFileSync("wine", ["--version"], { env }).toString();
	const [, major = "", minor = ""] = /(\d+)\.(\d+)/.exec(version) ?? [];
	return Number(major) < 8 || (major === "8" && Number(minor) < 13);
}

/** The only function of the library that Bun calls. */
const randomLibrary = `
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T length) {
	return SystemFunction036(bytes, (ULONG)length);
}
`;

const compiler = "x86_64-w64-mingw32-gcc";
