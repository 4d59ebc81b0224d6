// A connection in a thread of its own: its statements, commits and checkpoints do not stop the event loop.
import { closeSync, openSync } from "node:fs";
import { type Answers, memoize } from "../database/sql.ts";
import {
	connectionOptions,
	toSettings,
	toSqliteText,
	type Unnamed,
} from "./connection.ts";

type Reply =
	| { readonly rows: Answers }
	| { readonly error: { readonly message: string; readonly code: string } };

/** Waits for no lock. Undefined if no thread can start. */
export async function openThread(path: string) {
	if (!hasSpareFiles()) return undefined;
	const source = threadSource
		.replace("PATH", () => JSON.stringify(path))
		.replace("OPTIONS", JSON.stringify(connectionOptions));
	const url = URL.createObjectURL(new Blob([source]));
	const worker = new Worker(url, { smol: true });
	let waiting = Promise.withResolvers<Answers>();
	worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
		if ("rows" in data) waiting.resolve(data.rows);
		else waiting.reject(toError(data.error));
	});
	let hasFailed = false;
	worker.addEventListener("error", (event) => {
		event.preventDefault();
		hasFailed = true;
		waiting.reject(new Error(event.message));
	});
	const ended = new Promise<void>((resolve) => {
		worker.addEventListener("close", () => {
			waiting.reject(new Error("The thread ended."));
			resolve();
		});
	});

	let running: Promise<unknown> = Promise.resolve();

	function post(statements: readonly Unnamed[]): Promise<Answers> {
		waiting = Promise.withResolvers();
		worker.postMessage(
			statements.map(({ text, values }) => [toText(text), values]),
		);
		return waiting.promise;
	}

	async function ask(statements: readonly Unnamed[]): Promise<Answers> {
		await running;
		return post(statements);
	}

	/** Returns when it begins, so that its values are made while another one runs. What comes after a failure fails too. */
	async function run(statement: Unnamed): Promise<void> {
		await running;
		running = post([statement]);
		running.catch(() => {});
	}

	/** Rolls back an open transaction. */
	function close(): Promise<void> {
		worker.postMessage(undefined);
		return ended;
	}

	try {
		await waiting.promise;
		await ask(toSettings().map((text) => ({ text, values: [] })));
		return { ask, run, close };
	} catch (error) {
		if (hasFailed) return undefined;
		await close();
		throw error;
	} finally {
		URL.revokeObjectURL(url);
	}
}

/** Files that a thread may need. Bun ends the process if a thread that begins finds none. */
const spareFiles = 16;

function hasSpareFiles(): boolean {
	const files: number[] = [];
	try {
		while (files.length < spareFiles)
			files.push(openSync(process.execPath, "r"));
		return true;
	} catch {
		return false;
	} finally {
		for (const file of files) closeSync(file);
	}
}

const toText = memoize(toSqliteText);

/** As SQLite's own, which cannot be sent between threads. */
function toError({ message, code }: { message: string; code: string }): Error {
	return Object.assign(new Error(message), { name: "SQLiteError", code });
}

/** It has no file of its own, which a build could miss. */
const threadSource = `
	import { Database } from "bun:sqlite";
	let db;
	const prepared = new Map();
	function reply(work) {
		try {
			postMessage({ rows: work() });
		} catch ({ message, code = "" }) {
			postMessage({ error: { message, code } });
		}
	}
	function run([text, values]) {
		const statement = prepared.get(text) ?? db.prepare(text);
		prepared.set(text, statement);
		return statement.all(...values);
	}
	self.addEventListener("message", ({ data }) => {
		if (data) return reply(() => data.map(run));
		for (const statement of prepared.values()) statement.finalize();
		db?.close();
		process.exit();
	});
	reply(() => {
		db = new Database(PATH, OPTIONS);
		return [];
	});
`;
