// Turns flags and the environment into the configuration of a command.
import { requireReadable } from "../backups/folder.ts";
import { OperatorError } from "../contract/errors.ts";
import { visibleAscii } from "../contract/parameter.ts";
import {
	type OperationId,
	operationIds,
	operations,
} from "../contract/v1/operations.ts";
import type { Address } from "../http/address.ts";
import { readTls, type Tls } from "../http/tls.ts";
import type { LogOptions } from "../log/log.ts";
import type { PetstoreOptions } from "../petstore.ts";
import type { DemoStart } from "../sandbox/demo-animals.ts";
import { isFile } from "../store/open.ts";
import { readAssignment } from "../workers/assignment.ts";
import { wantsColours } from "./environment.ts";
import type { DocumentFlags, ServeFlags } from "./options.ts";
import { requireSingleWorker, toStart } from "./sandbox/start.ts";

export interface DocumentConfig {
	readonly operationIds: readonly OperationId[];
	readonly baseUrl: string | undefined;
	readonly stagingUrl: string | undefined;
}

export interface ServeConfig extends PetstoreOptions {
	readonly address: Address;
	/** Whether the database was named by the flag, which other commands then need too. */
	readonly isDatabaseTyped: boolean;
	readonly workers: number;
	/** The number of this process, if it is a worker. */
	readonly worker: number | undefined;
	readonly drainMs: number;
	/** How long the start waits for PostgreSQL to accept connections. */
	readonly waitForDatabaseMs: number;
	/** The animals that a database without any gets. */
	readonly demo: DemoStart | undefined;
	readonly logOptions: LogOptions;
}

export function toDocumentConfig(flags: DocumentFlags): DocumentConfig {
	return {
		operationIds: operationIds.filter(
			(id) =>
				operations[id].deprecation === undefined || !flags.withoutDeprecated,
		),
		baseUrl: flags.baseUrl,
		stagingUrl: flags.stagingUrl,
	};
}

/** `databaseSource` is where commander found the database: "default", "env" or "cli". */
export function toServeConfig(
	flags: ServeFlags,
	databaseSource: string | undefined,
): ServeConfig {
	requireDemoFlags(flags);
	const { sandbox: isSandbox = false } = flags;
	const assignment = readAssignment();
	const isWorker = assignment !== undefined;
	const tls = toTls(flags);
	const { operatorAddress } = flags;
	const database =
		isSandbox && databaseSource === "default"
			? "sqlite::memory:"
			: flags.database;
	// A worker that is started again must not fail for it.
	if (flags.backups !== undefined && !isWorker) requireReadable(flags.backups);
	if (flags.memory !== undefined && !isFile(database))
		throw new OperatorError("--memory needs a database in a SQLite file.", 2);
	return {
		document: toDocumentConfig(flags),
		database,
		isDatabaseTyped: databaseSource === "cli",
		// A worker uses the database that its supervisor has created. If that was removed since, it must not create an empty one.
		opening: {
			create: !isWorker,
			poolSize: flags.poolSize,
			memoryBytes: flags.memory,
		},
		processes: { workers: flags.workers, cleanUp: !isWorker },
		address: {
			host: flags.host,
			port: assignment?.port ?? flags.port,
			tls,
			reusePort: isWorker,
		},
		operatorAddress: operatorAddress && {
			host: operatorAddress.host,
			port: assignment?.operatorPort ?? operatorAddress.port,
			tls,
			reusePort: isWorker,
		},
		workers: flags.workers,
		worker: assignment?.worker,
		rateLimit: flags.rateLimit,
		hstsSeconds: toHstsSeconds(flags, tls !== undefined),
		drainMs: flags.drain * 1000,
		// Before a worker starts, its supervisor has waited.
		waitForDatabaseMs: isWorker ? 0 : (flags.waitForDatabase ?? 0),
		sandbox: isSandbox ? toStart(flags) : undefined,
		demo:
			flags.demo === undefined
				? undefined
				: toStart({ ...flags, animals: flags.demo }),
		backups: flags.backups,
		log: { requests: flags.logRequests },
		logOptions: {
			worker: assignment?.worker,
			format: flags.logFormat ?? (isSandbox ? "text" : undefined),
			colours: wantsColours(),
		},
		apiKey: readApiKey(),
	};
}

function requireDemoFlags(flags: ServeFlags): void {
	const { sandbox, demo, animals, seed, workers } = flags;
	if (sandbox && flags.operatorAddress !== undefined)
		throw new OperatorError(
			"A sandbox has one address; leave --operator-address out.",
			2,
		);
	if (sandbox) requireSingleWorker(workers);
	else if (animals !== undefined)
		throw new OperatorError("--animals needs --sandbox.", 2);
	if (sandbox && demo !== undefined)
		throw new OperatorError(
			"--sandbox has demo animals already: give their number with --animals, and leave --demo out.",
			2,
		);
	if (seed !== undefined && !sandbox && demo === undefined)
		throw new OperatorError("--seed needs --sandbox or --demo.", 2);
}

function toTls({ tlsCert, tlsKey }: ServeFlags): Tls | undefined {
	if (tlsCert === undefined && tlsKey === undefined) return undefined;
	if (tlsCert !== undefined && tlsKey !== undefined)
		return readTls(tlsCert, tlsKey);
	throw new OperatorError(
		"TLS needs both a certificate and its key: give --tls-cert and --tls-key, or neither.",
		2,
	);
}

/** Over plain HTTP browsers ignore it, so whoever asks for it has forgotten something. */
function toHstsSeconds(
	{ hsts, baseUrl = "" }: ServeFlags,
	hasTls: boolean,
): number | undefined {
	if (hsts === undefined || hasTls || baseUrl.startsWith("https:"))
		return hsts === undefined ? undefined : hsts / 1_000;
	throw new OperatorError(
		"--hsts needs HTTPS: give --tls-cert and --tls-key, or the address of a proxy with TLS as --base-url https://….",
		2,
	);
}

/** Not a flag, since other users of the machine can read the command lines of its processes. */
function readApiKey(): string | undefined {
	const key = process.env.PETSTORE_API_KEY;
	if (key === undefined || visibleAscii.test(key)) return key;
	throw new OperatorError(
		"PETSTORE_API_KEY must be 1 to 255 visible ASCII characters.",
		2,
	);
}
