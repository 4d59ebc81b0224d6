// Faults to plant in a copy of the service, each with the scenario that must catch it: a harness that finds nothing proves
// nothing until it has found something.
import {
	cpSync,
	mkdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { root } from "../test/process.ts";

export interface Plant {
	/** What the copy does wrong. */
	readonly fault: string;
	/** The name of the scenario. */
	readonly caughtBy: string;
	readonly file: string;
	/** This text of the file becomes that. */
	readonly from: string;
	readonly to: string;
	/** Also planted in `npm test`. */
	readonly inTests?: true;
}

const asynchronousCommits = {
	file: "src/store/postgres-database.ts",
	from: "CASE WHEN current_setting('synchronous_commit') = 'off'\n\tTHEN set_config('synchronous_commit', 'on', false) END",
	to: "set_config('synchronous_commit', 'off', false)",
};

export const plants: readonly Plant[] = [
	{
		fault: "an add is acknowledged 20 ms before its commit",
		caughtBy: "kill-service",
		file: "src/store/sqlite.ts",
		from: "write(db, () => additions.map((addition) => add(statements, addition))),",
		to: `{
			if (!db.inTransaction) {
				db.run("BEGIN IMMEDIATE");
				setTimeout(() => db.run("COMMIT"), 20);
			}
			return Promise.resolve(additions.map((addition) => add(statements, addition)));
		},`,
		inTests: true,
	},
	{
		fault: "an Idempotency-Key is not kept",
		caughtBy: "kill-service",
		file: "src/store/sqlite.ts",
		from: "statements.saveIdempotencyKey.run(owner, key, fingerprint, id, at);",
		to: "",
		inTests: true,
	},
	{
		fault: "an Idempotency-Key is not kept",
		caughtBy: "two-servers",
		file: "src/store/sqlite.ts",
		from: "statements.saveIdempotencyKey.run(owner, key, fingerprint, id, at);",
		to: "",
	},
	...["disk-full", "failing-writes", "failing-syncs"].map((caughtBy) => ({
		fault: "trouble of the disk is taken for a mistake of ours",
		caughtBy,
		file: "src/store/sqlite-database.ts",
		from: "FULL|IOERR|",
		to: "",
	})),
	{
		fault: "commits are not synced (`synchronous=OFF`)",
		caughtBy: "power-loss",
		file: "src/store/sqlite-schema.ts",
		from: "PRAGMA synchronous = FULL",
		to: "PRAGMA synchronous = OFF",
		inTests: true,
	},
	{
		fault: "commits are synced only now and then (`synchronous=NORMAL`)",
		caughtBy: "power-loss",
		file: "src/store/sqlite-schema.ts",
		from: "PRAGMA synchronous = FULL",
		to: "PRAGMA synchronous = NORMAL",
	},
	{
		fault: "the log is never cut",
		caughtBy: "held-reader",
		file: "src/store/sqlite-schema.ts",
		from: "PRAGMA journal_size_limit = ",
		to: "PRAGMA wal_autocheckpoint = 0; -- ",
	},
	{
		fault: "a key is shown before it is stored",
		caughtBy: "key-commands",
		file: "src/cli/issue.ts",
		from: "const { id } = await store.addKey(record);",
		to: "print(toText({ id: 0, key }));\n\tconst { id } = await store.addKey(record);",
	},
	...["postgres-kill-service", "postgres-sessions", "postgres-lost-reply"].map(
		(caughtBy) => ({
			fault: "an Idempotency-Key is ignored",
			caughtBy,
			file: "src/operations.ts",
			from: "if (key === undefined) return undefined;",
			to: "return undefined;",
		}),
	),
	...["postgres-restart", "postgres-failover"].map((caughtBy) => ({
		fault: "commits are not waited for (`synchronous_commit=off`)",
		caughtBy,
		...asynchronousCommits,
	})),
];

/** A copy of the project with the fault, in this folder; returns its command line. */
export function plant({ file, from, to }: Plant, folder: string): string {
	const copy = `${folder}/planted`;
	mkdirSync(copy);
	for (const part of ["bin", "src", "conformance", "package.json"])
		cpSync(`${root}${part}`, `${copy}/${part}`, { recursive: true });
	symlinkSync(`${root}node_modules`, `${copy}/node_modules`);
	const original = readFileSync(`${copy}/${file}`, "utf8");
	if (!original.includes(from))
		throw new Error(`${file} has no longer this text: ${from}`);
	writeFileSync(
		`${copy}/${file}`,
		original.replaceAll(from, () => to),
	);
	return `${copy}/bin/petstore`;
}
