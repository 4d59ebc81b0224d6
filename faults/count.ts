// The catalogue against the acknowledgements: what is lost, doubled, changed or made up.
import { add, PageError, walk } from "../harness/writers.ts";
import type { Tally } from "./tally.ts";

export async function countAnimals(
	url: string,
	apiKey: string,
	acknowledged: ReadonlyMap<string, string>,
): Promise<Pick<Tally, "lost" | "doubled" | "wrong">> {
	const listed = await walk(url, apiKey).catch(toRefusal);
	// A catalogue that cannot be read has nothing.
	if (listed instanceof PageError)
		return { lost: acknowledged.size, doubled: 0, wrong: [listed.message] };
	const ids = new Map(listed);
	const expected = [...acknowledged];
	const doubled = listed.length - ids.size;
	// Where there are two, one of them has another id.
	const changed =
		doubled > 0
			? []
			: expected.filter(([name, id]) => ids.has(name) && ids.get(name) !== id);
	const unknown = [...ids.keys()].filter((name) => !acknowledged.has(name));
	return {
		lost: expected.filter(([name]) => !ids.has(name)).length,
		doubled,
		wrong: [
			...changed.map(([name]) => `${name} has another id`),
			...unknown.map((name) => `nobody was told of ${name}`),
			...(await repeatSome(url, apiKey, expected)),
		],
	};
}

function toRefusal(error: unknown): PageError {
	if (error instanceof PageError) return error;
	throw error;
}

/** A repeated add gets the animal that is there already, also long after. */
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
			wrong.push(`${name} with id ${id} was answered ${text} when repeated`);
	}
	return wrong;
}

const repeats = 50;
