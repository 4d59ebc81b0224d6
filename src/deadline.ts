// Nobody waits for ever.

/** The answer; or, if it takes longer, a failure of the given making. */
export function within<Result>(
	ms: number,
	answer: Promise<Result>,
	toFailure: () => Error,
): Promise<Result> {
	// By hand: Promise.race and two async functions took a third longer.
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => reject(toFailure()), ms);
		answer.then(
			(result) => {
				clearTimeout(timer);
				resolve(result);
			},
			(error) => {
				clearTimeout(timer);
				reject(error);
			},
		);
	});
}
