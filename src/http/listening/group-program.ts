// Programs in classic BPF that choose, for a new connection, one of the sockets that listen at an address with SO_REUSEPORT. Linux runs
// them without a privilege. The index of a socket is the number of those that listened there before it.
import type { Libc } from "./libc.ts";

/** An instruction: code, jump if true, jump if false, operand. */
type Instruction = readonly [number, number, number, number];

/** Chooses the socket with this index. */
export function choose(index: number): readonly Instruction[] {
	return [toReturn(index)];
}

/** Chooses the socket with this index for clients that connect from one of the two ports, and the first socket for all others. */
export function chooseForPorts(
	index: number,
	[one, other]: readonly [number, number],
	isIpv6: boolean,
): readonly Instruction[] {
	// From the start of the IP header. The source port comes first in the TCP header, which begins after 40 bytes, or 20 in IPv4.
	const sourcePort = 0xfff00000 + (isIpv6 ? 40 : 20);
	return [
		[0x28, 0, 0, sourcePort],
		[0x15, 2, 0, one],
		[0x15, 1, 0, other],
		toReturn(0),
		toReturn(index),
	];
}

function toReturn(value: number): Instruction {
	return [0x06, 0, 0, value];
}

/** Options of a socket (SOL_SOCKET), as asm-generic/socket.h has them. */
const attachToGroup = 51;
const detachFromGroup = 68;

/** For all sockets of the group. Returns whether it could. */
export function attachProgram(
	libc: Libc,
	descriptor: number,
	instructions: readonly Instruction[],
): boolean {
	const program = toBytes(instructions, libc.addressOf);
	return libc.setsockopt(descriptor, 1, attachToGroup, program, 16) === 0;
}

export function detachProgram(libc: Libc, descriptor: number): void {
	libc.setsockopt(descriptor, 1, detachFromGroup, new Uint8Array(4), 4);
}

/** A struct sock_fprog (the number of instructions, and their address), and behind it an array of struct sock_filter. */
function toBytes(
	instructions: readonly Instruction[],
	addressOf: Libc["addressOf"],
): Uint8Array {
	const program = new Uint8Array(16 + instructions.length * 8);
	const bytes = new DataView(program.buffer);
	bytes.setUint16(0, instructions.length, true);
	bytes.setBigUint64(8, BigInt(addressOf(program) + 16), true);
	for (const [index, instruction] of instructions.entries()) {
		const [code, ifTrue, ifFalse, operand] = instruction;
		const offset = 16 + index * 8;
		bytes.setUint16(offset, code, true);
		bytes.setUint8(offset + 2, ifTrue);
		bytes.setUint8(offset + 3, ifFalse);
		bytes.setUint32(offset + 4, operand, true);
	}
	return program;
}
