// TLS: the service with a certificate, the messages for wrong files, and the warning for a listener without TLS.
import {
	afterAll,
	afterEach,
	beforeAll,
	beforeEach,
	describe,
	expect,
	test,
} from "bun:test";
import { execSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { isLoopback } from "../../src/http/address.ts";
import { makeCertificate, makeTls } from "../harness/certificate.ts";
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

	test("reads the files of PETSTORE_TLS_CERT and PETSTORE_TLS_KEY only at the start", async () => {
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

	test("prints a curl command that works, whatever name the certificate has", async () => {
		const { certificate, key } = makeCertificate(folder.path, "other", {
			names: "DNS:pets.example",
		});
		const { output } = await serve(
			["--tls-cert", certificate, "--tls-key", key],
			{ cwd: folder.path },
		);
		const curl = await waitFor(
			() => /^ {2}(curl .*)$/m.exec(output().stdout)?.[1],
			() => output().stdout,
		);
		expect(execSync(curl, { stdio: "pipe" }).toString()).toBe("[]");
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

	test("refuses a certificate without a key, or a key without a certificate", async () => {
		await fail(flags.slice(0, 2), 2, /both a certificate and its key/);
		await fail(flags.slice(2), 2, /both a certificate and its key/);
		await fail([], 2, /both a certificate/, { PETSTORE_TLS_KEY: flags[3] });
	});

	test("refuses a file that does not exist", async () => {
		await fail(flags.with(1, "no.crt"), 1, /no\.crt cannot be read.*no such/);
		await fail(flags.with(3, "no.key"), 1, /no\.key cannot be read.*no such/);
	});

	const wrong: [string, 1 | 3, () => string][] = [
		["a certificate file without one", 1, () => "hello"],
		["a chain that is broken off", 1, () => ca + ca.slice(0, ca.length / 2)],
		["a key file without one", 3, () => ca],
		["an encrypted key", 3, () => encrypt(readKey())],
		["a key of another certificate", 3, () => makeTls(files.path, "other").key],
	];
	test.each(wrong)("refuses %s", async (_what, place, toText) => {
		writeFileSync(`${folder.path}/wrong.pem`, toText());
		const replaced = flags.with(place, "wrong.pem");
		await fail(replaced, 1, /TLS certificate and key cannot be used/);
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

function readKey(): string {
	return readFileSync(flags[3] ?? "", "utf8");
}

function encrypt(key: string): string {
	const args = ["pkey", "-aes256", "-passout", "pass:secret"];
	return spawnSync("openssl", args, { input: key }).stdout.toString();
}
