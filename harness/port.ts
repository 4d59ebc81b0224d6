// A free port, for programs that must be told theirs.
import { once } from "node:events";
import { createServer } from "node:net";

export async function freePort(): Promise<number> {
	const listener = createServer().listen(0, "127.0.0.1");
	await once(listener, "listening");
	const address = listener.address();
	listener.close();
	return typeof address === "object" ? (address?.port ?? 0) : 0;
}
