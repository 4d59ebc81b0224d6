// A value, or a promise of one. A request that need not wait gets its reply without a promise: with `await` a list takes 7 % more processor
// time, and a get 13 %.

export type Awaitable<Value> = Value | Promise<Value>;

export function isPending<Value>(
	value: Awaitable<Value>,
): value is Promise<Value> {
	return value instanceof Promise;
}

/** Calls `next` with the value, at once if it is no promise. The context is an argument, so `next` needs no closure. */
export function after<Value, Context, Result>(
	value: Awaitable<Value>,
	next: (value: Value, context: Context) => Awaitable<Result>,
	context: Context,
): Awaitable<Result> {
	return isPending(value) ? later(value, next, context) : next(value, context);
}

async function later<Value, Context, Result>(
	value: Promise<Value>,
	next: (value: Value, context: Context) => Awaitable<Result>,
	context: Context,
): Promise<Result> {
	return next(await value, context);
}
