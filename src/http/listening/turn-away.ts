// Closes a listening socket without resetting connections. Linux completes handshakes on its own, and a connection waits in the
// socket until its request has arrived and the service accepts it. A close resets the connections that wait, and the service would
// never know of their requests. So new connections go to another socket first, chosen by a program that Linux runs for each of them.
import { countListeners } from "./descriptors.ts";
import { type FullSocket, openFullSocket } from "./full-socket.ts";
import { attachProgram, choose, detachProgram } from "./group-program.ts";
import { openLibc } from "./libc.ts";

export interface TurnedAway {
	/**
	 * Must be called again from time to time, since the group of sockets changes when another process opens or closes one. Returns whether it
	 * has changed: then connections may have come to the socket again.
	 */
	readonly repeat: () => boolean;
	/** Must be called after the socket was closed. From then on clients are refused, if no other socket listens there. */
	readonly end: () => void;
}

/**
 * From now on, connections go to another socket that listens there. If there is none, the client sends its SYN again after a second, and
 * is refused then. Returns undefined where this is not possible; then a close resets the connections that wait. The socket must have
 * been opened with SO_REUSEPORT.
 */
export async function turnAway(
	descriptor: number,
	libcName?: string,
): Promise<TurnedAway | undefined> {
	const count = countListeners(descriptor);
	const libc = await openLibc(libcName);
	if (count === 0 || libc === undefined) return undefined;
	let full: FullSocket | undefined;
	if (count === 1) {
		full = openFullSocket(libc, descriptor);
		if (full === undefined) return undefined;
	}
	// The newest socket has the highest index. It is never the one that is to be closed.
	let chosen = 0;
	const repeat = () => {
		const before = chosen;
		chosen = countListeners(descriptor) - 1;
		if (chosen > 0) attachProgram(libc, descriptor, choose(chosen));
		return chosen !== before;
	};
	repeat();
	return { repeat, end: () => full?.close() };
}

/** Lets Linux distribute connections again over the sockets that listen at this address. */
export async function distribute(descriptor: number): Promise<void> {
	const libc = await openLibc();
	if (libc !== undefined) detachProgram(libc, descriptor);
}
