// `serve` with a certificate: HTTPS, wrong files, and clients without TLS.
import { beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { makeCertificate, makeTls } from "../harness/certificate.ts";
import { request, sendRaw } from "../harness/raw.ts";
import { apiKey, authorized, usePlace } from "./place.ts";

const place = usePlace();
let flags: string[];
let ca: string;
beforeEach(() => {
	const files = makeCertificate(place.path(), "own");
	flags = ["--tls-cert", files.certificate, "--tls-key", files.key];
	ca = readFileSync(files.certificate, "utf8");
});

test("answers HTTPS to clients that trust the certificate, reads its files only at the start, and goes on after other bytes", async () => {
	const service = await place.serve("", {
		PETSTORE_API_KEY: apiKey,
		PETSTORE_TLS_CERT: flags[1] ?? "",
		PETSTORE_TLS_KEY: flags[3] ?? "",
	});
	const { url, stop } = service;
	for (const name of ["own.crt", "own.key"])
		writeFileSync(place.path(name), "");
	expect(url).toStartWith("https://127.0.0.1:");
	for (const sent of [request("GET /healthz", []), "hello\r\n\r\n"])
		expect(await sendRaw(url, sent)).not.toContain("HTTP");
	const listed = await fetch(`${url}/v1/pets`, { ...authorized, tls: { ca } });
	expect(listed.status).toBe(200);
	await expect(fetch(`${url}/healthz`)).rejects.toThrow(/certificate/);
	expect((await stop()).status).toBe(0);
}, 30_000);

test("takes of TLS 1.2 only suites with forward secrecy and an AEAD", async () => {
	const service = await place.serve(flags);
	const { host } = new URL(service.url);
	for (const [suite, isTaken] of [
		["AES128-GCM-SHA256", true],
		["AES256-GCM-SHA384", true],
		["CHACHA20-POLY1305", true],
		["AES128-SHA", false],
		["AES256-SHA", false],
	] as const) {
		const command = `openssl s_client -connect ${host} -tls1_2 -cipher ECDHE-ECDSA-${suite} < /dev/null`;
		const { status } = await place.shell(command).finished;
		expect([suite, status === 0]).toEqual([suite, isTaken]);
	}
}, 30_000);

test("prints a curl command that works, whatever name the certificate has, and warns of no listener without TLS", async () => {
	const other = makeCertificate(place.path(), "other", "DNS:pets.example");
	const service = await place.serve([
		...["--host", "0.0.0.0"],
		...["--tls-cert", other.certificate, "--tls-key", other.key],
	]);
	const [, curl = ""] = await service.printed(/^ {2}(curl .*)$/m);
	expect((await place.shell(curl).finished).stdout).toBe("[]");
	expect(service.output().stderr).not.toContain('"warn"');
});

test.each<[string, 1 | 3, () => string]>([
	["a certificate file without one", 1, () => "hello"],
	["a key of another certificate", 3, () => makeTls(place.path(), "x").key],
])(
	"with %s, a start prints one sentence and creates nothing",
	async (_what, at, toText) => {
		writeFileSync(place.path("wrong.pem"), toText());
		const before = readdirSync(place.path());
		const args = ["serve", "--port", "0", ...flags.with(at, "wrong.pem")];
		const { status, stdout, stderr } = await place.run(args);
		expect([status, stdout]).toEqual([1, ""]);
		expect(stderr).toMatch(
			/^petstore: .*TLS certificate and key cannot be used.*\.\n$/,
		);
		expect(readdirSync(place.path())).toEqual(before);
	},
);
