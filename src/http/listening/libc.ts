// The functions of the C library for sockets that Bun does not offer. Only for Linux.

/** Undefined where there is no such library. */
export async function openLibc(name = "libc.so.6") {
	try {
		const { dlopen, ptr } = await import("bun:ffi");
		const { symbols } = dlopen(name, {
			socket: { args: ["i32", "i32", "i32"], returns: "i32" },
			bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
			listen: { args: ["i32", "i32"], returns: "i32" },
			connect: { args: ["i32", "ptr", "u32"], returns: "i32" },
			close: { args: ["i32"], returns: "i32" },
			getsockname: { args: ["i32", "ptr", "ptr"], returns: "i32" },
			getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" },
			setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
		});
		/** The address of these bytes. */
		return { ...symbols, addressOf: (bytes: Uint8Array) => ptr(bytes) };
	} catch {
		return undefined;
	}
}

export type Libc = NonNullable<Awaited<ReturnType<typeof openLibc>>>;
