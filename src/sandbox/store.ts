// The store of the sandbox: a database in memory with demo animals, which a reset replaces by a new one.
import { type OnAddBatch, openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { type DemoStart, toDemoParts } from "./demo-animals.ts";

export interface DemoStore extends Store {
	/** Resolves when later requests get the new animals. Requests in progress finish with the old ones. */
	readonly replace: (start: DemoStart) => Promise<void>;
}

export async function openDemoStore(
	start: DemoStart,
	onAddBatch?: OnAddBatch,
): Promise<DemoStore> {
	let current = await openFilled(start, onAddBatch);
	let isClosed = false;
	let lastReplacement = Promise.resolve();

	/** Only for work that waits: it keeps its database open. The reads of a database in memory do not wait. */
	async function use<Result>(
		work: (store: Store) => Promise<Result>,
	): Promise<Result> {
		const used = current;
		used.users++;
		try {
			return await work(used.store);
		} finally {
			await leave(used);
		}
	}

	return {
		catalogue: {
			listPets: (page) => current.store.catalogue.listPets(page),
			getPet: (id) => current.store.catalogue.getPet(id),
			addPet: (pet, idempotency) =>
				use(({ catalogue }) => catalogue.addPet(pet, idempotency)),
			changePets: (changes) =>
				use(({ catalogue }) => catalogue.changePets(changes)),
			countPets: (range) => current.store.catalogue.countPets(range),
			deleteIdempotencyKeys: (usedBefore) =>
				use(({ catalogue }) => catalogue.deleteIdempotencyKeys(usedBefore)),
		},
		keys: {
			add: (key) => use(({ keys }) => keys.add(key)),
			list: (page) => use(({ keys }) => keys.list(page)),
			find: (hash) => use(({ keys }) => keys.find(hash)),
			rename: (id, name) => use(({ keys }) => keys.rename(id, name)),
			revoke: (id, at) => use(({ keys }) => keys.revoke(id, at)),
			forget: (id, at) => use(({ keys }) => keys.forget(id, at)),
			rotate: (id, secret) => use(({ keys }) => keys.rotate(id, secret)),
			recordUse: (id, at) => use(({ keys }) => keys.recordUse(id, at)),
		},
		usage: {
			add: (counts) => use(({ usage }) => usage.add(counts)),
			read: (query) => use(({ usage }) => usage.read(query)),
			cleanUp: (now, isStopped) =>
				use(({ usage }) => usage.cleanUp(now, isStopped)),
		},
		sessions: {
			add: (session) => use(({ sessions }) => sessions.add(session)),
			find: (hash) => use(({ sessions }) => sessions.find(hash)),
			recordUse: (hash, at) =>
				use(({ sessions }) => sessions.recordUse(hash, at)),
			delete: (hash) => use(({ sessions }) => sessions.delete(hash)),
			deleteAll: () => use(({ sessions }) => sessions.deleteAll()),
			deleteExpired: (at) => use(({ sessions }) => sessions.deleteExpired(at)),
			addLink: (link) => use(({ sessions }) => sessions.addLink(link)),
			useLink: (hash, at) => use(({ sessions }) => sessions.useLink(hash, at)),
		},
		feed: {
			read: (query) => current.store.feed.read(query),
			last: () => current.store.feed.last(),
		},
		archive: {
			read: () => current.store.archive.read(),
			readOnline: (options) => current.store.archive.readOnline(options),
			write: (parts) => use(({ archive }) => archive.write(parts)),
			writeFirstPets: (parts) =>
				use(({ archive }) => archive.writeFirstPets(parts)),
			replace: (parts) => use(({ archive }) => archive.replace(parts)),
		},
		imports: {
			find: (importId) => use(({ imports }) => imports.find(importId)),
			findTaken: (staged) => use(({ imports }) => imports.findTaken(staged)),
			write: (staged, options) =>
				use(({ imports }) => imports.write(staged, options)),
		},
		exports: { open: (filter) => use(({ exports }) => exports.open(filter)) },
		describe: () => use(({ describe }) => describe()),
		ping: () => use(({ ping }) => ping()),
		onFailure() {},
		async close() {
			isClosed = true;
			await leave(current);
		},
		// One after the other, so that the last that was asked for is the one that stays.
		replace(next) {
			const replacement = lastReplacement.then(() => replaceNow(next));
			lastReplacement = replacement.catch(() => {});
			return replacement;
		},
	};

	async function replaceNow(next: DemoStart): Promise<void> {
		const filled = await openFilled(next, onAddBatch);
		if (isClosed) return leave(filled);
		const replaced = current;
		current = filled;
		await leave(replaced);
	}
}

interface Filled {
	readonly store: Store;
	/** What keeps it open: the sandbox itself until it is replaced, and work that waits. */
	users: number;
}

async function openFilled(
	start: DemoStart,
	onAddBatch: OnAddBatch,
): Promise<Filled> {
	const store = await openStore("sqlite::memory:", {
		create: true,
		onAddBatch,
	});
	try {
		await store.archive.writeFirstPets(toDemoParts(start));
	} catch (error) {
		await store.close();
		throw error;
	}
	return { store, users: 1 };
}

async function leave(filled: Filled): Promise<void> {
	filled.users--;
	if (filled.users === 0) await filled.store.close();
}
