// Hostile input over a raw socket. It must not crash the service, hang, get a 5xx from the service, or add an animal without a
// complete, authenticated request.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { serve, waitFor } from "../harness/process.ts";
import { connect, type RawOptions, sendRaw } from "../harness/raw.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { walk } from "../harness/walk.ts";
import {
	apiKey,
	byTheService,
	coded,
	markup,
	sized,
	toBadlyFramed,
	toOdd,
} from "./hostile-requests.ts";

const pet = '{"name":"Rex","categoryId":1}';

/** Shorter than the service's own timeouts for a connection. */
const shortTimeout: RawOptions = { timeoutMs: 2_000 };
/** The client ends its side, so the service does not wait for the rest of an incomplete request. */
const ended: RawOptions = { ...shortTimeout, end: "after sending" };

test("executes no add whose framing is ambiguous, and no add that is hidden in a body", async () => {
	await underAttack(async (url) => {
		const send = async (text: string) =>
			toAnswer(await sendRaw(url, text, shortTimeout));
		for (const text of toBadlyFramed(pet))
			expect([text, await send(text)]).toEqual([
				...[text, expect.stringMatching(/^(closed|[45]\d\d [A-Z][\w ]+)$/)],
			]);
		for (const [answer, toTexts] of Object.entries(byTheService))
			for (const text of toTexts(pet))
				expect([text, await send(text)]).toEqual([text, answer]);
		expect(await animals(url)).toEqual([]);
	});
}, 60_000);

test("adds nothing when an add is cut off after any of its bytes", async () => {
	await underAttack(async (url) => {
		// Without the last line of the chunked add, which the HTTP layer does not need.
		for (const whole of [
			sized(pet.length, pet),
			sized(`${pet.length}\r\nIdempotency-Key: k`, pet),
			coded("chunked", pet).slice(0, -2),
		])
			await eachInParallel(whole.length, async (length) => {
				const start = whole.slice(0, length);
				expect(toAnswer(await sendRaw(url, start, ended))).toMatch(
					/^(closed|400 Bad Request)$/,
				);
				await reset(url, start);
			});
		expect(await animals(url)).toEqual([]);
	});
}, 30_000);

test.each([
	["serve", apiKey],
	["sandbox", "sandbox"],
] as const)(
	"%s answers odd bytes in any part of a request with less than 500, and no page repeats them as markup",
	async (command, key) => {
		await underAttack(async (url) => {
			const requests = toOdd(key, paths);
			await eachInParallel(requests.length, async (index) => {
				const text = requests[index] ?? "";
				// Pages are long. If a request hangs, the service closes it without a reply.
				const reply = await sendRaw(url, text);
				const [start = "", ...rest] = reply.split("\r\n");
				// Bun does not take a target with a space or a control character.
				const isTarget = /^GET [^\0-\x20]+ HTTP\/1\.1\r\n/.test(text);
				const expected = isTarget ? /^HTTP\/1\.1 [234]/ : /^HTTP\/1\.1 (4|505)/;
				expect([text, start]).toEqual([text, expect.stringMatching(expected)]);
				const [head = "", body = ""] = rest.join("\r\n").split("\r\n\r\n");
				const isPage = /^content-type: text\/html/im.test(head);
				const shown = isPage ? head + body : head;
				expect([text, shown.includes(markup)]).toEqual([text, false]);
			});
		}, command);
	},
	120_000,
);

const paths = [
	...["/", "/docs", "/docs/operator", "/console", "/sandbox", "/assets/x"],
	...["/openapi.json", "/operator/openapi.json", "/healthz", "/metrics"],
	...["/v1/pets", "/v1/pets/1", "/operator/v1/pets", "/sandbox/faults"],
	"/operator/v1/sessions/current",
];

/** Runs a service as a process, attacks it, and then checks its health, its open files and its log. */
async function underAttack(
	attack: (url: string) => Promise<void>,
	command: "serve" | "sandbox" = "serve",
): Promise<void> {
	using folder = temporaryFolder();
	const options = { cwd: folder.path, env: { PETSTORE_API_KEY: apiKey } };
	const service = await serve([], options, command);
	const handles = () => readdirSync(`/proc/${service.pid}/fd`).length;
	const before = handles();
	await attack(service.url);
	expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
	await waitFor(
		() => handles() < before + 20,
		() => `the service holds ${handles()} files and connections`,
	);
	const { status, stderr } = await service.stop();
	const problems = stderr
		.trim()
		.split("\n")
		.filter((line) => !/^(\{"level":"info",|\S+Z info )/.test(line));
	expect({ status, problems }).toEqual({ status: 0, problems: [] });
}

/** The names in the catalogue, after a short wait: an add goes on after its connection has closed. */
async function animals(url: string): Promise<string[]> {
	await Bun.sleep(200);
	return (await walk(url, apiKey)).map(([name]) => name);
}

/** The status lines that arrived. The code of an Error body replaces the reason phrase. */
function toAnswer(received: string): string {
	if (!received.startsWith("HTTP/1.1 ")) return received || "closed";
	return received
		.split(/HTTP\/1\.1 (?=\d{3} )/)
		.slice(1)
		.map((reply) => {
			const [, code] = /\r\n\r\n\{"code":"(\w+)"/.exec(reply) ?? [];
			return code === undefined
				? reply.split("\r\n", 1).join()
				: `${reply.slice(0, 3)} ${code}`;
		})
		.join(" + ");
}

/** Calls with 0, 1, 2 and so on, 64 calls at the same time. */
async function eachInParallel(
	count: number,
	call: (index: number) => Promise<void>,
): Promise<void> {
	let next = 0;
	const caller = async () => {
		while (next < count) await call(next++);
	};
	await Promise.all(Array.from({ length: 64 }, caller));
}

/** Sends the text and resets the connection. */
async function reset(url: string, text: string): Promise<void> {
	const socket = connect(url).on("error", () => {});
	await new Promise((resolve) => socket.write(text, "latin1", resolve));
	socket.resetAndDestroy();
}
