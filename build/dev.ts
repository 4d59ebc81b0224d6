// npm run dev: a sandbox of the source with its pages. After a change of a file it builds the pages and starts the sandbox again. Flags go
// to `petstore sandbox`: npm run dev -- --port 0.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { buildPages } from "./pages.ts";
import { root } from "./root.ts";

let changed = Promise.withResolvers<void>();
for (const folder of ["src", "conformance"])
	watch(root + folder, { recursive: true }, () => changed.resolve());

let sandbox: ChildProcess | undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const)
	process.once(signal, async () => {
		await stop();
		process.exit();
	});

for (;;) {
	// A mistake in a page must not end this program.
	await buildPages().catch(console.error);
	sandbox = spawn(
		process.execPath,
		["src/cli/main.ts", "sandbox", ...process.argv.slice(2)],
		{ cwd: root, stdio: "inherit" },
	);
	await changed.promise;
	// An editor writes several files at once.
	await Bun.sleep(50);
	changed = Promise.withResolvers();
	await stop();
}

async function stop(): Promise<void> {
	if (sandbox?.exitCode !== null || !sandbox.kill()) return;
	await once(sandbox, "exit");
}
