// A recorded reply of our service, in a file. The servers in this folder send it again.
import { readFileSync, writeFileSync } from "node:fs";

export interface RecordedReply {
	readonly method: string;
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | null;
}

export async function writeReply(
	file: string,
	method: string,
	response: Response,
): Promise<void> {
	const headers = Object.fromEntries(
		[...response.headers].filter(([name]) => !addedByServers.includes(name)),
	);
	const text = await response.text();
	const { status } = response;
	const reply = { method, status, headers, body: text === "" ? null : text };
	writeFileSync(file, JSON.stringify(reply satisfies RecordedReply));
}

/** Not recorded, because every server writes these headers itself. */
const addedByServers = ["connection", "content-length", "date"];

export function readReply(file: string): RecordedReply {
	return JSON.parse(readFileSync(file, "utf8"));
}
