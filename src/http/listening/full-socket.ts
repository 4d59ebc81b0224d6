// A socket that listens at the address of another one, and whose queue of connections is full. Linux drops the SYN of a client for
// which it is chosen, so that client tries again after a second.
import { attachProgram, choose, chooseForPorts } from "./group-program.ts";
import type { Libc } from "./libc.ts";

export interface FullSocket {
	readonly close: () => void;
}

/**
 * Opens it with this index, which is the number of sockets that listen there already, and lets Linux choose it for all new connections.
 * Undefined if it could not be opened. The other socket must have been opened with SO_REUSEPORT.
 */
export function openFullSocket(
	libc: Libc,
	other: number,
	index: number,
): FullSocket | undefined {
	const opened: number[] = [];
	const close = () => {
		for (const descriptor of opened) libc.close(descriptor);
	};
	const address = readAddress(libc, other);
	const open = (flags: number) => {
		const type = stream | closeOnExec | flags;
		const descriptor = libc.socket(familyOf(address), type, 0);
		opened.push(descriptor);
		return descriptor;
	};
	// Until the queue is full, no client may get to it. So at first only our own two connections do.
	const isFull =
		attachProgram(libc, other, choose(0)) &&
		listenBeside(libc, open(0), other, address) &&
		fillQueue(
			libc,
			[open(nonBlocking), open(nonBlocking)],
			address,
			(ports) => {
				const isIpv6 = familyOf(address) === ipv6;
				attachProgram(libc, other, chooseForPorts(index, ports, isIpv6));
			},
		) &&
		attachProgram(libc, other, choose(index));
	if (isFull) return { close };
	close();
	return undefined;
}

type Address = Uint8Array<ArrayBuffer>;

/** Listens at the address of the other socket, with a queue for two connections. Returns whether it could. */
function listenBeside(
	libc: Libc,
	descriptor: number,
	other: number,
	address: Address,
): boolean {
	setFlag(libc, descriptor, reusePort, 1);
	// Two sockets with a different IPV6_V6ONLY are not of one group.
	if (familyOf(address) === ipv6)
		setFlag(libc, descriptor, ipv6Only, readFlag(libc, other, ipv6Only));
	return (
		libc.bind(descriptor, address, address.length) === 0 &&
		libc.listen(descriptor, 1) === 0
	);
}

/** Connects the two sockets, after `onPorts` was given their ports. Returns whether it could. */
function fillQueue(
	libc: Libc,
	[one, two]: readonly [number, number],
	address: Address,
	onPorts: (ports: readonly [number, number]) => void,
): boolean {
	onPorts([
		bindToAnyPort(libc, one, address),
		bindToAnyPort(libc, two, address),
	]);
	libc.connect(one, address, address.length);
	libc.connect(two, address, address.length);
	return isConnected(libc, one) && isConnected(libc, two);
}

function bindToAnyPort(
	libc: Libc,
	descriptor: number,
	address: Address,
): number {
	const anyPort = new Uint8Array(address.length);
	anyPort.set(address.subarray(0, 2));
	libc.bind(descriptor, anyPort, anyPort.length);
	return new DataView(readAddress(libc, descriptor).buffer).getUint16(2);
}

/** Within one machine the handshake is complete before `connect` returns. A struct tcp_info begins with the state. */
function isConnected(libc: Libc, descriptor: number): boolean {
	const info = new Uint8Array(8);
	const length = new Uint32Array([info.length]);
	libc.getsockopt(descriptor, ...tcpInfo, info, length);
	return info[0] === established;
}

/** A struct sockaddr_in or sockaddr_in6. */
function readAddress(libc: Libc, descriptor: number): Address {
	const address = new Uint8Array(128);
	const length = new Uint32Array([address.length]);
	libc.getsockname(descriptor, address, length);
	return address.slice(0, length[0]);
}

function familyOf(address: Address): number {
	return new DataView(address.buffer).getUint16(0, true);
}

type Option = readonly [level: number, name: number];

function setFlag(
	libc: Libc,
	descriptor: number,
	option: Option,
	value: number,
): void {
	libc.setsockopt(descriptor, ...option, new Uint32Array([value]), 4);
}

function readFlag(libc: Libc, descriptor: number, option: Option): number {
	const value = new Uint32Array(1);
	libc.getsockopt(descriptor, ...option, value, new Uint32Array([4]));
	return value[0] ?? 0;
}

// As the headers of Linux have them.
const ipv6 = 10;
const stream = 1;
const nonBlocking = 0o4000;
const closeOnExec = 0o2000000;
const established = 1;
const reusePort: Option = [1, 15];
const ipv6Only: Option = [41, 26];
const tcpInfo: Option = [6, 11];
