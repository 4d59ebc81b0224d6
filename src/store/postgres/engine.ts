// PostgreSQL, for several machines. As in SQLite, one transaction writes at a time: each takes the same lock first. So positions of the
// feed are in the order of commits, and the work of a transaction is written once for both engines.
import {
	notDurableNow,
	OperatorError,
	overloaded,
} from "../../domain/errors.ts";
import { maxQueueMs, postgresAnswerMs } from "../../limits.ts";
import { shareCalls } from "../database/batch.ts";
import type {
	Access,
	Description,
	Engine,
	Known,
	Snapshot,
} from "../database/engine.ts";
import {
	first,
	type Row,
	runInTurn,
	toPlain,
	type Work,
} from "../database/sql.ts";
import {
	isWithin,
	noState,
	type State,
	selectNumber,
	selectState,
	toNextBase,
} from "../database/state.ts";
import { askWithState, foldAfter } from "../edits/totals.ts";
import {
	connectForLong,
	end,
	requireOwnSession,
	requireWritable,
	toConfig,
	toName,
} from "./connection.ts";
import { followCourse } from "./course.ts";
import { orFailure } from "./errors.ts";
import { openDurability, openFlush, watchWarnings } from "./flush.ts";
import { addPetsAtOnce } from "./inserts.ts";
import { type Ended, openPool, toNumber, toReader, transact } from "./pool.ts";
import { prepareSchema } from "./schema.ts";

export async function openPostgres(
	url: string,
	access: Access,
): Promise<Engine> {
	const name = toName(url);
	const isReadOnly = access === "read";
	try {
		const client = await connectForLong(url, isReadOnly ? "read" : "write");
		await requireOwnSession(client, url)
			.then(() => prepareSchema(client, name, access))
			.finally(() => end(client));
	} catch (error) {
		if (error instanceof OperatorError) throw error;
		// The whole message, which names the file of a certificate.
		const reason = error instanceof Error ? error.message : error;
		throw new OperatorError(`${name} cannot be used: ${reason}.`);
	}
	return toEngine(url, isReadOnly);
}

function toEngine(url: string, isReadOnly: boolean): Engine {
	const config = toConfig(url);
	// Who only reads may read a standby, which cannot flush.
	const flush = openFlush();
	const durability = isReadOnly ? undefined : openDurability(config, flush);
	const pool = openPool(config, {
		isReadOnly,
		onLost: () => durability?.drop(),
		onConnect: async (client) => durability?.follow(await followCourse(client)),
	});

	/** The rows are there when everything that they show is durable. */
	async function read<Result>(
		work: () => Work<Result>,
		known?: Known<Result>,
	): Promise<Result> {
		const asked = durability?.session();
		const session = asked instanceof Promise ? await asked : asked;
		let number: bigint | undefined;
		const onNumber = (newest: bigint) => {
			number = newest;
		};
		const result = await pool.use((client) => {
			const asksNumber = session !== undefined && known === undefined;
			return runInTurn(
				toReader(client, asksNumber ? onNumber : undefined),
				work(),
			);
		});
		if (session === undefined) return result;
		if (!session.hasEnded() && known?.isDurable(result, session.durable()))
			return result;
		number ??= await pool.use(async (client) =>
			toNumber((await client.query<{ number: bigint }>(selectNumber)).rows),
		);
		await session.confirm(number, postgresAnswerMs);
		known?.onDurable?.(result);
		return result;
	}

	/** Its result, and its refusal too, are there when everything that it has written and seen is durable. */
	async function commit<Result>(
		run: () => Promise<Ended<Result>>,
	): Promise<Result> {
		if (durability?.isDoubtful()) await durability.prove();
		const ended = await run().catch((error) => {
			durability?.doubt(error);
			throw error;
		});
		const { durable } = ended;
		durability?.learn(durable);
		if (durable.number - durable.folded >= nextFold) startFold();
		if ("refusal" in ended) throw ended.refusal;
		return ended.result;
	}

	let nextFold = toNextFold();
	let isFolding = false;

	/** Beside the queue of writes, which need not wait for its flush. If it fails, another one follows. */
	async function startFold(): Promise<void> {
		if (isFolding) return;
		isFolding = true;
		nextFold = toNextFold();
		await transactNow(() => foldAfter(foldedStates)).catch(() => {});
		isFolding = false;
	}

	const transactNow = <Result>(work: () => Work<Result>): Promise<Result> =>
		commit(() =>
			pool.use((client, mayCommit) =>
				transact(client, mayCommit, work(), flush),
			),
		);

	let lastWrite: Promise<unknown> = Promise.resolve();

	/** One at a time, so that those who wait for the lock take one connection, and reads have the others. */
	function write<Result>(
		work: () => Work<Result>,
		since = performance.now(),
	): Promise<Result> {
		const written = lastWrite.then(() => {
			if (performance.now() - since > maxQueueMs) throw overloaded;
			return transactNow(work);
		});
		lastWrite = written.catch(() => {});
		return written;
	}

	/** The connection is closed at the end, which rolls back a transaction that failed. */
	const writeLong = <Result>(work: () => Work<Result>): Promise<Result> =>
		commit(() =>
			orFailure(async (mayCommit) => {
				const client = await connectForLong(url, "write");
				watchWarnings(client);
				return transact(client, mayCommit, work(), flush).finally(() =>
					end(client),
				);
			}),
		);

	async function openSnapshot(): Promise<Snapshot> {
		const session = await durability?.session();
		const { client, number } = await orFailure(async () => {
			const client = await connectForLong(url, "read");
			try {
				await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
				// The snapshot begins with the first query.
				const { rows } = await client.query<{ number: bigint }>(selectNumber);
				return { client, number: toNumber(rows) };
			} catch (error) {
				await end(client);
				throw error;
			}
		});
		try {
			await session?.confirm(number, postgresAnswerMs);
		} catch (error) {
			await end(client);
			throw error;
		}
		return {
			read: (work) => orFailure(() => runInTurn(toReader(client), work())),
			mustEndSoon: () => false,
			close: () => end(client),
		};
	}

	let known: State = noState;

	/** The same object as long as nothing has changed. */
	async function readState(): Promise<State> {
		const found = await read(() => first<State>("read state", selectState), {
			isDurable: (found, durable) =>
				found !== undefined && isWithin(found, durable),
		});
		const { epoch, last } = found ?? noState;
		if (known.epoch === epoch && last < known.last) {
			// PostgreSQL has lost commits, for example because a standby took over without them. The positions come again, for other changes: in
			// another epoch, which another process may have begun already, readers with earlier positions get a 410.
			const given = BigInt(epoch) + known.last;
			const base = `${toNextBase(given, known.last)}`;
			await write(function* () {
				const now = yield* askWithState();
				if (now.epoch === epoch) yield { moves: { base } };
			});
			known = noState;
			return readState();
		}
		if (known.epoch !== epoch || known.last !== last) known = { epoch, last };
		return known;
	}

	return {
		/** Callers at the same time share the query, which begins after all of them have asked. */
		state: shareCalls(readState),
		read,
		write,
		writeLong,
		addPets: addPetsAtOnce,
		openSnapshot,
		async readClock() {
			const row = await read(() =>
				first<{ at: bigint }>("read clock", serverTime),
			);
			return Number(row?.at ?? Date.now());
		},
		position: "strpos",
		toHint: () => "",
		indexNames:
			"SELECT indexname AS name FROM pg_indexes WHERE schemaname = 'petstore'",
		async describe() {
			const row = await read(() => first<Row>("describe", described));
			return toPlain<Description>(row ?? {});
		},
		/** The tables must be readable, and the server must take writes. Without the lock, since an import may hold it for long. */
		ping: shareCalls(async () => {
			if (durability?.isDoubtful()) await durability.prove();
			if ((await durability?.session())?.isSlow()) throw notDurableNow;
			await pool.use(async (client) => {
				await client.query("SELECT FROM pets LIMIT 1");
				await requireWritable(client);
			});
		}),
		async close() {
			durability?.drop();
			await pool.close();
		},
	};
}

/** Transactions in a fold. */
const foldedStates = 64n;

/** After how many a copy folds them: another number each time, so that seldom two copies do it at once. */
function toNextFold(): bigint {
	return foldedStates + BigInt(Math.floor(Math.random() * 64));
}

const serverTime =
	"SELECT CAST(extract(epoch FROM now()) * 1000 AS int8) AS at";

/** Some servers add the name of their packager to the version. */
const described = `
	SELECT 'postgres' AS engine, split_part(current_setting('server_version'), ' ', 1) AS "engineVersion",
		(SELECT version FROM schema_mark) AS schema,
		(SELECT CAST(sum(pg_total_relation_size(oid)) AS int8) FROM pg_class
			WHERE relnamespace = 'petstore'::regnamespace AND relkind = 'r') AS "databaseBytes"`;
