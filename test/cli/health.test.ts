// `petstore health`: the exit status of a health check.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { healthMs } from "../../src/cli/commands/health.ts";
import { openPetstore, type Petstore } from "../../src/petstore.ts";
import { makeCertificate } from "../harness/certificate.ts";
import { freePort } from "../harness/free-port.ts";
import { usePlace } from "./place.ts";

const place = usePlace("file");
let service: Petstore;
beforeAll(async () => {
	service = await openPetstore({ database: "sqlite::memory:" });
});
afterAll(() => service.stop());

const portOf = (url: string) => new URL(url).port;
const health = (args: string, env: Record<string, string> = {}) =>
	place.run(`health ${args}`, env);

test("checks the port of the variables, or --ready and --url, not through a proxy", async () => {
	const env = { PETSTORE_HOST: "0.0.0.0", HTTP_PROXY: "http://127.0.0.1:9" };
	const PETSTORE_PORT = portOf(service.url);
	expect(await health("", { PETSTORE_PORT, ...env })).toEqual({
		status: 0,
		stdout: `http://127.0.0.1:${PETSTORE_PORT}/healthz answers 200.\n`,
		stderr: "",
	});
	const { status, stdout } = await health(`--ready --url ${service.url}`);
	expect([status, stdout]).toEqual([0, `${service.url}/readyz answers 200.\n`]);
});

test("checks a service with TLS by its variables, whatever host its certificate names", async () => {
	const names = "DNS:pets.example";
	const { certificate, key } = makeCertificate(place.path(), "own", names);
	const env = { PETSTORE_TLS_CERT: certificate, PETSTORE_TLS_KEY: key };
	const { url } = await place.serve("--database sqlite::memory:", env);
	const port = portOf(url);
	expect((await health(`--port ${port}`, env)).status).toBe(0);
	expect((await health(`--port ${port}`)).status).toBe(1);
	expect((await health(`--url ${url}`)).status).toBe(1);
});

test("ends with status 1 and one line if nothing listens, if the service is not ready, and if it redirects", async () => {
	const server = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		fetch: (request) =>
			request.url.endsWith("/readyz")
				? new Response("no", { status: 503 })
				: Response.redirect("/elsewhere"),
	});
	for (const [args, problem] of [
		[`--port ${await freePort()}`, "/healthz does not answer: "],
		["--url http://255.255.255.255:1", "does not answer: Unable to connect."],
		[`--ready --port ${server.port}`, "/readyz answers 503."],
		[`--port ${server.port}`, "/healthz answers 302."],
	] as const) {
		const { status, stdout, stderr } = await health(args);
		expect([status, stdout]).toEqual([1, ""]);
		expect(stderr).toMatch(/^petstore: http:.*\.\n$/);
		expect(stderr).toContain(problem);
	}
	await server.stop(true);
});

test("ends with status 1 in time if the service accepts the connection and does not answer", async () => {
	const silent = Bun.listen({
		hostname: "127.0.0.1",
		port: 0,
		socket: { data() {} },
	});
	const begun = performance.now();
	const { status, stderr } = await health(`--port ${silent.port}`);
	expect([status, stderr]).toEqual([1, expect.stringContaining("timed out")]);
	expect(performance.now() - begun).toBeLessThan(healthMs + 2_000);
	silent.stop(true);
});
