// A socket that listens at the address of another one, and whose queue of connections is full. Linux drops the SYN of a client for
// which it is chosen, so that client tries again after a second.
import { attachProgram, choose, chooseForPorts } from "./group-program.ts";
import type { Libc } from "./libc.ts";

export interface FullSocket {
	readonly close: () => void;
}

/** Undefined if it could not be opened. The other socket must be the only one that listens there, opened with SO_REUSEPORT. */
export function openFullSocket(
	libc: Libc,
	other: number,
): FullSocket | undefined {
	const opened: number[] = [];
	const close = () => {
		for (const descriptor of opened) libc.close(descriptor);
	};
	const address = readAddress(libc, other);
	const family = new DataView(address.buffer).getUint16(0, true);
	const isIpv6 = family === ipv6;
	const openSocket = (flags: number) => {
		const descriptor = libc.socket(family, stream | closeOnExec | flags, 0);
		opened.push(descriptor);
		return descriptor;
	};
	const isOpen = (() => {
		// Until the queue is full, no client may get to it. So at first only our own two connections do.
		if (!attachProgram(libc, other, choose(0))) return false;
		const full = openSocket(0);
		shareAddress(libc, full, other, isIpv6);
		if (libc.bind(full, address, address.length) !== 0) return false;
		// With 1, the queue has room for two.
		if (libc.listen(full, 1) !== 0) return false;
		const fillers = [openSocket(nonBlocking), openSocket(nonBlocking)];
		const [one = 0, two = 0] = fillers.map((filler) => {
			const anyPort = new Uint8Array(address.length);
			anyPort.set(address.subarray(0, 2));
			libc.bind(filler, anyPort, anyPort.length);
			return portOf(readAddress(libc, filler));
		});
		attachProgram(libc, other, chooseForPorts(1, [one, two], isIpv6));
		for (const filler of fillers) libc.connect(filler, address, address.length);
		return fillers.every((filler) => isConnected(libc, filler));
	})();
	if (isOpen) return { close };
	close();
	return undefined;
}

const ipv6 = 10;
const stream = 1;
const nonBlocking = 0o4000;
const closeOnExec = 0o2000000;

/** A struct sockaddr_in or sockaddr_in6. */
function readAddress(libc: Libc, descriptor: number): Uint8Array<ArrayBuffer> {
	const address = new Uint8Array(128);
	const length = new Uint32Array([address.length]);
	libc.getsockname(descriptor, address, length);
	return address.slice(0, length[0]);
}

function portOf(address: Uint8Array<ArrayBuffer>): number {
	return new DataView(address.buffer).getUint16(2);
}

/** SO_REUSEPORT, and the same IPV6_V6ONLY, without which two sockets are not of one group. */
function shareAddress(
	libc: Libc,
	descriptor: number,
	other: number,
	isIpv6: boolean,
): void {
	libc.setsockopt(descriptor, 1, 15, new Uint32Array([1]), 4);
	if (!isIpv6) return;
	const isIpv6Only = new Uint32Array(1);
	libc.getsockopt(other, 41, 26, isIpv6Only, new Uint32Array([4]));
	libc.setsockopt(descriptor, 41, 26, isIpv6Only, 4);
}

/** Within one machine the handshake is complete before `connect` returns. A struct tcp_info begins with the state. */
function isConnected(libc: Libc, descriptor: number): boolean {
	const info = new Uint8Array(8);
	libc.getsockopt(descriptor, 6, 11, info, new Uint32Array([info.length]));
	return info[0] === 1;
}
