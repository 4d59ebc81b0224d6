// Installs the tools that npm does not have, beside the npm packages, if the machine has Python or Go.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { delimiter } from "node:path";
import { isInstalled } from "../bench/machine/programs.ts";
import { fromGo, fromPyPI, packagesFolder } from "./versions.ts";

/** Removed with the npm packages when one of them changes. */
const folder = `${packagesFolder}/node_modules/.further`;
const venv = `${folder}/venv`;
const done = `${folder}/versions.json`;
const versions = JSON.stringify({ fromPyPI, fromGo });

/** Puts their programs on the PATH. A tool that cannot be installed is not run. */
export async function installFurther(): Promise<void> {
	const { PATH = "" } = process.env;
	process.env.PATH = [`${venv}/bin`, `${folder}/bin`, PATH].join(delimiter);
	if (existsSync(done) && (await Bun.file(done).text()) === versions) return;
	const results = [
		isInstalled("python3") && attempt("PyPI", installFromPyPI),
		isInstalled("go") && attempt("Go's modules", installFromGo),
	];
	if (results.every(Boolean)) writeFileSync(done, versions);
}

function installFromPyPI(): void {
	execute("python3", ["-m", "venv", venv]);
	const named = Object.entries(fromPyPI).map(([name, v]) => `${name}==${v}`);
	execute(`${venv}/bin/pip`, ["install", "--quiet", ...named]);
}

function installFromGo(): void {
	for (const { module, version } of Object.values(fromGo))
		execute("go", ["install", `${module}@v${version}`]);
}

function execute(program: string, args: readonly string[]): void {
	execFileSync(program, args, {
		stdio: ["ignore", 2, 2],
		env: { ...process.env, GOBIN: `${folder}/bin` },
	});
}

function attempt(source: string, install: () => void): boolean {
	console.error(`Installing tools from ${source} into ${folder}.`);
	try {
		install();
		return true;
	} catch (error) {
		console.error(`Not installed: ${error}`);
		return false;
	}
}
