// Surfaces: which of them answers a path, and the parts of a reply.
import { describe, expect, test } from "bun:test";
import { Failure } from "../../src/domain/errors.ts";
import { createApp } from "../../src/http/app.ts";
import { createUnsent } from "../../src/http/parts.ts";
import { type Body, jsonHeaders, type Reply } from "../../src/http/reply.ts";
import {
	openSurface,
	type Route,
	type Surface,
} from "../../src/http/surface.ts";
import { createFailureLog } from "../../src/log.ts";
import { silentLog } from "../harness/log.ts";

/** The app on some surfaces, without a socket. */
function openApp(...surfaces: Partial<Surface>[]) {
	const { answer } = createApp({
		surfaces: surfaces.map((surface) => ({ ...openSurface, ...surface })),
		limitRate: undefined,
		unsent: createUnsent(),
		log: silentLog,
		failures: createFailureLog(silentLog),
		logRequests: false,
	});
	return async (path: string, init?: RequestInit) =>
		answer(new Request(`http://localhost${path}`, init));
}

function route(path: string, handle: Route["handle"], method = "GET"): Route {
	return { method, path, headers: jsonHeaders, handle };
}

function text(body: string): Reply {
	return { status: 200, headers: jsonHeaders, body };
}

describe("several surfaces", () => {
	test("authenticates the caller by the surface with the longest prefix, even for an unknown path", async () => {
		const refuse = () => {
			throw new Failure("unauthenticated", "No.");
		};
		const call = openApp({}, { prefix: "/a", authenticate: refuse });
		for (const path of ["/a", "/a/", "/a/x/y"])
			expect((await call(path)).status).toBe(401);
		for (const path of ["/", "/ab", "/b/a"])
			expect((await call(path)).status).toBe(404);
	});

	test.each(["/{name}/open", "/a", "/a/plain", "/a/{name}"])(
		"answers no path of a longer prefix by the route %s of a shorter one",
		async (path) => {
			const routes = [route(path, () => text("open"))];
			const asked = path.replace("{name}", "a");
			expect((await openApp({ routes })(asked)).status).toBe(200);
			const call = openApp({ routes }, { prefix: "/a" });
			expect((await call(asked)).status).toBe(404);
		},
	);
});

describe("the reply", () => {
	const css = "body { color: teal }";
	const toRoute = (path: string, toBody: () => Body) =>
		route(path, () => ({
			status: 200,
			headers: jsonHeaders,
			body: toBody(),
			mediaType: "text/css",
		}));
	const call = openApp({
		routes: [
			toRoute("/text", () => css),
			toRoute("/bytes", () => new Blob([css])),
			toRoute("/stream", () => new Blob([css]).stream()),
		],
	});

	test.each(["/text", "/bytes", "/stream"])(
		"of %s has its media type and its body",
		async (path) => {
			const response = await call(path);
			expect(response.headers.get("Content-Type")).toBe("text/css");
			expect(await response.text()).toBe(css);
			// The headers that all replies share stay the same.
			expect(jsonHeaders.get("Content-Type")).toBe("application/json");
		},
	);
});
