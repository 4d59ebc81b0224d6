// `petstore verify`: what it says before it runs, its reports, and its exit status. test/v1 has the cases.
import {
	afterAll,
	beforeAll,
	describe,
	expect,
	setDefaultTimeout,
	test,
} from "bun:test";
import { toRate } from "../../src/http/rate-limit.ts";
import { openService, type Service } from "../service.ts";
import { apiKey, usePlace } from "./place.ts";

setDefaultTimeout(30_000);

const place = usePlace("file");
/** A proxy cannot reach this machine. */
const env = { HTTP_PROXY: "http://127.0.0.1:9" };
const verify = (args: string) => place.run(`verify ${args}`, env);

let service: Service;
beforeAll(async () => {
	service = await openService("over a socket", { apiKey });
});
afterAll(() => service.close());
const countAnimals = async () =>
	(await (await service.call("/operator/v1/pets/count")).json()).pets;

/** A server that gives the same answer to every request. */
const answering = (answer: (request: Request) => Response) =>
	Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });

describe("before it adds anything", () => {
	test.each([
		["http://127.0.0.1:1/v1 --key x", /^petstore: No pet store .*\n$/],
		["SERVICE/v1 --key wrong", /The key of --key is refused with 401/],
		[`SERVICE --key ${apiKey}`, /the address does not end with \/v1/],
	])("refuses %s with status 2", async (args, message) => {
		const outcome = await verify(args.replace("SERVICE", service.url));
		expect(outcome).toMatchObject({ status: 2, stdout: "" });
		expect(outcome.stderr).toMatch(message);
		expect(await countAnimals()).toBe(0);
	});

	test("refuses a server that redirects", async () => {
		const elsewhere = "https://pets.example/v1/pets";
		const server = answering(() => Response.redirect(elsewhere));
		const outcome = await verify(`${server.url.origin}/v1 --key x`);
		expect(outcome).toMatchObject({ status: 2, stdout: "" });
		expect(outcome.stderr).toContain(`redirects to ${elsewhere}`);
		await server.stop(true);
	});
});

test("stops at the first add of a key that may only read, and at a 429", async () => {
	const key = await service.makeKey({ scope: "read" });
	const read = await verify(`${service.url}/v1 --key ${key}`);
	expect([read.status, read.stderr]).toEqual([
		2,
		expect.stringContaining("\npetstore: The key of --key cannot add animals"),
	]);
	await using limited = await openService("over a socket", {
		apiKey,
		rateLimit: toRate("10/h"),
	});
	const stopped = await verify(`${limited.url}/v1 --key ${apiKey}`);
	expect([stopped.status, stopped.stderr]).toEqual([
		2,
		expect.stringMatching(/\npetstore: \S+ answers 429 in case \d+: /),
	]);
});

test("adds at most the announced number, even to a server that accepts everything", async () => {
	let added = 0;
	const server = answering(({ method }) => {
		if (method !== "POST") return Response.json([]);
		added += 1;
		return Response.json({ id: added }, { status: 201 });
	});
	const { stderr } = await verify(`${server.url}v1 --key x`);
	const [, announced] = /adds at most (\d+) animals/.exec(stderr) ?? [];
	expect(added).toBeGreaterThan(100);
	expect(Number(announced)).toBeGreaterThanOrEqual(added);
	await server.stop();
});

test("asks on a terminal before it adds animals, adds none without a yes, and finds no failure of our own service", async () => {
	const command = `verify ${service.url}/v1 --key ${apiKey} --contract-only`;
	const before = await countAnimals();
	const answer = async (text: string) => {
		const terminal = place.terminal(command);
		await terminal.until(/Continue\? \[y\/N\]/);
		terminal.type(text);
		return terminal.finished();
	};
	const [status, shown] = await answer("n\r");
	expect([status, shown]).toEqual([
		2,
		expect.stringContaining("petstore: Nothing was added."),
	]);
	expect(await countAnimals()).toBe(before);
	expect((await answer("y\r"))[0]).toBe(0);
	const [passed, unasked] = await place.terminal(`${command} --yes`).finished();
	expect([passed, unasked]).toEqual([0, expect.not.stringContaining("[y/N]")]);
	expect(unasked).toMatch(/^4\.1 List animals: \d+ passed, 0 failed\r$/m);
});

test("reports a failure with its rule, a curl line without the key, the difference and the body, as text and as JSON", async () => {
	// Lists that are too long, with a name that could control a terminal.
	const server = answering(() =>
		Response.json(
			[1, 2].map((id) => ({ id, name: "Rex\u009b31m\u202e", categoryId: 1 })),
		),
	);
	const url = `${server.url.origin}/v1`;
	const { status, stdout } = await verify(`${url} --key ${apiKey}`);
	expect(status).toBe(1);
	for (const shown of [
		...["FAILED section 8: smallest `limit` | 1", "limit may be 1"],
		`-H "Authorization: Bearer $KEY" '${url}/pets?limit=1'`,
		"the list has 2 animals, more than 1",
		'the body: [{"id":1,"name":"Rex?31m?","categoryId":1},',
	])
		expect(stdout).toContain(shown);
	expect(stdout).not.toContain(apiKey);
	const failed = stdout.matchAll(/^ {4}(\d+) of \d+ cases failed/gm);
	const sum = [...failed].reduce((sum, [, count]) => sum + Number(count), 0);
	expect(stdout).toMatch(new RegExp(`\\n\\n\\d+ passed, ${sum} failed\\n$`));
	const json = await verify(`${url} --key ${apiKey} --json --contract-only`);
	const { passed, failed: wrong, results } = JSON.parse(json.stdout);
	expect(passed + wrong).toBe(results.length);
	expect(results).toContainEqual({
		...{ section: "8", rule: "smallest `limit` | 1", name: "limit may be 1" },
		...{ isAddition: false, outcome: "failed", ms: expect.any(Number) },
		curl: expect.stringMatching(/^curl /),
		problems: ["the list has 2 animals, more than 1"],
		reply: expect.stringMatching(/^HTTP 200\n/),
	});
	for (const { isAddition } of results) expect(isAddition).toBe(false);
	await server.stop();
});
