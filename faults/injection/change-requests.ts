// The requests of a client that changes animals.
import { add } from "../../test/harness/writers.ts";
import { type Names, removed } from "./change-steps.ts";

/** Returns the status. Throws if the connection was refused, or closed before the reply. */
export async function callOperator(
	url: string,
	key: string,
	method: string,
	path: string,
	body: object | undefined,
): Promise<number> {
	const response = await fetch(`${url}/operator/v1/${path}`, {
		method,
		headers: {
			Authorization: `Bearer ${key}`,
			...(body && { "Content-Type": "application/json" }),
		},
		...(body && { body: JSON.stringify(body) }),
	});
	await response.arrayBuffer();
	return response.status;
}

/** Returns the id of the new animal, if it was acknowledged. The name is the Idempotency-Key. */
export async function addOne(
	url: string,
	key: string,
	name: string,
): Promise<string | undefined> {
	const text = await (await add(url, key, name)).text();
	return /^\{"id":(\d+),/.exec(text)?.[1];
}

/** Returns the current names of the animals, or undefined if one of them could not be read. */
export async function readNames(
	url: string,
	key: string,
	animals: Names,
): Promise<Names | undefined> {
	const found = await Promise.all(
		[...animals.keys()].map(
			async (id) => [id, await readName(url, key, id)] as const,
		),
	);
	const names = new Map<string, string>();
	for (const [id, name] of found) {
		if (name === undefined) return undefined;
		names.set(id, name);
	}
	return names;
}

async function readName(
	url: string,
	key: string,
	id: string,
): Promise<string | undefined> {
	const response = await fetch(`${url}/v1/pets/${id}`, {
		headers: { Authorization: `Bearer ${key}` },
	});
	const text = await response.text();
	if (response.status === 404) return removed;
	return response.status === 200 ? JSON.parse(text).name : undefined;
}
