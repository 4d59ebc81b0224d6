// What a client program is given by its environment, and the line that it prints about what it has read.
declare const process: {
	readonly env: Readonly<Record<string, string | undefined>>;
};

const { PETSTORE_URL = "", KEY = "", PET_ID = "" } = process.env;

/** With /v1. */
export const url = PETSTORE_URL;
export const key = KEY;
/** The id of an animal with this categoryId. */
export const petId = PET_ID;
export const categoryId = "9007199254740993";

interface Animal {
	readonly categoryId: number | bigint;
}

/** Undefined is for an operation that was refused. */
export function report(
	listed: readonly Animal[] | undefined,
	added: Animal | undefined,
	got: Animal | undefined,
): void {
	console.log(
		JSON.stringify({
			lists: listed !== undefined,
			adds: added !== undefined,
			gets: got !== undefined,
			read: got && `${got.categoryId} (${typeof got.categoryId})`,
		}),
	);
}
