// The settings of a client program, from its environment, and the line that it prints about its reads.
declare const process: {
	readonly env: Readonly<Record<string, string | undefined>>;
};

const {
	PETSTORE_URL = "",
	KEY = "",
	PET_ID = "",
	CATEGORY_ID = "",
} = process.env;

/** Ends with /v1. */
export const url = PETSTORE_URL;
export const key = KEY;
/** The animal has this categoryId. */
export const petId = PET_ID;
export const categoryId = CATEGORY_ID;
/** The id of no animal. */
export const noPetId = "404";

interface Animal {
	readonly categoryId: number | bigint;
}

/** Undefined means that the operation was refused. The last argument is the error code for an animal that does not exist. */
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
