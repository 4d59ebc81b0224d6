// Batches by filter, undos and imports beside other writers: they are planned without the lock of writers, and then find what has changed.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { byCommandLine } from "../../src/domain/access/author.ts";
import { Failure } from "../../src/domain/errors.ts";
import { type GivenPet, toContent } from "../../src/domain/pet/pet.ts";
import { maxInt64 } from "../../src/domain/types/json.ts";
import type { ChangeOfAll } from "../../src/store/animals/change.ts";
import { partRows, type Work } from "../../src/store/database/sql.ts";
import { hasSameContent } from "../../src/store/edits/edit.ts";
import type { HistoryEntry } from "../../src/store/history/history.ts";
import { openPostgres } from "../../src/store/postgres/engine.ts";
import { openSqlite } from "../../src/store/sqlite/engine.ts";
import { openStore, type Store, toStore } from "../../src/store/store.ts";
import { rex } from "../harness/pet.ts";
import { property } from "../properties/property.ts";
import {
	add,
	type Engine,
	engines,
	holdLock,
	importLines,
	newDatabase,
	openNewStore,
	toPath,
} from "./engines.ts";

const { signal } = new AbortController();
const count = 2 * partRows + 500;
const seen = new Set<string>();

const changeAll = ({ catalogue }: Store, change: ChangeOfAll) =>
	catalogue.changeAll(change, byCommandLine(), signal);
const undo = ({ edits }: Store, id: bigint) =>
	edits.undo({ id, authored: byCommandLine(), maxAnimals: 9_999 }, signal);

/** Imports so many animals of ten categories, and returns their edit. */
async function fill(store: Store): Promise<bigint> {
	const pets = Array.from({ length: count }, (_, at) => ({
		...rex,
		categoryId: BigInt(at % 10),
	}));
	const imported = await importLines(store, pets);
	return ("edit" in imported && imported.edit) || 0n;
}

describe.each(engines)("%s", (engine) => {
	test("refuses a batch, an undo and an import that cannot be done while another process holds the lock of writers", async () => {
		await using store = await openNewStore(engine);
		const id = await fill(store);
		const done = await undo(store, id);
		await undo(store, done?.edit.id ?? 0n);
		const again = await undo(store, id);
		const release = await holdLock(store.url);
		const wrong = { filter: {}, set: undefined, expected: 1 };
		await expect(changeAll(store, wrong)).rejects.toMatchObject({
			code: "precondition_failed",
		});
		for (const one of [id, done?.edit.id ?? 0n])
			await expect(undo(store, one)).rejects.toMatchObject({
				code: "conflict",
			});
		expect(await undo(store, maxInt64)).toBeUndefined();
		const lines = [{ id: 1n, name: "Max" }];
		expect(await importLines(store, lines)).toMatchObject({ count: 1 });
		await release();
		expect(again?.edit.removed).toBe(count);
	});

	test("looks at no animal with the lock that nobody has changed since", async () => {
		const { url, remove } = await newDatabase(engine);
		const inner =
			engine === "sqlite"
				? openSqlite(toPath(url), "create", true)
				: await openPostgres(url, "create");
		const asked: string[] = [];
		function* watch<Result>(work: Work<Result>): Work<Result> {
			let step = work.next([]);
			while (!step.done) {
				if ("asks" in step.value)
					asked.push(...step.value.asks.map(({ name }) => name));
				step = work.next(yield step.value);
			}
			return step.value;
		}
		const store = toStore(
			{
				...inner,
				writeLong: (work) => inner.writeLong(() => watch(work())),
			},
			true,
		);
		await fill(store);
		const filter = { categoryId: 3n };
		const change = { filter, set: { name: "Max" }, expected: count / 10 };
		const { edit = 0n } = await changeAll(store, change);
		await undo(store, edit);
		const ids = Array.from({ length: count }, (_, at) => BigInt(at + 1));
		const lines = ids.map((id) => ({ id, categoryId: 3n }));
		expect(await importLines(store, lines)).toMatchObject({ unchanged: 250 });
		const looks = [
			...["search animals", "get animals", "read entries of edit"],
			...["find next entries", "read entries"],
		];
		expect(asked.filter((name) => looks.includes(name))).toEqual([]);
		expect(asked.filter((name) => name === "read what changed")).toHaveLength(
			4,
		);
		await store.close();
		await remove();
	});

	describe("a batch that waits for the lock", () => {
		const filter = { categoryId: 3n };
		const change = { filter, set: { name: "Max" }, expected: count / 10 };

		test("counts all animals that a long import has added", async () => {
			await using store = await openNewStore(engine);
			await fill(store);
			let changing: Promise<unknown> | undefined;
			const pets = Array.from({ length: 12 * partRows }, (_, at) => ({
				...rex,
				categoryId: at < 12 * partRows - 1 ? 4n : 3n,
			}));
			await importLines(store, pets, {
				onProgress() {
					changing ??= changeAll(store, change).catch((error) => error);
				},
			});
			expect(await changing).toMatchObject({
				code: "precondition_failed",
				message: expect.stringMatching(/^251 /),
			});
		});

		test("changes the animals that have replaced all others", async () => {
			await using store = await openNewStore(engine);
			await fill(store);
			let changing: Promise<unknown> | undefined;
			function* replace() {
				for (let id = 1n; id <= 12 * partRows; id++) {
					yield { ...rex, id, categoryId: id > count / 10 ? 4n : 3n };
					changing ??= changeAll(store, change);
				}
			}
			await store.archive.fill(replace());
			expect(await changing).toMatchObject({ totals: { changed: 250 } });
			const { pets } = await store.catalogue.findPets({
				filter: { name: "Max" },
				limit: count,
				maxId: maxInt64,
				isLimited: false,
			});
			expect(pets.map(({ id }) => id)).toEqual(
				Array.from({ length: count / 10 }, (_, at) => BigInt(count / 10 - at)),
			);
		});
	});

	test("gives animals the category that another import has made while this one waited for the lock", async () => {
		await using store = await openNewStore(engine);
		const options = { createCategories: true };
		const lines = [{ ...rex, category: "Dogs" }];
		let importing: Promise<unknown> | undefined;
		await importLines(store, lines, {
			...options,
			onProgress() {
				importing ??= importLines(store, lines, options);
			},
		});
		expect(await importing).toMatchObject({ added: 1, createdCategories: [] });
		expect(await store.categories.list(1n, 9)).toMatchObject([
			{ name: "Dogs", pets: 2n },
		]);
	});

	property(
		"does batches, undos and imports at the same time as other writers as in the order of their positions",
		engine === "sqlite" ? 20 : 8,
		fc.asyncProperty(
			fc.array(step(), { minLength: 20, maxLength: 40 }),
			(steps) => runBeside(engine, steps),
		),
	);
});

// Otherwise steps that never meet would pass.
test("has seen all outcomes of steps at the same time", () => {
	expect([...seen].toSorted()).toEqual(
		["batch", "import", "undo"].flatMap((kind) => [
			`${kind}: done`,
			`${kind}: refused`,
		]),
	);
});

type Step = Readonly<Record<"category" | "pick" | "off", number>> & {
	readonly kind: (typeof kinds)[number];
	readonly what: (typeof changes)[number];
};
/** The frequent ones several times. */
const kinds = [
	...(["batch", "undo", "import", "batch", "undo", "import"] as const),
	...Array<"write">(20).fill("write"),
];
const changes = [
	...Array<"name">(6).fill("name"),
	...(["category", "remove", "add"] as const),
];

function step(): fc.Arbitrary<Step> {
	return fc.record({
		kind: fc.constantFrom(...kinds),
		what: fc.constantFrom(...changes),
		category: fc.nat(3),
		pick: fc.nat(count - 1),
		off: fc.constantFrom(0, 0, 0, 1),
	});
}

type Content = ReadonlyMap<bigint, GivenPet>;
/** What a step makes of animals; undefined if it is refused. */
type Effect = ReadonlyMap<bigint, GivenPet | undefined> | undefined;

interface Done extends Pick<Step, "kind"> {
	/** Undefined if it was refused, or changed nothing. */
	readonly edit: bigint | undefined;
	readonly toEffect: (pets: Content) => Effect;
	/** The last positions before and after it. */
	readonly window: readonly [bigint, bigint];
}

interface Commit {
	readonly at: bigint;
	readonly to: bigint;
	readonly effect: Map<bigint, GivenPet | undefined>;
}

/** Runs the steps on two stores at once, and compares each with its effect on the animals before its position. */
async function runBeside(engine: Engine, steps: readonly Step[]) {
	await using first = await openNewStore(engine);
	const second = await openStore(first.url, { access: "write" });
	await fill(first);
	const base = (await first.feed.last()) - BigInt(count);
	const early = await changeAll(first, {
		filter: { categoryId: 0n },
		set: { name: "Early" },
		expected: count / 10,
	});
	const edit = early.edit ?? 0n;
	const added = new Map<bigint, GivenPet>();

	async function runOne(store: Store, one: Step): Promise<bigint | undefined> {
		const petId = BigInt(one.pick + 1);
		switch (one.kind) {
			case "batch":
				return (await changeAll(store, toBatch(one))).edit;
			case "undo":
				return (await undo(store, edit))?.edit.id;
			case "import": {
				const done = await importLines(store, toLines(one));
				return "edit" in done ? done.edit : undefined;
			}
			case "write": {
				const pet = { ...rex, categoryId: BigInt(one.category) };
				if (one.what === "add") added.set(await add(store, { pet }), pet);
				else await store.catalogue.changePets([{ petId, set: toSet(one) }]);
				return undefined;
			}
		}
	}

	const done = await Promise.all(
		steps.map(async (one, at): Promise<Done> => {
			const store = at % 2 === 0 ? first : second;
			await Bun.sleep(one.pick % 20);
			const from = await store.feed.last();
			const edit = await runOne(store, one).catch((error) => {
				if (!(error instanceof Failure) || error.code === "unavailable")
					throw error;
				return undefined;
			});
			const to = await store.feed.last();
			const toEffect = (pets: Content) => effects[one.kind](one, pets);
			return { ...one, edit, toEffect, window: [from - base, to - base] };
		}),
	);
	const query = { maxPosition: maxInt64, limit: 100_000 };
	const { entries } = await first.history.readAll(query);
	await second.close();
	compare(toCommits(entries, added), done);
}

function toSet({ what, category, pick }: Step) {
	if (what === "remove") return undefined;
	return what === "name"
		? { name: `Name ${pick}` }
		: { categoryId: BigInt(category) };
}

function toBatch({ what, category, off }: Step): ChangeOfAll {
	const set = what === "remove" ? undefined : { name: "Batch" };
	const filter = { categoryId: BigInt(category) };
	return { filter, set, expected: count / 10 - off };
}

function toLines({ pick, off }: Step) {
	const from = Math.min(pick, count - 300);
	const id = (at: number) => BigInt(from + at + 1 + off * count);
	return Array.from({ length: 300 }, (_, at) => ({
		id: id(at),
		name: "Import",
	}));
}

const effects: Readonly<
	Record<Step["kind"], (step: Step, pets: Content) => Effect>
> = {
	batch(step, pets) {
		const { filter, set, expected } = toBatch(step);
		const found = [...pets].filter(
			([, pet]) => pet.categoryId === filter.categoryId,
		);
		return found.length === expected
			? new Map(found.map(([id, pet]) => [id, set && { ...pet, ...set }]))
			: undefined;
	},
	undo(_, pets) {
		const before = { ...rex, categoryId: 0n };
		const left = { ...before, name: "Early" };
		const effect = new Map<bigint, GivenPet>();
		for (let id = 1n; id <= count; id += 10n)
			if (hasSameContent(pets.get(id), left)) effect.set(id, before);
		return effect.size > 0 ? effect : undefined;
	},
	import(step, pets) {
		const effect = new Map<bigint, GivenPet>();
		for (const { id, name } of toLines(step)) {
			const pet = pets.get(id);
			if (pet === undefined) return undefined;
			effect.set(id, { ...pet, name });
		}
		return effect;
	},
	write: () => undefined,
};

/** All that was committed, in the order of positions, without the import of the first animals. */
function toCommits(
	entries: readonly HistoryEntry[],
	added: ReadonlyMap<bigint, GivenPet>,
): readonly Commit[] {
	const commits = new Map<bigint, Commit>();
	for (const { edit = 0n, position: to, petId, pet } of entries.toReversed()) {
		const effect = commits.get(edit)?.effect ?? new Map();
		effect.set(petId, pet && toContent(pet));
		commits.set(edit, { at: edit, to, effect });
	}
	for (const [id, pet] of added)
		commits.set(id, { at: id, to: id, effect: new Map([[id, pet]]) });
	return [...commits.values()].sort((one, other) => Number(one.at - other.at));
}

function compare(commits: readonly Commit[], done: readonly Done[]): void {
	const pets = new Map<bigint, GivenPet>();
	for (let id = 1n; id <= count; id++)
		pets.set(id, { ...rex, categoryId: (id - 1n) % 10n });
	const unexplained = new Set(
		done.filter(({ kind, edit }) => kind !== "write" && edit === undefined),
	);
	const end: Commit = { at: maxInt64, to: maxInt64, effect: new Map() };
	let last = BigInt(count);
	let isUndone = false;
	for (const { at, to, effect } of [...commits, end]) {
		for (const one of unexplained) {
			const [from, until] = one.window;
			const isSeen = last <= until && at > from;
			const refused = isUndone && one.kind === "undo";
			const found = refused ? undefined : toChanged(pets, one.toEffect(pets));
			if (isSeen && !found?.size) {
				unexplained.delete(one);
				seen.add(`${one.kind}: refused`);
			}
		}
		const one = done.find(({ edit }) => edit === at);
		if (one) {
			expect(effect).toEqual(new Map(toChanged(pets, one.toEffect(pets))));
			expect(isUndone && one.kind === "undo").toBe(false);
			seen.add(`${one.kind}: done`);
			isUndone ||= one.kind === "undo";
		}
		for (const [id, pet] of effect)
			if (pet) pets.set(id, pet);
			else pets.delete(id);
		last = to;
	}
	expect([...unexplained]).toEqual([]);
}

/** Only those that are not the same before. */
function toChanged(pets: Content, effect: Effect): Effect {
	return (
		effect &&
		new Map(
			[...effect].filter(([id, pet]) => !hasSameContent(pets.get(id), pet)),
		)
	);
}
