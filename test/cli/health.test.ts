// `petstore health`: the exit status of a health check.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { healthMs } from "../../src/cli/commands/health.ts";
import { openPetstore, type Petstore } from "../../src/petstore.ts";
import { makeCertificate } from "../harness/certificate.ts";
import { freePort } from "../harness/free-port.ts";
import { run, serve } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

let folder: ReturnType<typeof temporaryFolder>;
let service: Petstore;
beforeAll(async () => {
	folder = temporaryFolder();
	service = await openPetstore({ database: "sqlite::memory:" });
});
afterAll(async () => {
	await service.stop();
	folder.remove();
});

const portOf = (url: string) => new URL(url).port;

function health(args: readonly string[], env: Record<string, string> = {}) {
	return run(["health", ...args], { cwd: folder.path, env });
}

test.each([
	["PETSTORE_PORT", {}],
	["PORT", {}],
	["PETSTORE_PORT", { PETSTORE_HOST: "0.0.0.0" }],
	["PETSTORE_PORT", { HTTP_PROXY: "http://127.0.0.1:9" }],
])("checks the port in %s, without flags and with %j", async (name, env) => {
	const port = portOf(service.url);
	expect(await health([], { [name]: port, ...env })).toEqual({
		status: 0,
		stdout: `http://127.0.0.1:${port}/healthz answers 200.\n`,
		stderr: "",
	});
});

test("--ready checks /readyz, and --url checks another address", async () => {
	const { status, stdout } = await health(["--ready", "--url", service.url], {
		HTTP_PROXY: "http://127.0.0.1:9",
	});
	expect([status, stdout]).toEqual([0, `${service.url}/readyz answers 200.\n`]);
});

test("checks a service with TLS by its variables, whatever host its certificate names", async () => {
	const { certificate, key } = makeCertificate(folder.path, "own", {
		names: "DNS:pets.example",
	});
	const env = { PETSTORE_TLS_CERT: certificate, PETSTORE_TLS_KEY: key };
	const secure = await serve(["--database", "sqlite::memory:"], {
		cwd: folder.path,
		env,
	});
	const port = portOf(secure.url);
	const inClear = await health(["--port", port]);
	expect([await health(["--port", port], env), inClear.status]).toEqual([
		{
			status: 0,
			stdout: `https://127.0.0.1:${port}/healthz answers 200.\n`,
			stderr: "",
		},
		1,
	]);
	const stranger = await health(["--url", `https://127.0.0.1:${port}`]);
	expect(stranger).toMatchObject({ status: 1, stdout: "" });
	secure.kill("SIGTERM");
});

test("ends with status 1 and one line if nothing listens", async () => {
	const port = await freePort();
	const { status, stdout, stderr } = await health(["--port", String(port)]);
	expect([status, stdout]).toEqual([1, ""]);
	expect(stderr).toMatch(
		/^petstore: http:\/\/127\.0\.0\.1:\d+\/healthz does not answer: .+\.\n$/,
	);
});

test("ends with status 1 if the service is not ready or redirects", async () => {
	const server = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		fetch: (request) =>
			request.url.endsWith("/readyz")
				? new Response("no", { status: 503 })
				: Response.redirect("/elsewhere"),
	});
	const port = String(server.port);
	expect(await health(["--ready", "--port", port])).toEqual({
		status: 1,
		stdout: "",
		stderr: `petstore: http://127.0.0.1:${port}/readyz answers 503.\n`,
	});
	expect((await health(["--port", port])).status).toBe(1);
	await server.stop(true);
});

test("ends with status 1 in time if the service accepts the connection and does not answer", async () => {
	const silent = Bun.listen({
		hostname: "127.0.0.1",
		port: 0,
		socket: { data() {} },
	});
	const begun = performance.now();
	const { status, stderr } = await health(["--port", String(silent.port)]);
	expect([status, stderr]).toEqual([1, expect.stringContaining("timed out")]);
	expect(performance.now() - begun).toBeLessThan(healthMs + 2_000);
	silent.stop(true);
});

test("refuses port 0, which names no port", async () => {
	const { status, stderr } = await health([], { PETSTORE_PORT: "0" });
	expect([status, stderr]).toEqual([
		2,
		expect.stringContaining("--port or --url"),
	]);
});
