// Faults to plant in a copy of the service, each with the scenario that must catch it: a harness that finds nothing proves
// nothing until it has found something.

import type { Fault } from "./plant.ts";

export interface Plant extends Fault {
	/** The name of the scenario. */
	readonly caughtBy: string;
	/** Also planted in `npm test`. */
	readonly inTests?: true;
}

const commitOfAdditions = "commit(() => addAll(statements, additions))";

export const plants: readonly Plant[] = [
	{
		fault: "an add is acknowledged 20 ms before its commit",
		caughtBy: "kill-service",
		file: "src/store/sqlite/writes.ts",
		from: commitOfAdditions,
		to: `{
			if (!db.inTransaction) {
				db.run("BEGIN IMMEDIATE");
				setTimeout(() => db.run("COMMIT"), 20);
			}
			return Promise.resolve(addAll(statements, additions));
		}`,
		inTests: true,
	},
	{ ...keyNotKept("kill-service"), inTests: true },
	keyNotKept("two-servers"),
	{
		fault: "a full disk is taken for a mistake of ours",
		caughtBy: "disk-full",
		file: "src/store/sqlite/database.ts",
		from: "FULL|IOERR|",
		to: "",
	},
	failureAcknowledged("failing-writes"),
	failureAcknowledged("failing-syncs"),
	{
		...synchronous("OFF", "commits are not synced"),
		inTests: true,
	},
	synchronous("NORMAL", "commits are synced only now and then"),
	{
		fault: "the log has no bound",
		caughtBy: "held-reader",
		file: "src/store/sqlite/wal.ts",
		from: "if (isFull)",
		to: "if (false)",
	},
	{
		fault: "a key is shown before it is stored",
		caughtBy: "key-commands",
		file: "src/cli/issue.ts",
		from: "const { id } = await store.addKey(record);",
		to: "print(toText({ id: 0, key }));\n\tconst { id } = await store.addKey(record);",
	},
	keyIgnored("postgres-kill-service"),
	commitNotAwaited("postgres-restart"),
	keyIgnored("postgres-sessions"),
	keyIgnored("postgres-lost-reply"),
	commitNotAwaited("postgres-failover"),
];

function keyNotKept(caughtBy: string): Plant {
	return {
		fault: "an Idempotency-Key is not kept",
		caughtBy,
		file: "src/store/sqlite/writes.ts",
		from: "statements.saveIdempotencyKey.run(owner, key, fingerprint, id, at);",
		to: "",
	};
}

function failureAcknowledged(caughtBy: string): Plant {
	return {
		fault: "an add whose commit failed is acknowledged",
		caughtBy,
		file: "src/store/sqlite/writes.ts",
		from: commitOfAdditions,
		to: `${commitOfAdditions}.catch(() => additions.map(() => ({ outcome: "added", id: 1n })))`,
	};
}

function synchronous(level: "OFF" | "NORMAL", fault: string): Plant {
	return {
		fault: `${fault} (\`synchronous=${level}\`)`,
		caughtBy: "power-loss",
		file: "src/store/sqlite/schema.ts",
		from: "PRAGMA synchronous = FULL",
		to: `PRAGMA synchronous = ${level}`,
	};
}

function keyIgnored(caughtBy: string): Plant {
	return {
		fault: "an Idempotency-Key is ignored",
		caughtBy,
		file: "src/v1/operations.ts",
		from: "if (key === undefined) return undefined;",
		to: "return undefined;",
	};
}

function commitNotAwaited(caughtBy: string): Plant {
	return {
		fault: "commits are not waited for (`synchronous_commit=off`)",
		caughtBy,
		file: "src/store/postgres/database.ts",
		from: "set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), false)",
		to: "set_config('synchronous_commit', 'off', false)",
	};
}
