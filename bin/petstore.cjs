#!/usr/bin/env node
// What npm, pnpm and Yarn run as `petstore`, on every platform. Where Node.js can replace itself by another program (from 22.15 on, not on
// Windows), Bun replaces this process. Elsewhere this process waits for Bun, passes signals on to it, and ends as it does.
const { toCommand } = require("./command.cjs");

const isWindows = process.platform === "win32";
/** @type {readonly NodeJS.Signals[]} */
const passedOn = isWindows
	? ["SIGINT", "SIGBREAK", "SIGHUP"]
	: ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"];

try {
	const command = toCommand(process.argv.slice(2));
	if (isWindows || process.execve === undefined) runAsChild(command);
	else process.execve(command[0], command, process.env);
} catch (error) {
	fail(error);
}

/** @param {[string, ...string[]]} command */
function runAsChild([program, ...args]) {
	// Loaded only here, since it takes some milliseconds.
	const { spawn } = require("node:child_process");
	const child = spawn(program, args, { stdio: "inherit" });
	// On Windows the console sends them to the child too, and `kill` would end it at once.
	for (const signal of passedOn)
		process.on(signal, () => isWindows || child.kill(signal));
	child.once("error", fail);
	child.once("exit", (status, signal) => {
		if (signal !== null) endBy(signal);
		process.exitCode = status ?? 1;
	});
}

/** @param {NodeJS.Signals} signal */
function endBy(signal) {
	process.removeAllListeners(signal);
	process.kill(process.pid, signal);
}

/** @param {unknown} error */
function fail(error) {
	console.error(`petstore: ${error instanceof Error ? error.message : error}`);
	process.exitCode = 1;
}
