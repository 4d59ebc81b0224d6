// Hostile input over a raw socket: nothing of it crashes the service, hangs, gets a 5xx or adds an animal that no whole,
// authenticated request asked for. What the HTTP layer answers by itself is what docs/decisions.md says.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { root, serve, waitFor } from "../../harness/process.ts";
import {
	askedFor,
	connect,
	isWhole,
	type RawOptions,
	sendRaw,
} from "../../harness/raw.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import { walk } from "../../harness/writers.ts";
import {
	apiKey,
	byTheHttpLayer,
	byTheHttpLayerDripping,
	byTheHttpLayerInTime,
	byTheService,
	lateBodies,
	type Rows,
} from "./hostile-requests.ts";
import { createRandom, mutate, validRequests } from "./mutation.ts";

const mutants = Number(process.env.HOSTILE_REQUESTS ?? 30_000);
/** The same in each run, so that only a change of ours turns it red; another looks further. */
const seed = Number(process.env.HOSTILE_SEED ?? 1);

/** Shorter than any time after which the service gives up by itself, and longer than all of them. */
const prompt: RawOptions = { deadlineMs: 2_000 };
const patient: RawOptions = { deadlineMs: 18_000 };
/** Nothing more will come, so that nobody waits for the rest of what is not whole. */
const ended: RawOptions = { ...prompt, end: "at once" };

test("what the HTTP layer answers by itself is what docs/decisions.md says", async () => {
	await underAttack(async (url) => {
		const outcomes = await Promise.all([
			outcomesOf(url, byTheHttpLayer, prompt),
			outcomesOf(url, byTheHttpLayerInTime, patient),
			outcomesOf(url, byTheHttpLayerDripping, { ...patient, dripMs: 500 }),
		]);
		expect(Object.assign({}, ...outcomes)).toEqual(documented());
	});
}, 30_000);

test("what the service refuses by itself gets its Error body, and adds nothing", async () => {
	await underAttack(async (url) => {
		for (const [answer, rows] of Object.entries(byTheService))
			expect(await outcomesOf(url, rows, prompt)).toEqual(
				eachWith(answer, rows),
			);
		expect(await animals(url)).toEqual([]);
	});
}, 30_000);

test("a body that does not arrive is a 408 and adds nothing, however it is framed", async () => {
	await underAttack(async (url) => {
		expect(await outcomesOf(url, lateBodies, patient)).toEqual(
			eachWith("408 request_timeout", lateBodies),
		);
		expect(await animals(url)).toEqual([]);
	});
}, 30_000);

test("an add that is cut off after any of its bytes adds nothing", async () => {
	await underAttack(async (url) => {
		const { add, addOnce, addChunked } = validRequests(apiKey, "cut-off");
		// Of the chunked one also the last line: without it, the HTTP layer takes the request for whole.
		for (const whole of [add, addOnce, addChunked.slice(0, -2)])
			await eachAtOnce(whole.length, async (length) => {
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
	`${mutants} mutated requests add what whole, authenticated ones among them ask for, and nothing else (HOSTILE_SEED=${seed})`,
	async () => {
		console.log(`HOSTILE_SEED=${seed}`);
		await underAttack(async (url) => {
			const random = createRandom(seed);
			const texts: string[] = [];
			const asked: string[] = [];
			const added: string[] = [];
			const answers = new Set<string>();
			await eachAtOnce(mutants, async (index) => {
				const name = `animal-${index}`;
				const valid = validRequests(apiKey, name);
				const corpus = Object.values(valid);
				// Some are left as they are: the canary must be seen to sing.
				const isValid = index % 100 === 0;
				const sent = isValid
					? valid.add
					: mutate(corpus[index % corpus.length] ?? "", corpus, random);
				texts.push(sent);
				asked.push(...askedFor(sent, apiKey));
				// Bun drops a request whose caller has ended its side, so only one that is left open shows a hang.
				const options = isWhole(sent) ? prompt : ended;
				const answer = toAnswer(
					await sendRaw(url, sent, options).catch((error) => String(error)),
				);
				answers.add(answer);
				if (!isHarmless.test(answer) || (isValid && answer !== "201 Created"))
					throw new Error(`${answer} is the answer to ${JSON.stringify(sent)}`);
				if (isValid) added.push(name);
			});
			const names = await animals(url);
			const unasked = surplus(names, asked);
			expect(
				unasked.map((name) => [
					name,
					texts.filter((text) => text.includes(name)),
				]),
			).toEqual([]);
			expect(surplus(added, names)).toEqual([]);
			// The mutations reach past the HTTP layer, and into it.
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

/** Runs a service as a process, attacks it, and holds it to what must be true after any attack. */
async function underAttack(
	attack: (url: string) => Promise<void>,
): Promise<void> {
	const folder = temporaryFolder();
	const service = await serve([], {
		cwd: folder.path,
		env: { API_KEY: apiKey },
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
	const complaints = stderr
		.trim()
		.split("\n")
		.filter((line) => !line.startsWith('{"level":"info",'));
	expect({ status, complaints }).toEqual({ status: 0, complaints: [] });
	folder.remove();
}

/** The answers to each row, and whether its animals were added. */
async function outcomesOf(
	url: string,
	rows: Rows,
	options: RawOptions,
): Promise<Record<string, string>> {
	const answers = await Promise.all(
		Object.entries(rows).map(async ([title, row]) => {
			const texts = row(JSON.stringify({ name: title, categoryId: 1 }));
			const replies = await Promise.all(
				texts.map((text) => sendRaw(url, text, options)),
			);
			return {
				title,
				sent: texts.length,
				answers: new Set(replies.map(toAnswer)),
			};
		}),
	);
	const names = await animals(url);
	return Object.fromEntries(
		answers.map(({ title, sent, answers }) => {
			const added = names.filter((name) => name === title).length;
			const addition =
				added === 0
					? []
					: added === sent
						? ["added"]
						: [`${added} of ${sent} added`];
			return [title, [...answers, ...addition].join(", ")];
		}),
	);
}

function eachWith(answer: string, rows: Rows): Record<string, string> {
	return Object.fromEntries(Object.keys(rows).map((title) => [title, answer]));
}

/** The names in the catalogue, when all that was sent has had its effect: a closed connection does not stop an add. */
async function animals(url: string): Promise<string[]> {
	await Bun.sleep(200);
	return (await walk(url, apiKey)).map(([name]) => name);
}

/** The status lines that came; the code stands for the reason where there is an Error body. */
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

/** 505 is what the HTTP layer says where it finds no HTTP/1.x at the end of the first line. */
const isHarmless =
	/^(closed|(([1-4]\d\d [\w ]+|505 HTTP Version Not Supported)( \+ |$))+)$/;

/** What the table of docs/decisions.md says. */
function documented(): Record<string, string> {
	const [, section = ""] = readFileSync(
		`${root}docs/decisions.md`,
		"utf8",
	).split("\n## What the HTTP layer answers by itself\n");
	const [table = ""] = section.split("\n## ");
	const rows = [...table.matchAll(/^\| (.+) \| (.+) \|$/gm)].slice(1);
	return Object.fromEntries(
		rows.map(([, sent, answer = ""]) => [sent, answer.replaceAll("`", "")]),
	);
}

/** Calls with 0, 1, 2 and so on, many at a time. */
async function eachAtOnce(
	count: number,
	call: (index: number) => Promise<void>,
): Promise<void> {
	let next = 0;
	const caller = async () => {
		while (next < count) await call(next++);
	};
	await Promise.all(Array.from({ length: 64 }, caller));
}

/** Sends and resets the connection. */
async function reset(url: string, text: string): Promise<void> {
	const socket = connect(url).on("error", () => {});
	await new Promise((resolve) => socket.write(text, "latin1", resolve));
	socket.resetAndDestroy();
}

/** What is in the first list more often than in the second. */
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
