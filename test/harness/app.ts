// The app on some surfaces, without a socket.
import { createApp } from "../../src/http/app.ts";
import { openSurface, type Surface } from "../../src/http/surface.ts";
import { createFailureLog } from "../../src/log.ts";
import { silentLog } from "./log.ts";

/** One surface has the prefix "". */
export function openApp(...surfaces: Partial<Surface>[]) {
	const { answer } = createApp({
		surfaces: surfaces.map((surface) => ({ ...openSurface, ...surface })),
		limitRate: undefined,
		log: silentLog,
		failures: createFailureLog(silentLog),
		logRequests: false,
	});
	return async (path: string, init?: RequestInit) =>
		answer(new Request(`http://localhost${path}`, init));
}
