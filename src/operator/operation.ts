// What the operations for operators work with.
import type { BackupFolder } from "../backups/folder.ts";
import type { BackupMaker } from "../backups/maker.ts";
import type { Authored } from "../domain/access/author.ts";
import { withTimeout } from "../domain/async.ts";
import { storeUnavailable, unavailable } from "../domain/errors.ts";
import type { Unsent } from "../http/parts.ts";
import type { RequestCounts } from "../http/request-counts.ts";
import type { Slots } from "../http/slots.ts";
import {
	anonymous,
	type Call,
	type Identity,
	noSocket,
} from "../http/surface.ts";
import {
	type Operation,
	operationsOf,
	type Resource,
} from "../interface/operation.ts";
import { longWriteMs, operatorAnswerMs } from "../limits.ts";
import type { FailureLog } from "../log.ts";
import type { Store } from "../store/store.ts";

export const operatorPrefix = "/operator/v1";

export interface OperatorService {
	readonly store: Store;
	readonly backups: {
		readonly folder: BackupFolder;
		/** Undefined for a command, and if the service makes no backups. */
		readonly maker?: BackupMaker | undefined;
	};
	/** What the process that serves knows; undefined for a command. */
	readonly running?: {
		/** A part of cursors: a reset of the sandbox makes the earlier ones invalid. */
		readonly resets?: (() => string) | undefined;
		readonly readRequests: RequestCounts["recent"];
		/** Logs a failure of work whose reply has begun. */
		readonly report: FailureLog["reportWork"];
		/** Limits of its work. */
		readonly unsent: Unsent;
		readonly exports: Slots;
		readonly imports: Slots;
	};
}

/** What handlers see of a request. */
export type OperatorCall = Pick<Call, "request" | "identity" | "source">;

/** For callers with the scope `operator`, unless an operation has another scope. */
export const operation = operationsOf<OperatorService, OperatorCall>({
	scope: "operator",
});
export type OperatorOperation = Operation<OperatorService, OperatorCall>;
export type OperatorResource = Resource<OperatorOperation>;

/** The call of a command: by the person at the command line. */
export const commandCall: OperatorCall = {
	request: new Request("http://127.0.0.1/"),
	identity: anonymous,
	source: noSocket,
};

/** The author and time of a change. */
export function toAuthored({ author }: Identity): Authored {
	return { by: author, at: Date.now() };
}

/** With the timeout of a read, which may queue behind others before it reaches the database. */
export function inTime<Result>(reading: Promise<Result>): Promise<Result> {
	return withTimeout(operatorAnswerMs, reading, storeUnavailable);
}

/** Gives a long write over HTTP its time; after that it is rolled back. */
export async function writeLong<Done>(
	{ request, source }: OperatorCall,
	write: (signal: AbortSignal) => Promise<Done>,
	/** What does the same without a limit. */
	command: string,
): Promise<Done> {
	const controller = new AbortController();
	source.allowIdle(request, longWriteMs);
	const timer = setTimeout(() => {
		const seconds = longWriteMs / 1000;
		controller.abort(
			unavailable(
				`It did not finish within ${seconds} seconds, and nothing was done. Use ${command}.`,
			),
		);
	}, longWriteMs);
	return write(controller.signal).finally(() => clearTimeout(timer));
}

/** The header of a reply to what has made an edit. */
export function toEditHeader(edit: bigint | undefined) {
	return edit === undefined ? {} : { "Edit-Id": `${edit}` };
}
