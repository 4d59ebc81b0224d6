// Faults in changes of the catalogue and in the feed.

import { maxInt64 } from "../../src/domain/json.ts";
import { type Variant, variant } from "../../test/harness/variant.ts";

export const changeMutants: readonly Variant[] = [
	variant(
		"If-Match is ignored",
		"src/domain/version.ts",
		"toCondition",
		() => () => undefined,
	),
	variant(
		"the version of a batch's entry is ignored",
		"src/domain/version.ts",
		"toVersionCondition",
		() => () => undefined,
	),
	variant(
		"the ETag of an animal does not name the epoch",
		"src/domain/version.ts",
		"toPetTag",
		(toPetTag) => (_epoch, version) => toPetTag("1", version),
	),
	variant(
		"If-Match compares versions of any epoch",
		"src/domain/version.ts",
		"toCondition",
		(toCondition) => (ifMatch) => toCondition(ifMatch)?.replace(/[0-9]+-/g, ""),
	),
	variant(
		"a changed animal keeps its version",
		"src/store/sqlite/feed/feed.ts",
		"prepareRecord",
		(prepareRecord) => (db) => {
			const save = prepareRecord(db);
			return (petId, ...change) => {
				save(petId, ...change);
				return petId;
			};
		},
	),
	variant(
		"a cached page stays until an animal is added",
		"src/store/queue/page-cache.ts",
		"cachePages",
		(cachePages) => (_version, read) => {
			const newest = { status: undefined, limit: 1, maxId: maxInt64 };
			const newestId = () => Number(read(newest)[0]?.id ?? 0);
			return cachePages(newestId, read);
		},
	),
	variant(
		"an id is given twice after its animal is gone",
		"src/store/sqlite/requests/pet-transactions.ts",
		"preparePetTransactions",
		(preparePetTransactions) => (db) => {
			const transactions = preparePetTransactions(db);
			const changePets: typeof transactions.changePets = (...call) => {
				const changed = transactions.changePets(...call);
				db.run(
					"UPDATE sqlite_sequence SET seq = (SELECT COALESCE(max(id), 0) FROM pets) WHERE name = 'pets'",
				);
				return changed;
			};
			return { ...transactions, changePets };
		},
	),
	variant(
		"the feed leaves removals out",
		"src/store/feed.ts",
		"openFeed",
		(openFeed) =>
			(...parts) => {
				const feed = openFeed(...parts);
				const read: typeof feed.read = async (query) => {
					const page = await feed.read(query);
					if (page === "gone") return page;
					const entries = page.entries.filter(({ kind }) => kind !== "removed");
					return { ...page, entries };
				};
				return { ...feed, read };
			},
	),
	variant(
		"a page of the feed is in the order of the animals",
		"src/store/feed.ts",
		"openFeed",
		(openFeed) =>
			(...parts) => {
				const feed = openFeed(...parts);
				const read: typeof feed.read = async (query) => {
					const page = await feed.read(query);
					if (page === "gone") return page;
					const entries = page.entries.toSorted((one, other) =>
						Number(one.petId - other.petId),
					);
					return { ...page, entries };
				};
				return { ...feed, read };
			},
	),
	variant(
		"PostgreSQL: the feed is read past transactions that are open",
		"src/store/postgres/feed/horizon.ts",
		"createHorizon",
		(createHorizon) => (db) => {
			const readHorizon = createHorizon(db, 0);
			return async () => {
				const horizon = await readHorizon();
				return { ...horizon, safe: horizon.last };
			};
		},
	),
	variant(
		"PostgreSQL: a position is drawn before its transaction has an xid",
		"src/store/postgres/feed/epoch.ts",
		"nextId",
		() => "nextval('petstore.pet_ids')",
	),
];
