// A process that may open no more files.
import { expect, test } from "bun:test";
import { root, start } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

/** Fills the log of a database, takes all files that it may open, and then adds an animal, before which a checkpoint is due. */
const program = `
	import { openSync } from "node:fs";
	import { openStore } from "${root}src/store/store.ts";
	import { rex } from "${root}test/harness/pet.ts";
	import { importLines } from "${root}test/store/engines.ts";
	const store = await openStore("sqlite:pets.db", { access: "create", isServing: true });
	await importLines(store, Array(40_000).fill({ ...rex, name: "Rex".repeat(60) }));
	try {
		for (;;) openSync(process.execPath);
	} catch {}
	for (let time = 0; time < 3; time++) {
		const { outcome } = await store.catalogue.addPet({ pet: rex });
		console.log(outcome);
		await Bun.sleep(100);
	}
	process.exit();
`;

test("adds go on without a thread for the checkpoint that they need", async () => {
	using folder = temporaryFolder();
	await Bun.write(`${folder.path}/program.ts`, program);
	const limited = 'ulimit -n 64; exec "$0" program.ts';
	const running = start(["sh", "-c", limited, process.execPath], {
		cwd: folder.path,
	});
	expect(await running.finished).toMatchObject({
		status: 0,
		stdout: "added\nadded\nadded\n",
	});
}, 60_000);
