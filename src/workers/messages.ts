// The messages between a supervisor and its workers.

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

export const listening: Listening = { type: "listening" };
export const stop: Stop = { type: "stop" };
export const retire: Retire = { type: "retire" };

export function isListening(message: unknown): message is Listening {
	return hasType(message, listening.type);
}

export function isStop(message: unknown): message is Stop {
	return hasType(message, stop.type);
}

export function isRetire(message: unknown): message is Retire {
	return hasType(message, retire.type);
}

function hasType(message: unknown, type: string): boolean {
	return (
		typeof message === "object" &&
		message !== null &&
		"type" in message &&
		message.type === type
	);
}
