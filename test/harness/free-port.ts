// Finds a free port for programs that cannot choose one themselves.
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Systems give ports from 32768 on to connections and to listeners on port 0. This one is below them, so it stays free until the program
 * listens, and while it is restarted.
 */
export async function freePort(): Promise<number> {
	const port = randomInt(20_000, 32_768);
	return (await isFree(port)) ? port : freePort();
}

function isFree(port: number): Promise<boolean> {
	const { promise, resolve } = Promise.withResolvers<boolean>();
	const listener = createServer()
		.once("error", () => resolve(false))
		.listen(port, "127.0.0.1", () => listener.close(() => resolve(true)));
	return promise;
}
