// What a client program is given by its environment, and the line that it prints about what it has read.
declare const process: {
	readonly env: Readonly<Record<string, string | undefined>>;
};

const {
	PETSTORE_URL = "",
	KEY = "",
	PET_ID = "",
	CATEGORY_ID = "",
} = process.env;

/** With /v1. */
export const url = PETSTORE_URL;
export const key = KEY;
/** The id of an animal with this categoryId. */
export const petId = PET_ID;
export const categoryId = CATEGORY_ID;
/** No animal has it. */
export const noPetId = "404";

interface Animal {
	readonly categoryId: number | bigint;
}

/** Undefined is for an operation that was refused. The last is the code of the error for an animal that is not there. */
export function report(
	listed: readonly Animal[] | undefined,
	added: Animal | undefined,
	got: Animal | undefined,
	code: string | undefined,
): void {
	console.log(
		JSON.stringify({
			lists: listed !== undefined,
			adds: added !== undefined,
			gets: got !== undefined,
			readsErrors: code === "not_found",
			read: got && `${got.categoryId} (${typeof got.categoryId})`,
		}),
	);
}
