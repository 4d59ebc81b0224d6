// Nothing that was acknowledged is lost and nothing is done twice: many clients, and a process killed at its work.
import { expect, test } from "bun:test";
import { serve } from "./process.ts";
import { temporaryFolder } from "./temporary.ts";

const apiKey = "a-key-known-to-the-tests";
const rounds = Number(process.env.CRASH_ROUNDS ?? 5);

test(`${rounds} times killed under 32 writers, every acknowledged animal is there, and none twice`, async () => {
	const folder = temporaryFolder();
	const options = { cwd: folder.path, env: { API_KEY: apiKey } };
	/** The id that each name was acknowledged with; the name is also its Idempotency-Key. */
	const acknowledged = new Map<string, string>();
	const unanswered = new Set<string>();

	for (let round = 0; round < rounds; round++) {
		const before = acknowledged.size;
		const service = await serve([], options);
		const stillRuns = { yes: true };
		const writers = Array.from({ length: 32 }, async (_, writer) => {
			for (let count = 0; stillRuns.yes; count++) {
				const name = `${round}-${writer}-${count}`;
				unanswered.add(name);
				const reply = await add(service.url, name).catch(() => undefined);
				if (reply === undefined) return;
				acknowledged.set(name, idIn(reply));
				unanswered.delete(name);
			}
		});
		await Bun.sleep(100 + Math.random() * 200);
		service.kill("SIGKILL");
		await service.finished;
		stillRuns.yes = false;
		await Promise.all(writers);
		expect(acknowledged.size).toBeGreaterThan(before);
	}

	const service = await serve([], options);
	// Whoever got no answer asks again, and may find that the animal is there.
	for (const name of unanswered)
		acknowledged.set(name, idIn(await add(service.url, name)));
	const listed = await walk(service.url);
	expect(listed.map(({ name }) => name).sort()).toEqual(
		[...acknowledged.keys()].sort(),
	);
	expect(new Map(listed.map(({ name, id }) => [name, id]))).toEqual(
		acknowledged,
	);
	service.kill("SIGTERM");
	await service.finished;
	folder.remove();
}, 120_000);

test("1,000 animals added by 32 clients at once have 1,000 ids and are all listed", async () => {
	const folder = temporaryFolder();
	const service = await serve(["--database", "sqlite:many.db"], {
		cwd: folder.path,
		env: { API_KEY: apiKey },
	});
	let next = 0;
	const added = new Map<string, string>();
	await Promise.all(
		Array.from({ length: 32 }, async () => {
			while (next < 1_000) {
				const name = `animal ${next++}`;
				added.set(name, idIn(await add(service.url, name, {})));
			}
		}),
	);
	expect(new Set(added.values()).size).toBe(1_000);
	const listed = await walk(service.url);
	expect(listed).toHaveLength(1_000);
	expect(new Map(listed.map(({ name, id }) => [name, id]))).toEqual(added);
	service.kill("SIGTERM");
	await service.finished;
	folder.remove();
}, 30_000);

async function add(
	url: string,
	name: string,
	headers: Record<string, string> = { "Idempotency-Key": name },
): Promise<string> {
	const response = await fetch(`${url}/v1/pets`, {
		method: "POST",
		headers: {
			Authorization: `Bearer ${apiKey}`,
			"Content-Type": "application/json",
			...headers,
		},
		body: JSON.stringify({ name, categoryId: 1 }),
	});
	const text = await response.text();
	if (response.status !== 201) throw new Error(text);
	return text;
}

async function walk(url: string): Promise<{ id: string; name: string }[]> {
	const listed: { id: string; name: string }[] = [];
	for (let path: string | undefined = "/v1/pets?limit=100"; path; ) {
		const page: Response = await fetch(url + path, {
			headers: { Authorization: `Bearer ${apiKey}` },
		});
		for (const { id, name } of await page.json())
			listed.push({ id: String(id), name });
		path = /<(.*)>; rel="next"/.exec(page.headers.get("Link") ?? "")?.[1];
	}
	return listed;
}

function idIn(pet: string): string {
	return /"id":(\d+)/.exec(pet)?.[1] ?? "none";
}
