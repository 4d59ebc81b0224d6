// The requests that a comparison sends. Each is the same bytes every time, so that the load generator has little work.

export interface FixedRequest {
	readonly name: string;
	readonly method: "GET" | "POST";
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string;
	readonly status: number;
	/** Sent to processes whose syncs take at least 5 ms. */
	readonly slowDisk?: true;
	/** More than one if few requests fit in a second, so that their code is compiled late. */
	readonly warmUpTurns?: number;
}

/** The facts of a server that its requests contain. */
export interface Facts {
	/** A stored key. */
	readonly key: string;
	/** The ETag of the first page. */
	readonly etag: string;
}

export function toRequests({ key, etag }: Facts): readonly FixedRequest[] {
	const headers = { Authorization: `Bearer ${key}` };
	const list = { method: "GET", path: "/v1/pets", headers } as const;
	const add = {
		method: "POST",
		path: "/v1/pets",
		headers: { ...headers, "Content-Type": "application/json" },
		body: '{"name":"Rex 123456789","categoryId":9007199254740,"status":"pending"}',
		status: 201,
	} as const;
	return [
		{ ...list, name: "list", status: 200 },
		{
			...list,
			name: "list with status and limit",
			path: "/v1/pets?status=available&limit=20",
			status: 200,
		},
		{ ...list, name: "get", path: "/v1/pets/500", status: 200 },
		{
			...list,
			name: "304 by ETag",
			headers: { ...headers, "If-None-Match": etag },
			status: 304,
		},
		{
			...list,
			name: "401",
			headers: { Authorization: "Bearer wrong" },
			status: 401,
		},
		{ ...add, name: "add" },
		{ ...add, name: "add on a slow disk", slowDisk: true, warmUpTurns: 6 },
		{
			...add,
			name: "add repeated",
			headers: { ...add.headers, "Idempotency-Key": "order-17" },
		},
	];
}
