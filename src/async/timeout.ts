// Waiting for a promise, but not for ever.

/** Settles like `work`; or, if that takes longer than `ms`, rejects with the error that `toError` makes or throws. */
export function withTimeout<Result>(
	ms: number,
	work: Promise<Result>,
	toError: () => Error,
): Promise<Result> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => {
			try {
				reject(toError());
			} catch (error) {
				reject(error);
			}
		}, ms);
		const settle = () => {
			clearTimeout(timer);
			resolve(work);
		};
		work.then(settle, settle);
	});
}
