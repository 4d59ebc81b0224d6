// The sockets of this process, and how many listen at an address. Both come from /proc; where there is none, there are no sockets.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The descriptors of all sockets of this process. */
export function socketDescriptors(): readonly number[] {
	try {
		return readdirSync("/proc/self/fd").map(Number).filter(isSocket);
	} catch {
		return [];
	}
}

/** How many sockets, of any process, listen where this one does. 0 if it is not known. */
export function countListeners(descriptor: number): number {
	try {
		const link = readlinkSync(`/proc/self/fd/${descriptor}`);
		const [, inode] = /^socket:\[(\d+)\]$/.exec(link) ?? [];
		const listeners = ["tcp", "tcp6"].flatMap(readListeners);
		const own = listeners.find((one) => one.inode === inode);
		return listeners.filter(({ address }) => address === own?.address).length;
	} catch {
		return 0;
	}
}

/** Lines of /proc/net/tcp: number, local address, remote address, state (0A if it listens), five more columns, inode. */
function readListeners(family: string) {
	return readFileSync(`/proc/net/${family}`, "latin1")
		.split("\n")
		.map((line) => line.trim().split(/\s+/))
		.filter(([, , , state]) => state === "0A")
		.map((columns) => ({ address: columns[1], inode: columns[9] }));
}

function isSocket(descriptor: number): boolean {
	try {
		return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith("socket:");
	} catch {
		return false;
	}
}
