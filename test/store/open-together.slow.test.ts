// Processes that open the same new file at the same moment, as `keys create` and `serve` do when a script starts them together.
import { expect, test } from "bun:test";
import { temporaryFolder } from "../harness/temporary.ts";
import type { OpenTogether } from "./open-together-worker.ts";

const threads = 3;
const rounds = 200;

test("opens a new file for several processes at the same moment", async () => {
	const folder = temporaryFolder();
	const message: OpenTogether = {
		threads,
		paths: Array.from({ length: rounds }, (_, n) => `${folder.path}/${n}.db`),
		arrivals: new SharedArrayBuffer(4 * rounds),
	};
	const failures = await Promise.all(
		Array.from({ length: threads }, () => openAll(message)),
	);
	expect(failures).toEqual(Array(threads).fill([]));
	folder.remove();
}, 60_000);

async function openAll(message: OpenTogether): Promise<unknown> {
	const worker = new Worker(
		new URL("open-together-worker.ts", import.meta.url).href,
	);
	const answer = new Promise<unknown>((resolve, reject) => {
		worker.onmessage = ({ data }) => resolve(data);
		worker.onerror = ({ message }) => reject(new Error(message));
	});
	worker.postMessage(message);
	const failures = await answer;
	worker.terminate();
	return failures;
}
