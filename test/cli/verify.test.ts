// petstore verify: what it says before it runs, its reports, and its exit status.
import {
	afterAll,
	beforeAll,
	describe,
	expect,
	setDefaultTimeout,
	test,
} from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCertificate } from "../harness/certificate.ts";
import { petstore as bin, run, serve } from "../harness/process.ts";
import { startScriptedServer } from "../harness/scripted-server.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { walk } from "../harness/walk.ts";

// Each test starts several processes.
setDefaultTimeout(30_000);

const apiKey = "a-key-known-to-the-tests";
let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
	folder = temporaryFolder();
});
afterAll(() => folder.remove());

const verify = (...args: string[]) =>
	run(["verify", ...args], {
		cwd: folder.path,
		// A proxy cannot reach this machine.
		env: { HTTP_PROXY: "http://127.0.0.1:9" },
	});

const open = (...args: string[]) =>
	serve(["--database", "sqlite::memory:", ...args], {
		cwd: folder.path,
		env: { PETSTORE_API_KEY: apiKey },
	});

const countAnimals = async (url: string) => (await walk(url, apiKey)).length;

/** The number in "at most N animals". */
const announced = (stderr: string) =>
	Number(/adds at most (\d+) animals/.exec(stderr)?.[1]);

/** A server that gives the same answer to every request. */
const answering = (answer: () => Response) =>
	Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });

describe("before it adds anything", () => {
	test.each([
		[["--key", "x"], /missing required argument 'url'/],
		[["http://127.0.0.1:1/v1"], /'--key <key>' not specified/],
		[["127.0.0.1", "--key", "x"], /an http or https URL/],
		[["http://x/v1?a=b", "--key", "x"], /without query, fragment/],
		[
			["http://x", "--key", "x", "--only", "zebra"],
			/No case matches --only "zebra"/,
		],
		[
			["http://x", "--key", "x", "--cacert", "none.pem"],
			/^petstore: --cacert none\.pem .*no such file/,
		],
	])(
		"refuses petstore verify %p with status 2, and says what is wrong",
		async (args, message) => {
			const { status, stdout, stderr } = await verify(...args);
			expect([status, stdout]).toEqual([2, ""]);
			expect(stderr).toMatch(message);
		},
	);

	test("refuses an address where nothing listens, with one sentence", async () => {
		const server = answering(() => new Response());
		const { origin } = server.url;
		await server.stop();
		expect(await verify(`${origin}/v1`, "--key", "x")).toEqual({
			status: 2,
			stdout: "",
			stderr: `petstore: Nothing listens at ${origin}: start the service, or correct the address.\n`,
		});
	});

	test("refuses a server that does not speak HTTP, with one sentence", async () => {
		const server = await startScriptedServer({
			text: "SSH-2.0-server\r\n\r\n",
		});
		expect(await verify(`${server.url}/v1`, "--key", "x")).toEqual({
			status: 2,
			stdout: "",
			stderr: `petstore: ${server.url} does not speak HTTP: correct the address.\n`,
		});
		server.close();
	});

	test("refuses a wrong --key or --read-key with one sentence", async () => {
		const { url } = await open();
		expect(await verify(`${url}/v1`, "--key", "wrong")).toEqual({
			status: 2,
			stdout: "",
			stderr: `petstore: The key of --key is refused with 401: give a valid API key of ${url}/v1.\n`,
		});
		const keys = ["--key", apiKey, "--read-key", "wrong"];
		expect(await verify(`${url}/v1`, ...keys)).toMatchObject({
			status: 2,
			stderr: expect.stringContaining("The key of --read-key is refused"),
		});
		expect(await countAnimals(url)).toBe(0);
	});

	test("refuses an address that does not end with /v1, and suggests the right one", async () => {
		const { url } = await open();
		for (const [path, shown] of [
			["/", ""],
			["/v1/pets", "/v1/pets"],
		])
			expect(await verify(url + path, "--key", apiKey)).toEqual({
				status: 2,
				stdout: "",
				stderr: `petstore: GET ${url}${shown}/pets answers 404: the address does not end with /v1. Try ${url}/v1.\n`,
			});
	});

	test.each([
		[
			"a web page",
			() =>
				new Response("<html>", { headers: { "Content-Type": "text/html" } }),
			/answers 200 with a body that is not JSON: there is no pet store/,
		],
		[
			"a redirect",
			() => Response.redirect("https://pets.example/v1/pets"),
			/answers 302 and redirects to https:\/\/pets\.example\/v1\/pets: /,
		],
		[
			"a 404 below /v1",
			() => new Response("", { status: 404 }),
			/answers 404, not 200: there is no pet store at this address/,
		],
		[
			"a 503",
			() => Response.json({}, { status: 503 }),
			/answers 503, not 200: .* or it does not work now/,
		],
	])(
		"refuses a server that answers with %s, with one sentence",
		async (_what, answer, message) => {
			const server = answering(answer);
			const url = `${server.url.origin}/v1`;
			const { status, stdout, stderr } = await verify(url, "--key", "x");
			expect([status, stdout]).toEqual([2, ""]);
			expect(stderr).toMatch(message);
			expect(stderr).toMatch(/^petstore: .*\n$/);
			await server.stop();
		},
	);

	test("refuses a key that may only read, at the first animal", async () => {
		const database = `sqlite:${folder.path}/scopes.db`;
		const { url } = await open("--database", database);
		const create = "keys create --name x --scope read --database".split(" ");
		const { stdout } = await run([...create, database], { cwd: folder.path });
		const key = stdout.trim();
		const { status, stderr } = await verify(`${url}/v1`, "--key", key);
		expect(status).toBe(2);
		expect(stderr).toEndWith(
			"\npetstore: The key of --key cannot add animals; give a key with the scope read-write.\n",
		);
	});

	test("stops at a 429, and says that the rate limit is used up", async () => {
		const { url } = await open("--rate-limit", "10/h");
		const { status, stdout, stderr } = await verify(
			`${url}/v1`,
			"--key",
			apiKey,
		);
		expect([status, stdout]).toEqual([2, ""]);
		expect(stderr).toMatch(
			/\npetstore: http:\S+\/v1 answers 429 in case \d+: .* Raise the limit, .*\n$/,
		);
	});

	test("refuses a --junit file that it cannot write, with one sentence", async () => {
		const { url } = await open();
		for (const file of ["nowhere/report.xml", "."]) {
			const args = [`${url}/v1`, "--key", apiKey, "--junit", file];
			const { status, stdout, stderr } = await verify(...args);
			expect([status, stdout]).toEqual([2, ""]);
			expect(stderr).toMatch(/^petstore: --junit \S+ cannot be written: .*\n$/);
		}
		expect(await countAnimals(url)).toBe(0);
	});

	test("does not touch the --junit file if it cannot run the cases", async () => {
		writeFileSync(join(folder.path, "old.xml"), "old");
		for (const file of ["old.xml", "new.xml"])
			await verify("http://127.0.0.1:1/v1", "--key", "x", "--junit", file);
		expect(readFileSync(join(folder.path, "old.xml"), "utf8")).toBe("old");
		expect(existsSync(join(folder.path, "new.xml"))).toBe(false);
	});

	test("says how many animals it adds at most", async () => {
		const { url } = await open();
		const args = [`${url}/v1`, "--key", apiKey, "--contract-only"];
		const { stderr } = await verify(...args);
		const added = await countAnimals(url);
		expect(added).toBeGreaterThan(20);
		expect(announced(stderr)).toBeGreaterThanOrEqual(added);
		const reading = await verify(...args, "--only", "limit may be 1");
		expect(reading.stderr).toBe(
			`2 cases will run against ${url}/v1.\nThis adds no animals.\n`,
		);
	});

	test("adds at most the announced number, even to a server that accepts everything", async () => {
		let added = 0;
		const server = Bun.serve({
			port: 0,
			hostname: "127.0.0.1",
			fetch({ method }) {
				if (method === "POST") added += 1;
				return method === "POST"
					? Response.json({ id: added }, { status: 201 })
					: Response.json([]);
			},
		});
		const { stderr } = await verify(`${server.url}v1`, "--key", "x");
		expect(added).toBeGreaterThan(100);
		expect(announced(stderr)).toBeGreaterThanOrEqual(added);
		await server.stop();
	});
});

describe("a server that sends endless bodies", () => {
	/** Sends `count` empty lists first. Counts the bytes of the endless bodies. */
	function endlessAfter(count: number) {
		let [replies, sent] = [0, 0];
		const chunk = new Uint8Array(1024 ** 2).fill(32);
		const server = answering(() => {
			replies += 1;
			if (replies <= count) return Response.json([]);
			return new Response(
				new ReadableStream({
					async pull(controller) {
						await Bun.sleep(1);
						sent += chunk.length;
						controller.enqueue(chunk);
					},
				}),
			);
		});
		return { url: `${server.url.origin}/v1`, server, sent: () => sent };
	}

	test("is no pet store", async () => {
		const { url, server, sent } = endlessAfter(0);
		expect(await verify(url, "--key", "x")).toEqual({
			status: 2,
			stdout: "",
			stderr: `petstore: ${server.url.origin} sends no list of animals: the body has more than 16 MiB. There is no pet store at this address.\n`,
		});
		expect(sent()).toBeLessThan(100 * 1024 ** 2);
		await server.stop(true);
	});

	test("fails the case, and the next case runs", async () => {
		const { url, server } = endlessAfter(1);
		const args = [url, "--key", "x", "--only", "limit may be 1"];
		const { status, stdout } = await verify(...args);
		expect(status).toBe(1);
		expect(stdout).toContain("the body has more than 16 MiB");
		expect(stdout).toEndWith("\n0 passed, 2 failed, 0 skipped\n");
		await server.stop(true);
	});
});

describe("on a terminal", () => {
	/** Types the answer when the question is there, and returns what the terminal showed. */
	async function onTerminal(answer: string, ...args: string[]) {
		let shown = "";
		const child = Bun.spawn([bin, "verify", ...args], {
			cwd: folder.path,
			// Ends a process that waits for an answer that a failed test does not give.
			timeout: 20_000,
			terminal: {
				cols: 80,
				data(terminal, bytes) {
					const isAsked = shown.includes("[y/N]");
					shown += new TextDecoder().decode(bytes);
					if (!isAsked && shown.includes("[y/N]")) terminal.write(answer);
				},
			},
		});
		return { status: await child.exited, shown };
	}
	const only = ["--key", apiKey, "--only", "createPet accepts and returns"];

	test("asks before it adds animals, and adds none without a yes", async () => {
		const { url } = await open();
		for (const answer of ["\r", "n\r", "\u0003", "\u0004"]) {
			const { status, shown } = await onTerminal(answer, `${url}/v1`, ...only);
			expect(shown).toContain("adds at most 3 animals");
			expect(shown).toContain("Continue? [y/N]");
			expect(shown).toContain("petstore: Nothing was added.");
			expect([answer, status]).toEqual([answer, 2]);
		}
		expect(await countAnimals(url)).toBe(0);
	});

	test("goes on after a yes", async () => {
		const { url } = await open();
		const { status, shown } = await onTerminal("y\r", `${url}/v1`, ...only);
		expect(shown).toContain("3 passed, 0 failed, 0 skipped");
		expect(status).toBe(0);
		expect(await countAnimals(url)).toBe(3);
	});

	test("says on a line of its own why it stops", async () => {
		const { url } = await open("--rate-limit", "10/h");
		const args = [`${url}/v1`, "--key", apiKey, "--yes"];
		const { shown } = await onTerminal("", ...args);
		expect(shown).toMatch(/\r\d+ of \d+\r\npetstore: .* answers 429 in case /);
	});

	test("does not ask with --yes, or if it adds no animals", async () => {
		const { url } = await open();
		for (const args of [
			[...only, "--yes"],
			["--key", apiKey, "--only", "limit may be 1"],
		]) {
			const { status, shown } = await onTerminal("", `${url}/v1`, ...args);
			expect(shown).not.toContain("[y/N]");
			expect(status).toBe(0);
		}
	});
});

describe("the report", () => {
	test("shows the counts of each section, and names the skipped cases with the reason", async () => {
		const { url } = await open();
		const { status, stdout } = await verify(`${url}/v1`, "--key", apiKey);
		expect(status).toBe(0);
		expect(stdout).toMatch(
			/^4\.1 List animals: \d+ passed, 0 failed, 0 skipped$/m,
		);
		expect(stdout).toMatch(
			/\nSkipped:\n {2}5 {3}a read key may list .*\n {6}\(it needs a key that may only read: give --read-key\)\n\n\d+ passed, 0 failed, 1 skipped\n$/,
		);
	});

	/** A pet store whose lists are too long. */
	const overfull = () =>
		answering(() =>
			Response.json(
				[1, 2].map((id) => ({ id, name: "Rex", categoryId: 1 })),
				{ headers: { "X-Served-By": "the test" } },
			),
		);

	test("shows the rule, a curl line, the difference and the body of a failure, and ends with the titles", async () => {
		const server = overfull();
		const url = `${server.url.origin}/v1`;
		const args = [url, "--key", apiKey, "--only", "limit may be 1"];
		const { status, stdout } = await verify(...args);
		expect(status).toBe(1);
		expect(stdout).toBe(`8 Limits: 1 passed, 1 failed, 0 skipped

  FAILED limit may be 1
    rule: docs/interface.md#8-limits (section 8: Limits)
    curl -i --path-as-is -H "Authorization: Bearer $KEY" '${url}/pets?limit=1'
    the list has 2 animals, more than 1
    the body: [{"id":1,"name":"Rex","categoryId":1},{"id":2,"name":"Rex","categoryId":1}]

Failed:
  8   limit may be 1

1 passed, 1 failed, 0 skipped
`);
		await server.stop();
	});

	test("shows the headers of the reply with --verbose", async () => {
		const server = overfull();
		const args = ["--key", apiKey, "--only", "limit may be 1", "--verbose"];
		const { stdout } = await verify(`${server.url.origin}/v1`, ...args);
		expect(stdout).toContain("\n    > HTTP 200\n");
		expect(stdout).toContain("\n    > x-served-by: the test\n");
		await server.stop();
	});

	test("names the row of docs/decisions.md for a case of our additions", async () => {
		const server = answering(() => Response.json([]));
		const args = ["--key", "x", "--only", "limit=101"];
		const { stdout } = await verify(`${server.url.origin}/v1`, ...args);
		expect(stdout).toContain(
			"\n    rule: docs/decisions.md, an addition to section 4.1: `limit`\n",
		);
		await server.stop();
	});

	test("shows $KEY in place of the key, and nowhere else", async () => {
		const server = answering(() => Response.json({}));
		const url = `${server.url.origin}/v1`;
		const args = ["--key", "a", "--read-key", "p", "--only"];
		const read = await verify(url, ...args, "limit may be 100");
		expect(read.stdout).toContain(
			`curl -i --path-as-is -H "Authorization: Bearer $KEY" '${url}/pets?limit=100'\n`,
		);
		const scopes = await verify(url, ...args, "a read key may");
		expect(scopes.stdout).toContain(
			`-X POST -H "Authorization: Bearer $READ_KEY" -H 'Content-Type: application/json' --data-binary '{"name":"Forbidden","categoryId":1}' '${url}/pets'\n`,
		);
		const schemes = await verify(url, ...args, 'Bearer "KEY"');
		expect(schemes.stdout).toContain(
			`-H "Authorization: Bearer \\"$KEY\\"" '${url}/pets?limit=1'\n`,
		);
		await server.stop();
	});

	test("hides a key that the server repeats", async () => {
		const server = Bun.serve({
			port: 0,
			hostname: "127.0.0.1",
			fetch: ({ headers }) =>
				Response.json([headers.get("Authorization")], {
					headers: { "X-Key": headers.get("Authorization") ?? "" },
				}),
		});
		const args = ["--key", apiKey, "--only", "limit may be 1"];
		for (const format of ["--verbose", "--json"]) {
			const url = `${server.url.origin}/v1`;
			const { stdout } = await verify(url, ...args, format);
			expect(stdout).toContain("Bearer $KEY");
			expect(stdout).not.toContain(apiKey);
		}
		await server.stop();
	});

	test("replaces characters of a reply that control a terminal or reverse the line", async () => {
		const server = answering(() => Response.json(["\u009b31m\u202e"]));
		const args = ["--key", "x", "--only", "limit may be 1"];
		const { stdout } = await verify(`${server.url.origin}/v1`, ...args);
		expect(stdout).toContain('the body: ["?31m?"]');
		await server.stop();
	});

	test("--json prints it for programs, and --contract-only leaves out the cases of our additions", async () => {
		const { url } = await open();
		const args = ["--key", apiKey, "--json", "--contract-only"];
		const { stdout } = await verify(`${url}/v1/`, ...args);
		const report = JSON.parse(stdout);
		expect(report).toMatchObject({ failed: 0, skipped: 0 });
		expect(report.passed).toBe(report.results.length);
		for (const { addition } of report.results) expect(addition).toBeNull();
	});

	test("--json prints the curl line, the problems and the reply of a failure, and the reason of a skip", async () => {
		const server = overfull();
		const args = ["--key", "x", "--json", "--only"];
		const url = `${server.url.origin}/v1`;
		const failed = JSON.parse(
			(await verify(url, ...args, "limit may be 1")).stdout,
		);
		expect(failed.results[0]).toEqual({
			name: "limit may be 1",
			section: "8",
			addition: null,
			outcome: "failed",
			ms: expect.any(Number),
			curl: expect.stringMatching(/^curl /),
			problems: ["the list has 2 animals, more than 1"],
			reply: expect.stringMatching(/^HTTP 200\n/),
		});
		const skipped = JSON.parse((await verify(url, ...args, "Scope")).stdout);
		expect(skipped.results[0]).toMatchObject({
			outcome: "skipped",
			skipReason: "it needs a key that may only read: give --read-key",
		});
		await server.stop();
	});

	test("--junit writes it for continuous integration", async () => {
		const server = overfull();
		const only = ["--only", "limit may be 1", "--junit", "report.xml"];
		await verify(`${server.url.origin}/v1`, "--key", "x", ...only);
		const report = readFileSync(join(folder.path, "report.xml"), "utf8");
		expect(report).toMatch(
			/<testsuite [^>]*tests="2" failures="1" skipped="0">\n<testcase /,
		);
		expect(report).toContain(
			'<failure message="the list has 2 animals, more than 1">curl ',
		);
		await server.stop();
	});
});

describe("--cacert", () => {
	test("trusts a service by this certificate", async () => {
		const { certificate, key } = makeCertificate(folder.path, "own");
		const { url } = await open("--tls-cert", certificate, "--tls-key", key);
		const args = [`${url}/v1`, "--key", apiKey, "--only", "limit may be 1"];
		expect(await verify(...args)).toMatchObject({
			status: 2,
			stderr: expect.stringMatching(
				/^petstore: The certificate of https:\S+ is not trusted \(.*\): .* --cacert FILE\.\n$/,
			),
		});
		expect(await verify(...args, "--cacert", certificate)).toMatchObject({
			status: 0,
			stdout: expect.stringContaining("2 passed, 0 failed"),
		});
	});

	test("appears in the curl lines", async () => {
		const { certificate, key } = makeCertificate(folder.path, "of a test");
		const server = Bun.serve({
			port: 0,
			hostname: "127.0.0.1",
			tls: { cert: readFileSync(certificate), key: readFileSync(key) },
			fetch: () => Response.json({}),
		});
		const args = ["--key", "x", "--cacert", certificate, "--only", "limit may"];
		const { stdout } = await verify(`${server.url.origin}/v1`, ...args);
		expect(stdout).toContain(
			`curl -i --path-as-is --cacert '${certificate}' -H "Authorization`,
		);
		await server.stop();
	});

	test("refuses a file that is no certificate", async () => {
		writeFileSync(join(folder.path, "text.pem"), "text");
		const args = ["https://127.0.0.1:1/v1", "--key", "x"];
		expect(await verify(...args, "--cacert", "text.pem")).toMatchObject({
			status: 2,
			stderr: expect.stringMatching(
				/^petstore: --cacert text\.pem is not a certificate in PEM form\.\n$/,
			),
		});
	});
});
