// Finds a free port for programs that cannot choose one themselves.
import { createServer } from "node:net";

export async function freePort(): Promise<number> {
	const { promise, resolve } = Promise.withResolvers<void>();
	const listener = createServer().listen(0, "127.0.0.1", resolve);
	await promise;
	const address = listener.address();
	listener.close();
	return typeof address === "object" ? (address?.port ?? 0) : 0;
}
