// A value that is there, or a promise of it. Where nothing has to be waited for, a request is answered without a promise:
// those of one list took 2 of its 14 µs.

export type Awaitable<Value> = Value | Promise<Value>;

export function isPending<Value>(
	value: Awaitable<Value>,
): value is Promise<Value> {
	return value instanceof Promise;
}

/**
 * What `next` makes of the value: at once if it is there. It gets what it is given beside it, and needs no closure: those of a
 * get took 0.4 of its 4.8 µs in the app.
 */
export function after<Value, Given, Result>(
	value: Awaitable<Value>,
	next: (value: Value, given: Given) => Awaitable<Result>,
	given: Given,
): Awaitable<Result> {
	return isPending(value) ? later(value, next, given) : next(value, given);
}

async function later<Value, Given, Result>(
	value: Promise<Value>,
	next: (value: Value, given: Given) => Awaitable<Result>,
	given: Given,
): Promise<Result> {
	return next(await value, given);
}
