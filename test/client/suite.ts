// Calls a pet store through the client, and throws at the first wrong result. It uses no test runner, so that test files, other runtimes
// and browsers can run it with their own client and store.
import type * as Module from "../../src/client/client.ts";

export interface SuiteOptions {
	/** From its source, or built. */
	readonly client: Pick<typeof Module, "createClient" | "PetstoreError">;
	/** An instance of petstore-service. It may have animals, and the suite adds some. */
	readonly url: string;
	/** A read-write key. */
	readonly key: string;
	/** An address where nothing listens. */
	readonly nowhere: string;
}

/** Returns the titles of the checks. */
export async function runSuite(options: SuiteOptions): Promise<string[]> {
	for (const [title, check] of Object.entries(checks)) {
		try {
			await check(options);
		} catch (error) {
			throw new Error(`${title}: ${error}`, { cause: error });
		}
	}
	return Object.keys(checks);
}

const checks: Readonly<
	Record<string, (options: SuiteOptions) => Promise<void>>
> = {
	"returns an animal with all digits and characters": async (options) => {
		const store = open(options);
		for (const categoryId of int64s) {
			const pet = await store.createPet({ name, categoryId, status: "sold" });
			equal({ ...pet, id: 0n }, { id: 0n, name, categoryId, status: "sold" });
			equal(await store.getPet(pet.id), pet);
		}
	},

	"follows the pages of a list, and reads it twice": async (options) => {
		const store = open(options);
		const added = [await addPending(store), await addPending(store)];
		added.push(await addPending(store));
		const list = store.listPets({ status: "pending", limit: 2 });
		for (let time = 0; time < 2; time++) {
			const found: bigint[] = [];
			for await (const { id, status } of list) {
				equal(status, "pending");
				if (added.includes(id)) found.push(id);
				if (found.length === added.length) break;
			}
			equal(found.sort(), added.sort());
		}
	},

	"adds one animal for an Idempotency-Key": async (options) => {
		const store = open(options);
		const idempotencyKey = `suite-${Date.now()}-${Math.random()}`;
		const pet = { name: "once", categoryId: 1n };
		const first = await store.createPet(pet, { idempotencyKey });
		equal(await store.createPet(pet, { idempotencyKey }), first);
		await fails(
			options,
			store.createPet({ ...pet, name: "twice" }, { idempotencyKey }),
			["idempotency_mismatch", 422],
		);
		const another = await store.createPet(pet);
		equal(another.id === first.id, false);
	},

	"throws a PetstoreError with code, status and message": async (options) => {
		const store = open(options);
		await fails(options, store.getPet(0n), ["not_found", 404]);
		const tooLong = store.readPage({ limit: 1000 });
		await fails(options, tooLong, ["invalid_parameter", 400], /limit/);
	},

	"reports a network error if nothing listens": async (options) => {
		const elsewhere = { ...options, url: options.nowhere };
		const store = open(elsewhere, { retry: { times: 0 } });
		await fails(options, store.readPage(), ["network", undefined]);
	},

	"rejects an aborted call with the reason of its signal": async (options) => {
		const store = open(options);
		const reason = new Error("enough");
		const signal = AbortSignal.abort(reason);
		const call = store.getPet(1n, { signal });
		equal((await rejection(call)) === reason, true);
	},

	"accepts an address that ends with /v1 or a slash": async (options) => {
		for (const end of ["", "/", "/v1", "/v1/"])
			await open({ ...options, url: options.url + end }).readPage();
	},
};

const name = 'Zoë "Rex" \\ \u{1f600} \u202eabc\u2028 1e3 9007199254740993';
const int64s = [
	9007199254740993n,
	-(2n ** 63n),
	2n ** 63n - 1n,
	0n,
	-1n,
] as const;

function open(
	{ client, url, key }: SuiteOptions,
	further: Partial<Module.ClientOptions> = {},
): Module.Client {
	return client.createClient({ url, key, ...further });
}

async function addPending(store: Module.Client): Promise<bigint> {
	const pet = { name: "suite", categoryId: 1n, status: "pending" } as const;
	return (await store.createPet(pet)).id;
}

async function fails(
	{ client }: SuiteOptions,
	call: Promise<unknown>,
	[code, status]: [string, number | undefined],
	message = /./,
): Promise<void> {
	const error = await rejection(call);
	if (!(error instanceof client.PetstoreError))
		throw new Error(`${error} is not a PetstoreError`);
	equal([error.code, error.status], [code, status]);
	equal(message.test(error.message), true);
}

function rejection(call: Promise<unknown>): Promise<unknown> {
	return call.then(
		(value) => {
			throw new Error(`the call resolved with ${show(value)}`);
		},
		(error: unknown) => error,
	);
}

function equal(actual: unknown, expected: unknown): void {
	if (show(actual) !== show(expected))
		throw new Error(`${show(actual)} is not ${show(expected)}`);
}

function show(value: unknown): string {
	return String(
		JSON.stringify(value, (_key, part: unknown) =>
			typeof part === "bigint" ? `${part}n` : part,
		),
	);
}
