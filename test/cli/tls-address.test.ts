// The address and the curl command that a service with TLS prints: curl accepts the certificate there.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { toCurlExample } from "../../src/cli/curl.ts";
import { toCertifiedHost } from "../../src/http/server/tls.ts";
import { makeCertificate } from "../harness/certificate.ts";
import { serve, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
	folder = temporaryFolder();
});
afterAll(() => folder.remove());

const localCases = [
	["127.0.0.1", "IP:127.0.0.1", "127.0.0.1"],
	["127.0.0.1", "DNS:pets.example,DNS:localhost", "localhost"],
	["0.0.0.0", "DNS:localhost", "localhost"],
	["localhost", "DNS:localhost", "localhost"],
] as const;

const foreignCases = [
	["127.0.0.1", "DNS:pets.example,DNS:www.pets.example", "pets.example"],
	["0.0.0.0", "DNS:pets.example", "pets.example"],
	["127.0.0.1", "DNS:*.pets.example", "petstore.pets.example"],
	["127.0.0.1", "IP:192.0.2.1", "192.0.2.1"],
	["localhost", "IP:192.0.2.1", "192.0.2.1"],
] as const;

/** Starts a service, runs the curl command that it prints, and returns everything. */
async function tryFirstKey(host: string, names: string) {
	const { certificate, key } = makeCertificate(folder.path, "own file's", {
		names,
	});
	const { url, output, kill, finished } = await serve(
		[
			...["--host", host, "--database", "sqlite::memory:"],
			...["--tls-cert", certificate, "--tls-key", key],
		],
		{ cwd: folder.path },
	);
	const curl = await waitFor(
		() => /^ {2}(curl .*)$/m.exec(output().stdout)?.[1],
		() => output().stdout,
	);
	const reply = execFileSync("sh", ["-c", curl], { stdio: "pipe" }).toString();
	kill("SIGTERM");
	const { stdout } = await finished;
	return { hostname: new URL(url).hostname, curl, reply, stdout };
}

test.each(localCases)(
	"on %s with a certificate for %s, prints an address at %s and a curl command that works",
	async (host, names, expected) => {
		const { hostname, curl, reply } = await tryFirstKey(host, names);
		expect([hostname, reply]).toEqual([expected, "[]"]);
		expect(curl).not.toContain("--connect-to");
	},
);

test.each(foreignCases)(
	"on %s with a certificate for %s, prints an address at %s and a curl command for this machine",
	async (host, names, expected) => {
		const { hostname, curl, reply, stdout } = await tryFirstKey(host, names);
		expect([hostname, reply]).toEqual([expected, "[]"]);
		const here = host === "localhost" ? host : "127.0.0.1";
		expect(curl).toContain(` --connect-to ::${here}: `);
		expect(stdout).toContain(
			`The certificate is for ${expected} and not for ${here}, so --connect-to`,
		);
	},
);

test("prints an IPv6 address with its zone in the curl command", () => {
	const address = { host: "fe80::1%eth0", port: 80 };
	const url = "http://[fe80::1%eth0]:80";
	expect(toCurlExample(url, "key", address)).toBe(
		`  curl -H "Authorization: Bearer key" ${url}/v1/pets\n`,
	);
});

describe("the host of the printed address", () => {
	const certificate = (subject: string, names: string) => {
		const options = { subject, names };
		const made = makeCertificate(folder.path, "other", options);
		return readFileSync(made.certificate, "utf8");
	};

	test.each([
		["/CN=pets.example", "", "127.0.0.1", "pets.example"],
		["/CN=My pets", "", "127.0.0.1", "127.0.0.1"],
		["/CN=x", "IP:::1", "::1", "::1"],
		["/", "DNS:b.example", "127.0.0.1", "b.example"],
		["/CN=x", "IP:fe80::1", "fe80::1%eth0", "fe80::1%eth0"],
		["/CN=x", "DNS:*.pets.example", "a.pets.example", "a.pets.example"],
		["/CN=x", "DNS:*.x.example,DNS:b.example", "::1", "b.example"],
		["/CN=x", "IP:192.0.2.1,DNS:b.example", "::1", "b.example"],
		["/CN=x", "IP:2001:db8::1", "127.0.0.1", "2001:db8:0:0:0:0:0:1"],
		["/O=pets", "email:a@b.example", "127.0.0.1", "127.0.0.1"],
	])(
		"with the subject %s, the names %j and the host %s is %s",
		(subject, names, host, expected) => {
			expect(toCertifiedHost(certificate(subject, names), host)).toBe(expected);
		},
	);

	test("comes from the first certificate of a chain", () => {
		const own = `${folder.path}/chain.crt`;
		makeCertificate(folder.path, "chain", { names: "DNS:own.example" });
		appendFileSync(own, certificate("/CN=x", "DNS:authority.example"));
		const chain = `a comment\n${readFileSync(own, "utf8")}`;
		expect(toCertifiedHost(chain, "127.0.0.1")).toBe("own.example");
	});
});
