// TLS: the service with a certificate, a renewed one, the messages for wrong files, and the warning for a listener without TLS.
import {
	afterAll,
	afterEach,
	beforeAll,
	beforeEach,
	describe,
	expect,
	test,
} from "bun:test";
import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:tls";
import { isLoopback } from "../../src/http/server/address.ts";
import { makeCertificate } from "../harness/certificate.ts";
import { apiKey } from "../harness/copies.ts";
import { run, serve, waitFor } from "../harness/process.ts";
import { request, sendRaw } from "../harness/raw.ts";
import { temporaryFolder } from "../harness/temporary.ts";

let files: ReturnType<typeof temporaryFolder>;
let flags: string[];
let ca: string;
beforeAll(() => {
	files = temporaryFolder();
	const { certificate, key } = makeCertificate(files.path, "own", {
		keyType: "rsa",
	});
	flags = ["--tls-cert", certificate, "--tls-key", key];
	ca = readFileSync(certificate, "utf8");
});
afterAll(() => files.remove());

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
	folder = temporaryFolder();
});
afterEach(() => folder.remove());

const service = (args: readonly string[], env = {}) =>
	serve(args, { cwd: folder.path, env: { PETSTORE_API_KEY: apiKey, ...env } });

/** A call by a client that trusts the certificate. */
const call = (url: string, init: RequestInit = {}) =>
	fetch(`${url}/v1/pets`, {
		...init,
		headers: { Authorization: `Bearer ${apiKey}` },
		tls: { ca },
	});

describe("with a certificate", () => {
	test("answers HTTPS requests of clients that trust the certificate", async () => {
		const { url } = await service(flags);
		expect(url).toStartWith("https://127.0.0.1:");
		const body = '{"name":"Rex","categoryId":1}';
		expect((await call(url, { method: "POST", body })).status).toBe(201);
		expect(await (await call(url)).json()).toHaveLength(1);
		await expect(fetch(`${url}/healthz`)).rejects.toThrow(/certificate/);
	});

	test("reads the files of PETSTORE_TLS_CERT and PETSTORE_TLS_KEY only once without SIGHUP", async () => {
		const { certificate, key } = makeCertificate(folder.path, "renewed");
		const { url } = await service([], {
			PETSTORE_TLS_CERT: certificate,
			PETSTORE_TLS_KEY: key,
		});
		const known = { tls: { ca: readFileSync(certificate, "utf8") } };
		writeFileSync(certificate, "");
		writeFileSync(key, "");
		expect((await fetch(`${url}/healthz`, known)).status).toBe(200);
	});

	test("does not answer plain HTTP, other text or broken TLS handshakes, and goes on", async () => {
		const { url, kill, finished } = await service(flags);
		const greeting = "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc";
		for (let round = 0; round < 20; round++)
			for (const sent of [
				request("GET /v1/pets", [`Authorization: Bearer ${apiKey}`]),
				"hello\r\n\r\n",
				`${greeting}\u0003\u0003${"\u0000".repeat(600)}`,
			])
				expect(await sendRaw(url, sent)).not.toContain("HTTP");
		expect((await call(url)).status).toBe(200);
		kill("SIGTERM");
		expect((await finished).status).toBe(0);
	}, 30_000);

	test.each([
		["-tls1_1", false],
		["-tls1_2", true],
		["-tls1_3", true],
	])(
		"serves a client that supports only the version %s: %j",
		async (version, served) => {
			const { url } = await service(flags);
			const client = spawnSync(
				"openssl",
				[
					"s_client",
					version,
					"-cipher",
					"ALL:@SECLEVEL=0",
					"-connect",
					hostOf(url),
				],
				{ input: "" },
			);
			expect(client.status === 0).toBe(served);
		},
	);
});

describe("SIGHUP", () => {
	/** Starts a service with a certificate of its own, which a test may replace. Its folder is removed after the last test. */
	async function startRenewable() {
		const { path } = temporaryFolder();
		const { certificate, key } = makeCertificate(path, "renewed");
		const old = fingerprint(certificate);
		const args = ["--tls-cert", certificate, "--tls-key", key];
		const started = await serve(args, {
			cwd: path,
			env: { PETSTORE_API_KEY: apiKey },
		});
		return { ...started, path, certificate, key, old };
	}

	test("gives new connections the renewed certificate, and still answers older ones", async () => {
		const { path, certificate, old, url, kill, output, finished } =
			await startRenewable();
		const before = await Promise.all(
			Array.from({ length: 8 }, () => openTls(url)),
		);
		for (const { served, send } of before)
			expect([served, await send()]).toEqual([
				old,
				expect.stringMatching(/^HTTP\/1\.1 200 /),
			]);
		makeCertificate(path, "renewed");
		kill("SIGHUP");
		const renewed = fingerprint(certificate);
		const answerAll = async () => {
			for (const { send } of before)
				expect(await send()).toMatch(/^HTTP\/1\.1 200 /);
		};
		// The process ends the connections from before first.
		await answerAll();
		// A listener that closes resets the connections that it has not accepted.
		const certificates = () =>
			servedToNewClients(url).catch(() => new Set([old]));
		while (!(await certificates()).has(renewed)) await Bun.sleep(50);
		// Linux may give all connections of one call to the new listener while the old one is still open.
		for (let calls = 0; calls < 5; calls++) {
			if ((await certificates()).has(old)) calls = 0;
			await Bun.sleep(100);
		}
		expect(output().stderr).toContain("the TLS certificate was read again");
		kill("SIGTERM");
		const { status, stderr } = await finished;
		expect([status, stderr]).toEqual([
			0,
			expect.not.stringMatching(/"(warn|error)"/),
		]);
	}, 40_000);

	test("logs one line about an unusable certificate, and keeps the old one", async () => {
		const { certificate, old, url, kill, output, finished } =
			await startRenewable();
		const kept = await openTls(url);
		const other = makeCertificate(files.path, "other");
		const lines = () => output().stderr.trim().split("\n");
		const before = lines();
		writeFileSync(certificate, readFileSync(other.certificate));
		kill("SIGHUP");
		await waitFor(
			() => (lines().length > before.length ? true : undefined),
			() => "nothing was logged",
		);
		await Bun.sleep(300);
		expect(lines().slice(before.length)).toEqual([
			expect.stringMatching(
				/"level":"error".*the old TLS certificate stays in use.*renewed\.key does not belong to the certificate/,
			),
		]);
		for (let count = 0; count < 8; count++)
			expect((await openTls(url)).served).toBe(old);
		expect(await kept.send()).not.toMatch(/connection: close/i);
		kill("SIGTERM");
		expect((await finished).status).toBe(0);
	}, 20_000);

	test("stops at SIGTERM directly after SIGHUP, without waiting for the old connections", async () => {
		const { url, kill, output, finished } = await service(flags);
		const { send } = await openTls(url);
		await send();
		kill("SIGHUP");
		await waitFor(
			() => (output().stderr.includes("read again") ? true : undefined),
			() => output().stderr,
		);
		const begun = performance.now();
		kill("SIGTERM");
		expect((await finished).status).toBe(0);
		expect(performance.now() - begun).toBeLessThan(5_000);
	}, 20_000);

	test("does not listen again at SIGHUP while it drains", async () => {
		const { url, kill, finished } = await service([...flags, "--drain", "1"]);
		kill("SIGTERM");
		await Bun.sleep(300);
		kill("SIGHUP");
		expect((await finished).status).toBe(0);
		await expect(openTls(url)).rejects.toThrow();
	}, 20_000);

	test("refuses to start a second service on the port of a service with TLS", async () => {
		const { url } = await service(flags);
		for (const more of [[], flags]) {
			const { status, stderr } = await run(
				["serve", "--port", new URL(url).port, ...more],
				{ cwd: folder.path },
			);
			expect([status, stderr]).toEqual([
				1,
				expect.stringMatching(
					/^petstore: Cannot listen on .*--port \(or --operator-address of serve\)\.\n$/,
				),
			]);
		}
	});
});

describe("a start with wrong files prints one sentence with the reason and creates nothing", () => {
	const fail = async (
		args: readonly string[],
		status: number,
		message: RegExp,
		env = {},
	) => {
		const options = { cwd: folder.path, env };
		const before = readdirSync(folder.path);
		const finished = await run(["serve", "--port", "0", ...args], options);
		expect([finished.status, finished.stdout]).toEqual([status, ""]);
		expect(finished.stderr).toMatch(/^petstore: .*\.\n$/);
		expect(finished.stderr).toMatch(message);
		expect(readdirSync(folder.path)).toEqual(before);
	};
	/** The flags, with this text in place of one of the files. */
	const replace = (place: 1 | 3, text: string) => {
		writeFileSync(`${folder.path}/wrong.pem`, text);
		return flags.with(place, "wrong.pem");
	};
	const textOf = (place: 1 | 3) => readFileSync(flags[place] ?? "", "utf8");

	test("refuses a certificate without a key, or a key without a certificate", async () => {
		await fail(flags.slice(0, 2), 2, /both a certificate and its key/);
		await fail(flags.slice(2), 2, /both a certificate and its key/);
		await fail([], 2, /both a certificate/, { PETSTORE_TLS_KEY: flags[3] });
	});

	test("refuses a file that does not exist, or is a folder", async () => {
		await fail(flags.with(1, "no.crt"), 1, /certificate no\.crt.*no such file/);
		await fail(flags.with(3, "no.key"), 1, /key no\.key.*no such file/);
		mkdirSync(`${folder.path}/a`);
		await fail(flags.with(1, "a"), 1, /certificate a cannot be read/);
	});

	test.each([
		["nothing", () => ""],
		["other text", () => "hello"],
		["the key", () => textOf(3)],
		[
			"a chain with a broken certificate",
			() =>
				`${ca}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
		],
		["a chain that ends too early", () => ca + ca.slice(0, ca.length / 2)],
	])("refuses a certificate file with %s", async (_what, text) => {
		await fail(replace(1, text()), 1, /TLS certificate wrong\.pem is not/);
	});

	test.each([
		["nothing", () => ""],
		["other text", () => "hello"],
		["the certificate", () => textOf(1)],
		["an encrypted key", () => encrypt(textOf(3))],
	])("refuses a key file with %s", async (_what, text) => {
		await fail(
			replace(3, text()),
			1,
			/TLS key wrong\.pem is not a PEM private key/,
		);
	});

	test("refuses a key that belongs to another certificate", async () => {
		const { key } = makeCertificate(files.path, "other");
		await fail(
			flags.with(3, key),
			1,
			/other\.key does not belong to the certificate .*own\.crt\.$/m,
		);
	});
});

describe("the warning about a listener without TLS", () => {
	const warnings = async (args: readonly string[]) => {
		const { kill, finished } = await service(args);
		kill("SIGTERM");
		return (await finished).stderr
			.split("\n")
			.filter((line) => line.includes('"level":"warn"'));
	};

	test("warns once about a listener without TLS that other machines can reach", async () => {
		expect(await warnings(["--host", "0.0.0.0"])).toEqual([
			expect.stringMatching(/without TLS.*read.*keys.*--tls-cert.*proxy/),
		]);
	});

	test("logs no warning for a listener with TLS, or on a loopback address", async () => {
		expect(await warnings(["--host", "0.0.0.0", ...flags])).toEqual([]);
		expect(await warnings(["--host", "127.0.0.1"])).toEqual([]);
		expect(await warnings(["--host", "localhost"])).toEqual([]);
	});

	test.each([
		["127.0.0.1", true],
		["127.8.8.8", true],
		["LocalHost", true],
		["::1", true],
		["[::1]", true],
		["0.0.0.0", false],
		["::", false],
		["10.0.0.1", false],
		["127.0.0.1.example", false],
		["localhost.example", false],
	])("takes %s for a loopback address: %j", (host, expected) => {
		expect(isLoopback(host)).toBe(expected);
	});
});

/** A new TLS connection: its certificate, and a function that sends a request on it. */
async function openTls(url: string) {
	const { hostname: host, port } = new URL(url);
	const socket = connect({
		host,
		port: Number(port),
		rejectUnauthorized: false,
	});
	await once(socket, "secureConnect");
	socket.on("error", () => {});
	const text = request("GET /v1/pets", [`Authorization: Bearer ${apiKey}`]);
	return {
		served: socket.getPeerCertificate().fingerprint256,
		async send(): Promise<string> {
			const closed = once(socket, "close").then(() => ["closed"]);
			socket.write(text);
			const [reply] = await Promise.race([once(socket, "data"), closed]);
			return String(reply);
		},
	};
}

/** The certificates that eight new connections get. The service must answer each of them. */
async function servedToNewClients(url: string): Promise<Set<string>> {
	const clients = Array.from({ length: 8 }, async () => {
		const { served, send } = await openTls(url);
		expect(await send()).toMatch(/^HTTP\/1\.1 200 /);
		return served;
	});
	return new Set(await Promise.all(clients));
}

function fingerprint(file: string): string {
	return new X509Certificate(readFileSync(file)).fingerprint256;
}

function hostOf(url: string): string {
	return new URL(url).host;
}

function encrypt(key: string): string {
	const args = ["pkey", "-aes256", "-passout", "pass:secret"];
	return spawnSync("openssl", args, { input: key }).stdout.toString();
}
