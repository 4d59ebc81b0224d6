// What a supervisor gives a worker besides its own flags: its number and the ports, in an environment variable.

export interface Assignment {
	readonly worker: number;
	readonly port: number;
	/** Of the address for operators, if there is one. */
	readonly operatorPort?: number | undefined;
}

export function toWorkerEnvironment({
	worker,
	port,
	operatorPort,
}: Assignment): Record<string, string | undefined> {
	const ports = operatorPort === undefined ? port : `${port}:${operatorPort}`;
	return { ...process.env, PETSTORE_WORKER: `${worker}:${ports}` };
}

/** Undefined in a process that is not a worker. */
export function readAssignment(): Assignment | undefined {
	const [, worker, port, operatorPort] =
		/^(\d+):(\d+)(?::(\d+))?$/.exec(process.env.PETSTORE_WORKER ?? "") ?? [];
	return worker === undefined
		? undefined
		: {
				worker: Number(worker),
				port: Number(port),
				operatorPort:
					operatorPort === undefined ? undefined : Number(operatorPort),
			};
}
