// The requests that change and remove a group of animals, each with the animals' names before and after it.

/** The name of each animal of a group by its id. */
export type Names = ReadonlyMap<string, string>;

/** Replaces the name of a removed animal. */
export const removed = "removed";

export interface Step {
	readonly method: "PATCH" | "DELETE" | "POST";
	/** Below /operator/v1/. */
	readonly path: string;
	readonly body?: object;
	readonly before: Names;
	readonly after: Names;
}

/** Changes all animals, then one. Then changes some and removes the others, then removes one and changes the rest. */
export function toSteps(group: Names, title: string): readonly Step[] {
	const ids = [...group.keys()];
	const [first = "", ...others] = ids;
	const kept = others.slice(others.length / 2);
	const changes: readonly Names[] = [
		toNames(ids, `${title} all`),
		toNames([first], `${title} one`),
		new Map([...toNames(others, removed), ...toNames(kept, `${title} kept`)]),
		toNames([first], removed),
		toNames(kept, `${title} last`),
	];
	let before = group;
	return changes.map((change) => {
		const after = new Map([...before, ...change]);
		const step = { ...toRequest([...change]), before, after };
		before = after;
		return step;
	});
}

function toNames(ids: readonly string[], name: string): Names {
	return new Map(ids.map((id) => [id, name]));
}

function toRequest(
	changes: readonly (readonly [id: string, name: string])[],
): Pick<Step, "method" | "path" | "body"> {
	if (changes.length > 1)
		return {
			method: "POST",
			path: "pets/batch",
			body: { changes: changes.map(toChange) },
		};
	const [[id, name] = ["", removed]] = changes;
	return name === removed
		? { method: "DELETE", path: `pets/${id}` }
		: { method: "PATCH", path: `pets/${id}`, body: { name } };
}

function toChange([id, name]: readonly [id: string, name: string]) {
	const change = name === removed ? { remove: true } : { set: { name } };
	return { petId: Number(id), ...change };
}
