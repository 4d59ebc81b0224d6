// Keeps a load near a rate: each connection pauses between a reply and its next request. Reply times are not known before, so the measured
// rate corrects the pause.

export interface Pace {
	readonly pauseMs: () => number;
	/** Takes the requests a second with the last pause. */
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
