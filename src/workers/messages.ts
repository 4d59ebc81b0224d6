// How supervisor and workers communicate: an assignment in an environment variable, then messages in both directions.
import type { Snapshot } from "../usage/metrics/snapshot.ts";

export interface Assignment {
	readonly worker: number;
	readonly port: number;
	/** Only with an address for operators. */
	readonly operatorPort?: number | undefined;
}

export function toWorkerEnvironment({
	worker,
	port,
	operatorPort,
}: Assignment): Record<string, string | undefined> {
	const PETSTORE_WORKER = [worker, port, operatorPort].join(":");
	return { ...process.env, PETSTORE_WORKER };
}

/** Undefined in a process that is not a worker. */
export function readAssignment(): Assignment | undefined {
	const [, worker, port, operatorPort] =
		/^(\d+):(\d+):?(\d*)$/.exec(process.env.PETSTORE_WORKER ?? "") ?? [];
	if (worker === undefined) return undefined;
	return {
		worker: Number(worker),
		port: Number(port),
		operatorPort: operatorPort ? Number(operatorPort) : undefined,
	};
}

export type FromWorker =
	| { readonly type: "listening" }
	/** At intervals, and when the supervisor asks for them. */
	| { readonly type: "own metrics"; readonly snapshot: Snapshot }
	/** Asks for the metrics of all workers. */
	| { readonly type: "collect metrics" };

export type FromSupervisor =
	/** Drain and stop. */
	| { readonly type: "stop" }
	/** Another process of this worker listens, so end all connections and stop. */
	| { readonly type: "retire" }
	| { readonly type: "send metrics" }
	| { readonly type: "all metrics"; readonly snapshot: Snapshot };

type Message = FromWorker | FromSupervisor;

export function isMessage<Type extends Message["type"]>(
	message: unknown,
	type: Type,
): message is Extract<Message, { type: Type }> {
	return (
		typeof message === "object" &&
		message !== null &&
		"type" in message &&
		message.type === type
	);
}
