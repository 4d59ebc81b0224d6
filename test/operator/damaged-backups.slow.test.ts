// Backups that lost bytes, or in which one was changed: no way to restore them fails with a stack, does a half, or restores other content.
import { afterAll, describe, expect, test } from "bun:test";
import { toBackupName } from "../../src/backups/folder.ts";
import { openSound } from "../../src/backups/make.ts";
import { OperatorError } from "../../src/domain/errors.ts";
import { readRows } from "../harness/backup.ts";
import { rex } from "../harness/pet.ts";
import { petstore, start } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { openService } from "../service.ts";
import { engines, importLines } from "../store/engines.ts";
import { backUp } from "./calls.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const cuts = 100;
const animals = 2_000;
/** Every file goes through the function that all ways use. So many more take each way. */
const each = Math.ceil(20 / Number(process.env.PROPERTY_RUNS ?? 1));

describe.each(engines)("%s", (engine) => {
	test("a backup with a byte less or another one is refused with a sentence, or has the same content", async () => {
		const path = `${folder.path}/${engine}`;
		const own = await openService("over a socket", {
			engine,
			backups: { folder: path },
		});
		await importLines(
			own.store,
			Array.from({ length: animals }, (_, index) => ({
				...rex,
				name: `Animal ${index}`,
			})),
		);
		const made = await backUp(own);
		const bytes = await Bun.file(`${path}/${made}`).bytes();
		const content = await readContent(own.databaseUrl);
		const name = toBackupName("3f9a01c2", 1_000, animals);
		const file = `${path}/${name}`;
		const run = (...words: string[]) =>
			start([petstore, ...words], { cwd: path }).finished;
		let refused = 0;
		for (const [index, damaged] of [...toDamaged(bytes)].entries()) {
			await Bun.write(file, damaged);
			const isSound = isSoundFile(file);
			if (!isSound) refused++;
			if (index < cuts) expect(isSound).toBe(false);
			if (index % each > 0) continue;
			const url = own.databaseUrl;
			const flags = ["--replace", "--yes", "--folder", `${folder.path}/before`];
			const byCommand = async (...words: string[]) => {
				const { status, stdout, stderr } = await run(...words);
				expect([status, stderr + stdout]).toEqual([
					isSound ? 0 : 1,
					expect.not.stringMatching(/^ +at /m),
				]);
			};
			const byHttp = async () => {
				const reply = await own.call(`/operator/v1/backups/${name}/restore`, {
					method: "POST",
					body: JSON.stringify({ animals }),
				});
				const text = await reply.text();
				// A changed byte can make a backup look like a database that was served.
				const expected = isSound ? [200, 422] : [422];
				expect(expected, text).toContain(reply.status);
				expect(text).not.toContain(folder.path);
			};
			const restore = () =>
				byCommand("restore", file, ...flags, "--database", url);
			// One that does nothing hinders no other.
			if (isSound) await restore().then(byHttp);
			await Promise.all([
				byCommand("check", file),
				...(isSound ? [] : [restore(), byHttp()]),
			]);
			expect(await readContent(url)).toEqual(content);
		}
		// Bytes that SQLite does not use are no content.
		expect(refused).toBeGreaterThan(cuts + 50);
		await own.close();
	}, 1_800_000);
});

function isSoundFile(file: string): boolean {
	try {
		openSound(file)[Symbol.dispose]();
		return true;
	} catch (error) {
		expect(error).toBeInstanceOf(OperatorError);
		return false;
	}
}

/** With 1 to 100 bytes cut off, and with each of 200 bytes changed. */
function* toDamaged(bytes: Uint8Array): Generator<Uint8Array> {
	for (let cut = 1; cut <= cuts; cut++) yield bytes.slice(0, -cut);
	for (let state = 1, count = 0; count < 200; count++) {
		state = (state * 48_271) % 0x7fff_ffff;
		const changed = bytes.slice();
		const at = state % bytes.length;
		changed[at] = (changed[at] ?? 0) ^ (1 << (count % 8));
		yield changed;
	}
}

/** But for the edits, of which each restore is one. */
async function readContent(url: string) {
	const { edits: _, keys: __, ...others } = await readRows(url);
	return others;
}
