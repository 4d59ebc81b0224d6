// What a supervisor gives a worker besides its own flags: its number and the port, in an environment variable.

export interface Assignment {
	readonly worker: number;
	readonly port: number;
}

export function toWorkerEnvironment({
	worker,
	port,
}: Assignment): Record<string, string | undefined> {
	return { ...process.env, PETSTORE_WORKER: `${worker}:${port}` };
}

/** Undefined in a process that is not a worker. */
export function readAssignment(): Assignment | undefined {
	const [, worker, port] =
		/^(\d+):(\d+)$/.exec(process.env.PETSTORE_WORKER ?? "") ?? [];
	return worker === undefined
		? undefined
		: { worker: Number(worker), port: Number(port) };
}
