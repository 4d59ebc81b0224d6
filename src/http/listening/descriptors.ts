// The sockets of this process, and how many listen at an address. Both come from /proc; where there is none, there are no sockets.
import {
	closeSync,
	existsSync,
	openSync,
	readdirSync,
	readlinkSync,
	readSync,
} from "node:fs";
import { toProc } from "../../program.ts";

/** Whether the two others know the sockets, so that a process notices when another listens at its address. */
export function knowsSockets(proc = toProc()): boolean {
	return existsSync(`${proc}/self/fd`) && existsSync(`${proc}/net/tcp`);
}

/** The descriptors of all sockets of this process. */
export function socketDescriptors(proc = toProc()): readonly number[] {
	try {
		return readdirSync(`${proc}/self/fd`)
			.map(Number)
			.filter((descriptor) => isSocket(proc, descriptor));
	} catch {
		return [];
	}
}

/** How many sockets, of any process, listen where this one does. 0 if it is not known. */
export function countListeners(descriptor: number, proc = toProc()): number {
	try {
		const link = readlinkSync(`${proc}/self/fd/${descriptor}`);
		const [, inode] = /^socket:\[(\d+)\]$/.exec(link) ?? [];
		for (const family of ["tcp", "tcp6"]) {
			const listeners = readListeners(`${proc}/net/${family}`);
			const own = listeners.find((one) => one.inode === inode);
			if (own !== undefined)
				return listeners.filter(({ address }) => address === own.address)
					.length;
		}
	} catch {}
	return 0;
}

/** Lines of /proc/net/tcp: number, local address, remote address, state (0A if it listens), five more columns, inode. */
function readListeners(path: string) {
	return readStart(path)
		.split("\n")
		.map((line) => line.trim().split(/\s+/))
		.filter(([, , , state]) => state === "0A")
		.map((columns) => ({ address: columns[1], inode: columns[9] }));
}

/** Reads until the first line that is not a listening socket. The whole file has a line for every connection of the machine. */
function readStart(path: string): string {
	const file = openSync(path, "r");
	try {
		const chunk = Buffer.alloc(64 * 1024);
		let text = "";
		while (!hasConnection.test(text)) {
			const length = readSync(file, chunk);
			if (length === 0) break;
			text += chunk.toString("latin1", 0, length);
		}
		return text;
	} finally {
		closeSync(file);
	}
}

const hasConnection = /^ *\d+: \S+ \S+ (?!0A)/m;

function isSocket(proc: string, descriptor: number): boolean {
	try {
		return readlinkSync(`${proc}/self/fd/${descriptor}`).startsWith("socket:");
	} catch {
		return false;
	}
}
