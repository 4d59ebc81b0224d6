// Closes a listening socket without resetting connections. Linux completes handshakes on its own, and a connection waits in the
// socket until its request has arrived and the service accepts it. A close resets the connections that wait, and the service would
// never know of their requests. So a filter first drops new handshakes: a client sends its SYN again after a second, and
// reaches another process that listens there, or is refused.
import { readdirSync, readlinkSync } from "node:fs";

/** The descriptors of all sockets of this process. Empty where there is no /proc. */
export function socketDescriptors(): readonly number[] {
	try {
		return readdirSync("/proc/self/fd").map(Number).filter(isSocket);
	} catch {
		return [];
	}
}

/**
 * Returns whether it could. Without /proc, libc or the permission, connections that wait when the socket is closed are reset. The
 * filter ends with the socket.
 */
export async function dropNewHandshakes(
	descriptor: number,
	libc = "libc.so.6",
): Promise<boolean> {
	try {
		const { dlopen, ptr } = await import("bun:ffi");
		const { symbols, close } = dlopen(libc, {
			setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
		});
		const program = new Uint8Array(16 + filter.length * 8);
		writeProgram(new DataView(program.buffer), ptr(program, 16));
		const status = symbols.setsockopt(
			...([descriptor, SOL_SOCKET, SO_ATTACH_FILTER] as const),
			...([program, 16] as const),
		);
		close();
		return status === 0;
	} catch {
		return false;
	}
}

const SOL_SOCKET = 1;
const SO_ATTACH_FILTER = 26;

/** Classic BPF, as code, jump if true, jump if false and operand. The packet begins with its TCP header. */
const filter = [
	// Load the byte with the flags, keep SYN (2) and ACK (16), and drop the packet if only SYN is set.
	[0x30, 0, 0, 13],
	[0x54, 0, 0, 0x12],
	[0x15, 0, 1, 0x02],
	[0x06, 0, 0, 0],
	[0x06, 0, 0, 0xffffffff],
] as const;

/** A struct sock_fprog (the number of instructions, and their address), and behind it an array of struct sock_filter. */
function writeProgram(bytes: DataView, address: number): void {
	bytes.setUint16(0, filter.length, true);
	bytes.setBigUint64(8, BigInt(address), true);
	for (const [index, [code, ifTrue, ifFalse, operand]] of filter.entries()) {
		const offset = 16 + index * 8;
		bytes.setUint16(offset, code, true);
		bytes.setUint8(offset + 2, ifTrue);
		bytes.setUint8(offset + 3, ifFalse);
		bytes.setUint32(offset + 4, operand, true);
	}
}

function isSocket(descriptor: number): boolean {
	try {
		return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith("socket:");
	} catch {
		return false;
	}
}
