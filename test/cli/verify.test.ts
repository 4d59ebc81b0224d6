// petstore verify: what it says before it runs, its reports, and its exit status.
import {
	afterAll,
	beforeAll,
	describe,
	expect,
	setDefaultTimeout,
	test,
} from "bun:test";
import { petstore as bin, run, serve } from "../harness/process.ts";
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
const announced = (text: string) =>
	Number(/adds at most (\d+) animals/.exec(text)?.[1]);

/** A server that gives the same answer to every request. */
const answering = (answer: (request: Request) => Response) =>
	Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });

describe("before it adds anything", () => {
	test.each([
		[["http://127.0.0.1:1/v1"], /--key is required/],
		[["127.0.0.1", "--key", "x"], /url must be an http or https address/],
		[["http://x/v1?a=b", "--key", "x"], /without query, fragment/],
		[["http://127.0.0.1:1/v1", "--key", "x"], /^petstore: No pet store .*\n$/],
	])(
		"refuses petstore verify %p with status 2, and says what is wrong",
		async (args, message) => {
			const { status, stdout, stderr } = await verify(...args);
			expect([status, stdout]).toEqual([2, ""]);
			expect(stderr).toMatch(message);
		},
	);

	test("refuses a wrong key, and an address without /v1", async () => {
		const { url } = await open();
		expect(await verify(`${url}/v1`, "--key", "wrong")).toMatchObject({
			status: 2,
			stderr: expect.stringContaining("The key of --key is refused with 401"),
		});
		expect(await verify(url, "--key", apiKey)).toMatchObject({
			status: 2,
			stderr: expect.stringContaining("the address does not end with /v1"),
		});
		expect(await countAnimals(url)).toBe(0);
	});

	test.each([
		["a web page", () => new Response("<html>"), /not JSON/],
		[
			"a redirect",
			() => Response.redirect("https://pets.example/v1/pets"),
			/redirects to https:\/\/pets\.example\/v1\/pets/,
		],
		["a 503", () => Response.json({}, { status: 503 }), /answers 503, not 200/],
		[
			"an endless body",
			() =>
				new Response(
					new ReadableStream({
						async pull(controller) {
							await Bun.sleep(1);
							controller.enqueue(new Uint8Array(1024 ** 2).fill(32));
						},
					}),
				),
			/more than 16 MiB/,
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
			await server.stop(true);
		},
	);

	test("stops at the first add of a key that may only read", async () => {
		const database = `sqlite:${folder.path}/scopes.db`;
		const { url } = await open("--database", database);
		const create = "keys create --name x --scope read --database".split(" ");
		const { stdout } = await run([...create, database], { cwd: folder.path });
		const { status, stderr } = await verify(
			...[`${url}/v1`, "--key", stdout.trim()],
		);
		expect(status).toBe(2);
		expect(stderr).toContain("\npetstore: The key of --key cannot add animals");
	});

	test("stops at a 429, and says that the rate limit is used up", async () => {
		const { url } = await open("--rate-limit", "10/h");
		const args = [`${url}/v1`, "--key", apiKey];
		const { status, stdout, stderr } = await verify(...args);
		expect([status, stdout]).toEqual([2, ""]);
		expect(stderr).toMatch(/\npetstore: \S+ answers 429 in case \d+: /);
	});

	test("adds at most the announced number, even to a server that accepts everything", async () => {
		let added = 0;
		const server = answering(({ method }) => {
			if (method !== "POST") return Response.json([]);
			added += 1;
			return Response.json({ id: added }, { status: 201 });
		});
		const { stderr } = await verify(`${server.url}v1`, "--key", "x");
		expect(added).toBeGreaterThan(100);
		expect(announced(stderr)).toBeGreaterThanOrEqual(added);
		await server.stop();
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

	test("asks before it adds animals, and adds none without a yes", async () => {
		const { url } = await open();
		const args = [`${url}/v1`, "--key", apiKey, "--contract-only"];
		for (const answer of ["\r", "n\r", "\u0003", "\u0004"]) {
			const { status, shown } = await onTerminal(answer, ...args);
			expect(shown).toContain("Continue? [y/N]");
			expect(shown).toContain("petstore: Nothing was added.");
			expect([answer, status]).toEqual([answer, 2]);
		}
		expect(await countAnimals(url)).toBe(0);
		const asked = await onTerminal("y\r", ...args);
		expect(asked).toMatchObject({ status: 0 });
		const unasked = await onTerminal("", ...args, "--yes");
		expect(unasked.status).toBe(0);
		expect(unasked.shown).not.toContain("[y/N]");
	});
});

describe("the report", () => {
	test("counts the cases of each section, and has no failure of our own service", async () => {
		const { url } = await open();
		const { status, stdout } = await verify(`${url}/v1`, "--key", apiKey);
		expect(status).toBe(0);
		expect(stdout).toMatch(/^4\.1 List animals: \d+ passed, 0 failed$/m);
		expect(stdout).toMatch(/\n\n\d+ passed, 0 failed\n$/);
	});

	/** A pet store whose lists are too long, with a name that could control a terminal. */
	const overfull = () =>
		answering(() =>
			Response.json(
				[1, 2].map((id) => ({ id, name: "Rex\u009b31m\u202e", categoryId: 1 })),
			),
		);

	test("shows the rule, a curl line without the key, the difference and the body of a failure", async () => {
		const server = overfull();
		const url = `${server.url.origin}/v1`;
		const { status, stdout } = await verify(url, "--key", apiKey);
		expect(status).toBe(1);
		expect(stdout).toContain(`
  FAILED section 8: smallest \`limit\` | 1
    1 of 1 cases failed: limit may be 1
    curl -i --path-as-is -H "Authorization: Bearer $KEY" '${url}/pets?limit=1'
    the list has 2 animals, more than 1
    the body: [{"id":1,"name":"Rex?31m?","categoryId":1},{"id":2,"name":"Rex?31m?","categoryId":1}]
`);
		expect(stdout).toContain(
			"\n  FAILED section 4.1, our addition: `limit`\n    14 of 14 cases failed, the first: ",
		);
		expect(stdout).not.toContain(apiKey);
		const rules = stdout.match(/^ {2}FAILED .*/gm) ?? [];
		expect(new Set(rules).size).toBe(rules.length);
		const failed = stdout.matchAll(/^ {4}(\d+) of \d+ cases failed/gm);
		const sum = [...failed].reduce((sum, [, count]) => sum + Number(count), 0);
		expect(stdout).toMatch(new RegExp(`\\n\\n\\d+ passed, ${sum} failed\\n$`));
		await server.stop();
	});

	test("--json prints it for programs, and --contract-only leaves out the cases of our additions", async () => {
		const { url } = await open();
		const args = ["--key", apiKey, "--json", "--contract-only"];
		const { stdout } = await verify(`${url}/v1/`, ...args);
		const report = JSON.parse(stdout);
		expect(report.failed).toBe(0);
		expect(report.passed).toBe(report.results.length);
		for (const { isAddition } of report.results) expect(isAddition).toBe(false);
		const server = overfull();
		const failed = await verify(`${server.url.origin}/v1`, ...args);
		expect(JSON.parse(failed.stdout).results).toContainEqual({
			name: "limit may be 1",
			section: "8",
			rule: "smallest `limit` | 1",
			isAddition: false,
			outcome: "failed",
			ms: expect.any(Number),
			curl: expect.stringMatching(/^curl /),
			problems: ["the list has 2 animals, more than 1"],
			reply: expect.stringMatching(/^HTTP 200\n/),
		});
		await server.stop();
	});
});
