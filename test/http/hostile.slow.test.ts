// Hostile input over a raw socket. It must not crash the service, hang, get a 5xx from the service, or add an animal without a
// complete, authenticated request.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { serve, waitFor } from "../harness/process.ts";
import { connect, type RawOptions, sendRaw } from "../harness/raw.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { walk } from "../harness/walk.ts";
import { apiKey, byTheService, toBadlyFramed } from "./hostile-requests.ts";
import { mutate, validRequests } from "./mutation.ts";
import { requestedNames, startsWithRequest } from "./parse-requests.ts";
import { createRandom } from "./random.ts";

const mutants = Number(process.env.HOSTILE_REQUESTS ?? 30_000);
/** The same in each run, so that only a change of the code can make the test fail. Another seed gives other mutations. */
const seed = Number(process.env.HOSTILE_SEED ?? 1);

/** Shorter than the service's own timeouts for a connection. */
const shortTimeout: RawOptions = { timeoutMs: 2_000 };
/** The client ends its side, so the service does not wait for the rest of an incomplete request. */
const ended: RawOptions = { ...shortTimeout, end: "after sending" };

test("executes no add whose framing is ambiguous, and no add that is hidden in a body", async () => {
	await underAttack(async (url) => {
		const pet = '{"name":"Rex","categoryId":1}';
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
		const { add, addOnce, addChunked } = validRequests(apiKey, "cut-off");
		// Without the last line of the chunked add, which the HTTP layer does not need.
		for (const whole of [add, addOnce, addChunked.slice(0, -2)])
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

test(
	`adds only the animals of complete, authenticated requests among ${mutants} mutated ones (HOSTILE_SEED=${seed})`,
	async () => {
		await underAttack(async (url) => {
			const random = createRandom(seed);
			const texts: string[] = [];
			const requested: string[] = [];
			const added: string[] = [];
			const answers = new Set<string>();
			await eachInParallel(mutants, async (index) => {
				const name = `animal-${index}`;
				const valid = validRequests(apiKey, name);
				const corpus = Object.values(valid);
				// Some requests stay valid, to show that valid adds succeed in this test.
				const isValid = index % 100 === 0;
				const sent = isValid
					? valid.add
					: mutate(corpus[index % corpus.length] ?? "", corpus, random);
				texts.push(sent);
				requested.push(...requestedNames(sent, apiKey));
				// Bun drops a request when its client ends the connection, so only a connection that stays open shows a hang.
				const options = startsWithRequest(sent) ? shortTimeout : ended;
				const answer = toAnswer(
					await sendRaw(url, sent, options).catch((error) => String(error)),
				);
				answers.add(answer);
				if (!isHarmless.test(answer) || (isValid && answer !== "201 Created"))
					throw new Error(`${answer} is the answer to ${JSON.stringify(sent)}`);
				if (isValid) added.push(name);
			});
			const names = await animals(url);
			const unrequested = surplus(names, requested);
			expect(
				unrequested.map((name) => [
					name,
					texts.filter((text) => text.includes(name)),
				]),
			).toEqual([]);
			expect(surplus(added, names)).toEqual([]);
			// The HTTP layer refuses some of the mutations, and others reach the service.
			expect([...answers]).toEqual(
				expect.arrayContaining([
					"closed",
					"400 Bad Request",
					"400 invalid_body",
					"401 unauthenticated",
					"201 Created",
				]),
			);
		});
	},
	60_000 + mutants * 5,
);

/** Runs a service as a process, attacks it, and then checks its health, its open files and its log. */
async function underAttack(
	attack: (url: string) => Promise<void>,
): Promise<void> {
	const folder = temporaryFolder();
	const service = await serve([], {
		cwd: folder.path,
		env: { PETSTORE_API_KEY: apiKey },
	});
	const handles = () => readdirSync(`/proc/${service.pid}/fd`).length;
	const before = handles();
	await attack(service.url);
	expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
	await waitFor(
		() => handles() < before + 20 || undefined,
		() => `the service holds ${handles()} files and connections`,
	);
	service.kill("SIGTERM");
	const { status, stderr } = await service.finished;
	const problems = stderr
		.trim()
		.split("\n")
		.filter((line) => !line.startsWith('{"level":"info",'));
	expect({ status, problems }).toEqual({ status: 0, problems: [] });
	folder.remove();
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

/** The HTTP layer answers 505 if the first line does not end in HTTP/1.0 or HTTP/1.1. */
const isHarmless =
	/^(closed|(([1-4]\d\d [\w ]+|505 HTTP Version Not Supported)( \+ |$))+)$/;

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

/** The names that are in the first list more often than in the second. */
function surplus(
	names: readonly string[],
	allowed: readonly string[],
): string[] {
	const left = new Map<string, number>();
	for (const name of allowed) left.set(name, (left.get(name) ?? 0) + 1);
	return names.filter((name) => {
		const count = left.get(name) ?? 0;
		left.set(name, count - 1);
		return count <= 0;
	});
}
