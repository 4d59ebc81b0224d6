// Keeps a load near a rate. Each connection pauses between a reply and its next request. How long a reply takes is not known before, so the
// pause is corrected by the rate that it led to.

export interface Pace {
	readonly pauseMs: () => number;
	/** Takes the requests a second that the last pause led to. */
	readonly correct: (measured: number) => void;
}

export function createPace(rate: number, connections: number): Pace {
	const toCycleMs = (perSecond: number) => (1_000 * connections) / perSecond;
	let pauseMs = toCycleMs(rate);
	return {
		pauseMs: () => pauseMs,
		correct(measured) {
			pauseMs = Math.max(0, pauseMs + toCycleMs(rate) - toCycleMs(measured));
		},
	};
}
