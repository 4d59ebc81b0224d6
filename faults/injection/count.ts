// Compares the catalogue with the acknowledged adds: which animals are lost, doubled, changed or were never acknowledged.
import { PageError, walk } from "../../test/harness/walk.ts";
import { add } from "../../test/harness/writers.ts";
import type { OnceWriter } from "./once.ts";
import type { Counts } from "./result.ts";

export async function countAnimals(
	url: string,
	apiKey: string,
	acknowledged: ReadonlyMap<string, string>,
	once: Pick<OnceWriter, "added" | "uncertain">,
): Promise<Pick<Counts, "lost" | "doubled" | "wrong">> {
	const listed = await walk(url, apiKey).catch(toPageError);
	// A catalogue that cannot be read counts as lost.
	if (listed instanceof PageError)
		return {
			lost: acknowledged.size + once.added.size,
			doubled: 0,
			wrong: [listed.message],
		};
	const ids = new Map(listed);
	const expected = [...acknowledged];
	const doubled = listed.length - ids.size;
	// Of two animals with the same name, one has another id. This would count a doubled animal again.
	const changed =
		doubled > 0
			? []
			: expected.filter(([name, id]) => ids.has(name) && ids.get(name) !== id);
	const isAllowed = (name: string) =>
		acknowledged.has(name) || once.added.has(name) || once.uncertain.has(name);
	const unknown = [...ids.keys()].filter((name) => !isAllowed(name));
	return {
		lost: [...acknowledged.keys(), ...once.added].filter(
			(name) => !ids.has(name),
		).length,
		doubled,
		wrong: [
			...changed.map(([name]) => `${name} has another id`),
			...unknown.map((name) => `${name} was never acknowledged`),
			...(await repeatSome(url, apiKey, expected)),
		],
	};
}

function toPageError(error: unknown): PageError {
	if (error instanceof PageError) return error;
	throw error;
}

/** A repeated add with the same Idempotency-Key must return the stored animal, however old. */
async function repeatSome(
	url: string,
	apiKey: string,
	acknowledged: readonly (readonly [string, string])[],
): Promise<string[]> {
	const wrong: string[] = [];
	for (let time = 0; time < repeats; time++) {
		const place = Math.floor(Math.random() * acknowledged.length);
		const [name, id] = acknowledged[place] ?? ["", ""];
		const text = await (await add(url, apiKey, name)).text();
		if (!text.includes(`"id":${id},`))
			wrong.push(
				`the add of ${name}, which has id ${id}, was repeated and answered ${text}`,
			);
	}
	return wrong;
}

const repeats = 50;
