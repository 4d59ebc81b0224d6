#!/usr/bin/env node
// What npm runs as `petstore`. Where Node.js can replace itself by another program (from 22.15 on), Bun replaces this process. Elsewhere this
// process waits for Bun, passes signals on to it, and ends as it does.
const { toCommand } = require("./command.cjs");

try {
	const command = toCommand(process.argv.slice(2));
	if (process.execve === undefined) runAsChild(command);
	else process.execve(command[0], command, process.env);
} catch (error) {
	fail(error);
}

/** @param {[string, ...string[]]} command */
function runAsChild([program, ...args]) {
	// Loaded only here, since it takes some milliseconds.
	const { spawn } = require("node:child_process");
	const child = spawn(program, args, { stdio: "inherit" });
	/** @type {readonly NodeJS.Signals[]} */
	const passedOn = [
		"SIGTERM",
		"SIGINT",
		"SIGHUP",
		"SIGQUIT",
		"SIGUSR1",
		"SIGUSR2",
	];
	for (const signal of passedOn) process.on(signal, () => child.kill(signal));
	child.once("error", fail);
	child.once("exit", (status, signal) => {
		process.exitCode = status ?? 1;
		if (signal === null) return;
		process.removeAllListeners(signal);
		process.kill(process.pid, signal);
	});
}

/** @param {unknown} error */
function fail(error) {
	console.error(`petstore: ${error instanceof Error ? error.message : error}`);
	process.exitCode = 1;
}
