// What the types of the client allow and forbid. The compiler checks this file, and nothing runs it: each line below a `@ts-expect-error`
// must not compile.
import type { Client, Page, Pet, PetStatus } from "../../src/client/client.ts";
import {
	createClient,
	type NewPet,
	PetstoreError,
} from "../../src/client/client.ts";
import type { OwnPet } from "../../src/client/pet.ts";
import type { ConnectedPetstore } from "../../src/testing/control.ts";

/** The contract's. */
type SentPet = {
	readonly name: string;
	readonly categoryId: bigint;
	readonly status?: PetStatus | undefined;
};

/** The client and the test helper import nothing of the service. */
export const areSame: readonly true[] = [
	true satisfies IsSame<NewPet, SentPet>,
	true satisfies IsSame<Pet, SentPet & { readonly id: bigint }>,
	true satisfies IsSame<OwnPet, SentPet & { readonly id?: bigint | undefined }>,
];

type Flat<Of> = { [Name in keyof Of]: Of[Name] };
type IsSame<One, Other> =
	(<Of>() => Of extends Flat<One> ? 1 : 2) extends <
		Of,
	>() => Of extends Flat<Other> ? 1 : 2
		? true
		: "The types differ";

export async function calls(store: Client): Promise<void> {
	await store.createPet({ name: "Rex", categoryId: 1n, status: undefined });
	// @ts-expect-error: a number may be rounded before the client sees it
	await store.createPet({ name: "Rex", categoryId: 1 });
	// @ts-expect-error: only three statuses exist
	await store.createPet({ name: "Rex", categoryId: 1n, status: "lost" });
	// @ts-expect-error: the store assigns the id
	await store.createPet({ id: 1n, name: "Rex", categoryId: 1n });
	await store.getPet(1n, { signal: AbortSignal.timeout(1), timeout: 1 });
	// @ts-expect-error: an id is a bigint
	await store.getPet(1);
	// @ts-expect-error: a list is a loop, not a promise of an array
	(await store.listPets()).length;
}

export async function results(store: Client): Promise<void> {
	for await (const pet of store.listPets({ status: "sold", limit: 10 }))
		hasType<Pet>(pet);
	const page = await store.readPage({ status: "sold" });
	hasType<Page>(await store.readPage(page.next));
	const { id, categoryId, status } = await store.getPet(1n);
	hasType<bigint>(id);
	hasType<bigint>(categoryId);
	hasType<PetStatus | undefined>(status);
	// @ts-expect-error: another store may leave the status out
	hasType<PetStatus>(status);
}

export function options(): void {
	createClient({ url: new URL("http://store.example"), key: "k", fetch });
	// @ts-expect-error: retry has members
	createClient({ url: "http://store.example", key: "k", retry: 1 });
	const error = new PetstoreError("network", "No reply.");
	hasType<number | undefined>(error.status);
	// @ts-expect-error: a reply may be missing
	hasType<number>(error.status);
}

export async function helper(store: ConnectedPetstore): Promise<void> {
	await store.faults([{ operation: "getPet", status: 503 }]);
	// @ts-expect-error: no such operation
	await store.faults([{ operation: "getpet", status: 503 }]);
	// @ts-expect-error: only a store that it has started can be stopped
	store.stop();
}

function hasType<Type>(_value: Type): void {}
