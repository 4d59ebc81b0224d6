// The machines that executables are built for.
import { closeSync, openSync, readSync } from "node:fs";

export interface Target {
	readonly name: string;
	/** The name in Bun's bundler. */
	readonly compile: Bun.Build.CompileTarget;
	/** The npm package with its Bun, and the file in it. */
	readonly package: string;
	readonly binary: string;
	readonly executable: string;
}

export const targets: readonly Target[] = [
	toTarget("linux-x64", "bun-linux-x64", "linux-x64"),
	toTarget("linux-arm64", "bun-linux-arm64", "linux-aarch64"),
	toTarget("linux-x64-musl", "bun-linux-x64-musl", "linux-x64-musl"),
	toTarget("linux-arm64-musl", "bun-linux-arm64-musl", "linux-aarch64-musl"),
	toTarget("darwin-x64", "bun-darwin-x64", "darwin-x64"),
	toTarget("darwin-arm64", "bun-darwin-arm64", "darwin-aarch64"),
	toTarget("windows-x64", "bun-windows-x64", "windows-x64"),
];

function toTarget(
	name: string,
	compile: Bun.Build.CompileTarget,
	ofPackage: string,
): Target {
	const end = name.startsWith("windows") ? ".exe" : "";
	return {
		name,
		compile,
		package: `@oven/bun-${ofPackage}`,
		binary: `bin/bun${end}`,
		executable: `petstore-${name}${end}`,
	};
}

/** The target of the Bun that runs this program. */
export function findOwnTarget(): string {
	const { platform, arch } = process;
	const system = platform === "win32" ? "windows" : platform;
	return `${system}-${arch}${usesMusl() ? "-musl" : ""}`;
}

/** The first bytes of a Linux program name its loader, which shows the C library. */
function usesMusl(): boolean {
	const head = Buffer.alloc(4096);
	const file = openSync(process.execPath, "r");
	readSync(file, head);
	closeSync(file);
	return head.includes("/ld-musl-");
}
