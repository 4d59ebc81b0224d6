// The messages between a supervisor and its workers.
import type { Snapshot } from "../usage/metrics/snapshot.ts";

/** From a worker, once its server listens. */
export interface Listening {
	readonly type: "listening";
}

/** From the supervisor: drain and stop. */
export interface Stop {
	readonly type: "stop";
}

/** From the supervisor: another process of this worker listens, so end all connections and stop. */
export interface Retire {
	readonly type: "retire";
}

/** From the supervisor: send your metrics. */
export interface SendMetrics {
	readonly type: "send metrics";
}

/** From a worker: its metrics, at intervals and when they are asked for. */
export interface OwnMetrics {
	readonly type: "own metrics";
	readonly snapshot: Snapshot;
}

/** From a worker: send the metrics of all workers. The reply has the same number. */
export interface CollectMetrics {
	readonly type: "collect metrics";
	readonly number: number;
}

/** From the supervisor: the metrics of all workers. */
export interface AllMetrics {
	readonly type: "all metrics";
	readonly number: number;
	readonly snapshot: Snapshot;
}

export const listening: Listening = { type: "listening" };
export const stop: Stop = { type: "stop" };
export const retire: Retire = { type: "retire" };
export const sendMetrics: SendMetrics = { type: "send metrics" };

export function isListening(message: unknown): message is Listening {
	return hasType(message, listening.type);
}

export function isStop(message: unknown): message is Stop {
	return hasType(message, stop.type);
}

export function isRetire(message: unknown): message is Retire {
	return hasType(message, retire.type);
}

export function isSendMetrics(message: unknown): message is SendMetrics {
	return hasType(message, sendMetrics.type);
}

export function isOwnMetrics(message: unknown): message is OwnMetrics {
	return hasType(message, "own metrics");
}

export function isCollectMetrics(message: unknown): message is CollectMetrics {
	return hasType(message, "collect metrics");
}

export function isAllMetrics(message: unknown): message is AllMetrics {
	return hasType(message, "all metrics");
}

function hasType(message: unknown, type: string): boolean {
	return (
		typeof message === "object" &&
		message !== null &&
		"type" in message &&
		message.type === type
	);
}
