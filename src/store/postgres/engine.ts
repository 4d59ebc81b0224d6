// PostgreSQL, for several machines. As in SQLite, one transaction writes at a time: each takes the same lock first. So positions of the feed
// are in the order of commits, and the work of a transaction is written once for both engines.
import { OperatorError, overloaded } from "../../domain/errors.ts";
import { maxQueueMs } from "../../limits.ts";
import { shareCalls } from "../batch.ts";
import type { Access, Description, Engine, Snapshot } from "../engine.ts";
import { toNextBase } from "../feed.ts";
import { first, type Row, run, runInTurn, toPlain, type Work } from "../sql.ts";
import { noState, type State, selectState } from "../tables.ts";
import { connectForLong, requireWritable, toName } from "./connection.ts";
import { orFailure } from "./errors.ts";
import { addPetsAtOnce } from "./inserts.ts";
import { openPool, toReader, transact } from "./pool.ts";
import { prepareSchema } from "./schema.ts";

export async function openPostgres(
	url: string,
	access: Access,
): Promise<Engine> {
	const name = toName(url);
	const isReadOnly = access === "read";
	try {
		const client = await connectForLong(url, isReadOnly ? "read" : "write");
		await prepareSchema(client, name, access).finally(() => client.end());
	} catch (error) {
		if (error instanceof OperatorError) throw error;
		// The whole message, which names the file of a certificate.
		const reason = error instanceof Error ? error.message : error;
		throw new OperatorError(`${name} cannot be used: ${reason}.`);
	}
	return toEngine(url, isReadOnly);
}

function toEngine(url: string, isReadOnly: boolean): Engine {
	const pool = openPool(url, isReadOnly);

	function read<Result>(work: () => Work<Result>): Promise<Result> {
		return pool.use((client) => runInTurn(toReader(client), work()));
	}

	let lastWrite: Promise<unknown> = Promise.resolve();

	/** One at a time, so that those who wait for the lock take one connection, and reads have the others. */
	function write<Result>(
		work: () => Work<Result>,
		since = performance.now(),
	): Promise<Result> {
		const written = lastWrite.then(() => {
			if (performance.now() - since > maxQueueMs) throw overloaded;
			return pool.use((client, mayCommit) =>
				transact(client, mayCommit, work()),
			);
		});
		lastWrite = written.catch(() => {});
		return written;
	}

	/** The connection is closed at the end, which rolls back a transaction that failed. */
	const writeLong = <Result>(work: () => Work<Result>): Promise<Result> =>
		orFailure(async (mayCommit) => {
			const client = await connectForLong(url, "write");
			return transact(client, mayCommit, work()).finally(() => client.end());
		});

	const openSnapshot = (): Promise<Snapshot> =>
		orFailure(async () => {
			const client = await connectForLong(url, "read");
			// The snapshot begins with the first query.
			const begin =
				"BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT last FROM counter";
			await client.query(begin).catch(async (error) => {
				await client.end();
				throw error;
			});
			return {
				read: (work) => orFailure(() => runInTurn(toReader(client), work())),
				mustEndSoon: () => false,
				close: () => client.end(),
			};
		});

	let known = noState;

	/** The same object as long as nothing has changed. */
	async function readState(): Promise<State> {
		const found = await read(() => first<State>("read state", selectState));
		const { epoch, last } = found ?? noState;
		if (known.epoch === epoch && last < known.last) {
			// PostgreSQL has lost commits, for example because a standby took over without them. The positions come again, for other changes: in
			// another epoch, which another process may have begun already, readers with earlier positions get a 410.
			const given = BigInt(epoch) + known.last;
			const base = `${toNextBase(given, known.last)}`;
			await write(() =>
				run("begin epoch", "UPDATE counter SET base = $1 WHERE base = $2", [
					base,
					epoch,
				]),
			);
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
		toHint: () => "",
		async describe() {
			const row = await read(() => first<Row>("describe", described));
			return toPlain<Description>(row ?? {});
		},
		/** The tables must be readable, and the server must take writes. Without the lock, since an import may hold it for long. */
		ping: shareCalls(() =>
			pool.use(async (client) => {
				await client.query("SELECT FROM pets LIMIT 1");
				await requireWritable(client);
			}),
		),
		close: pool.close,
	};
}

const serverTime =
	"SELECT CAST(extract(epoch FROM now()) * 1000 AS int8) AS at";

/** Some servers add the name of their packager to the version. */
const described = `
	SELECT 'postgres' AS engine, split_part(current_setting('server_version'), ' ', 1) AS "engineVersion",
		(SELECT version FROM schema_mark) AS schema,
		(SELECT CAST(sum(pg_total_relation_size(oid)) AS int8) FROM pg_class
			WHERE relnamespace = 'petstore'::regnamespace AND relkind = 'r') AS "databaseBytes"`;
