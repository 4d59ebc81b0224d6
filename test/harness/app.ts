// The app on some surfaces, without a socket.
import { createApp } from "../../src/http/app.ts";
import { createUnsentLimit } from "../../src/http/parts.ts";
import { jsonHeaders } from "../../src/http/reply.ts";
import { anonymous, type Surface } from "../../src/http/surface.ts";
import { createFailureLog } from "../../src/log.ts";
import { silentLog } from "./log.ts";

const nothing: Surface = {
	prefix: "",
	authenticate: () => anonymous,
	headers: jsonHeaders,
	routes: [],
};

/** One surface has the prefix "". */
export function openApp(...surfaces: Partial<Surface>[]) {
	const app = createApp({
		surfaces: surfaces.map((surface) => ({ ...nothing, ...surface })),
		limitRate: undefined,
		limitUnsent: createUnsentLimit(),
		log: silentLog,
		failures: createFailureLog(silentLog),
		logRequests: false,
	});
	return async (path: string, init?: RequestInit) =>
		app(new Request(`http://localhost${path}`, init));
}
