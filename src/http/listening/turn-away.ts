// Closes a listening socket without resetting connections. Linux completes handshakes on its own, and a connection waits in the
// socket until its request has arrived and the service accepts it. A close resets the connections that wait, and the service would
// never know of their requests. So new connections go to another socket first, chosen by a program that Linux runs for each of them.
import { setTimeout as sleep } from "node:timers/promises";
import { countListeners } from "./descriptors.ts";
import { type FullSocket, openFullSocket } from "./full-socket.ts";
import { attachProgram, choose, detachProgram } from "./group-program.ts";
import { openLibc } from "./libc.ts";

export interface TurnedAway {
	/**
	 * Must be called again from time to time, since the indexes of the sockets change when another process closes one. Returns whether one was
	 * closed: then connections may have come to the socket again.
	 */
	readonly repeat: () => boolean;
	/** Must be called after the socket was closed. From then on clients are refused, if no other socket listens there. */
	readonly end: () => void;
}

export interface TurnAwayOptions {
	/** Whether another socket that listens there stays open. */
	readonly isReplaced: boolean;
	readonly libcName?: string;
}

/**
 * From now on, connections go to another socket. If none stays open that listens there, the client sends its SYN again after a second, and
 * is refused then. Returns undefined where this is not possible; then a close resets the connections that wait. The socket must have
 * been opened with SO_REUSEPORT.
 */
export async function turnAway(
	descriptor: number,
	{ isReplaced, libcName }: TurnAwayOptions,
): Promise<TurnedAway | undefined> {
	const libc = await openLibc(libcName);
	let known = countListeners(descriptor);
	if (libc === undefined || known === 0) return undefined;
	const opened: FullSocket[] = [];

	/** Only the index of the newest socket is known. If no other process has a new one, this one opens it. */
	const chooseNewest = (): boolean => {
		if (isReplaced && known > 1)
			return attachProgram(libc, descriptor, choose(known - 1));
		known = countListeners(descriptor);
		const full = openFullSocket(libc, descriptor, known);
		if (full === undefined) return false;
		opened.push(full);
		known++;
		return true;
	};

	if (!(await isChosen(chooseNewest))) {
		detachProgram(libc, descriptor);
		return undefined;
	}
	return {
		repeat() {
			const before = known;
			known = countListeners(descriptor);
			const isClosed = known < before;
			if (isClosed) chooseNewest();
			return isClosed;
		},
		end() {
			for (const { close } of opened) close();
		},
	};
}

/** Another worker that stops at the same moment may open a socket between the count and the opening, so the index may be wrong. */
async function isChosen(chooseNewest: () => boolean): Promise<boolean> {
	for (let attempts = 0; attempts < 10; attempts++) {
		if (chooseNewest()) return true;
		await sleep(Math.random() * 10);
	}
	return false;
}

/** Lets Linux distribute connections again over the sockets that listen at this address. */
export async function distribute(descriptor: number): Promise<void> {
	const libc = await openLibc();
	if (libc !== undefined) detachProgram(libc, descriptor);
}
