// Closes a listening socket without resetting connections. Linux completes handshakes on its own, and a connection waits in the
// socket until its request has arrived and the service accepts it. A close resets the connections that wait, and the service would
// never know of their requests. So new connections are turned away first, by a program that Linux runs for each of them.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The descriptors of all sockets of this process. Empty where there is no /proc. */
export function socketDescriptors(): readonly number[] {
	try {
		return readdirSync("/proc/self/fd").map(Number).filter(isSocket);
	} catch {
		return [];
	}
}

/**
 * From now on, connections go to another socket that listens there. If there is none, the client sends its SYN again after a second, and
 * is refused then; for TCP, newer kernels allow that only with CAP_NET_ADMIN. Returns whether it could. If not, connections that
 * wait when the socket is closed are reset. It holds until the socket is closed, or another one is.
 */
export async function turnAway(
	descriptor: number,
	libc = defaultLibc,
): Promise<boolean> {
	const newest = countListeners(descriptor) - 1;
	return (
		(newest > 0 &&
			(await setOption(descriptor, attachToGroup, toIndex(newest), libc))) ||
		setOption(descriptor, attachToSocket, dropHandshakes, libc)
	);
}

/** Lets Linux distribute connections again over the sockets that listen at this address. */
export async function distribute(descriptor: number): Promise<void> {
	await setOption(descriptor, detachFromGroup, [], defaultLibc);
}

/** Options of a socket (SOL_SOCKET), as asm-generic/socket.h has them. */
const attachToSocket = 26;
const attachToGroup = 51;
const detachFromGroup = 68;

/** An instruction of classic BPF: code, jump if true, jump if false, operand. */
type Instruction = readonly [number, number, number, number];

/** Drops packets with SYN and without ACK. The packet begins with its TCP header, which has the flags at byte 13. */
const dropHandshakes: readonly Instruction[] = [
	[0x30, 0, 0, 13],
	[0x54, 0, 0, 0x12],
	[0x15, 0, 1, 0x02],
	[0x06, 0, 0, 0],
	[0x06, 0, 0, 0xffffffff],
];

/** Chooses the socket with this index. The newest has the highest: it listens already, and this process is to close an older one. */
function toIndex(index: number): readonly Instruction[] {
	return [[0x06, 0, 0, index]];
}

const defaultLibc = "libc.so.6";

async function setOption(
	descriptor: number,
	option: number,
	instructions: readonly Instruction[],
	libc: string,
): Promise<boolean> {
	try {
		const { dlopen, ptr } = await import("bun:ffi");
		const { symbols, close } = dlopen(libc, {
			setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
		});
		const program = new Uint8Array(16 + instructions.length * 8);
		write(new DataView(program.buffer), instructions, ptr(program) + 16);
		const status = symbols.setsockopt(descriptor, 1, option, program, 16);
		close();
		return status === 0;
	} catch {
		return false;
	}
}

/** A struct sock_fprog (the number of instructions, and their address), and behind it an array of struct sock_filter. */
function write(
	bytes: DataView,
	instructions: readonly Instruction[],
	address: number,
): void {
	bytes.setUint16(0, instructions.length, true);
	bytes.setBigUint64(8, BigInt(address), true);
	for (const [index, instruction] of instructions.entries()) {
		const [code, ifTrue, ifFalse, operand] = instruction;
		const offset = 16 + index * 8;
		bytes.setUint16(offset, code, true);
		bytes.setUint8(offset + 2, ifTrue);
		bytes.setUint8(offset + 3, ifFalse);
		bytes.setUint32(offset + 4, operand, true);
	}
}

/** How many sockets, of any process, listen where this one does. */
function countListeners(descriptor: number): number {
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
