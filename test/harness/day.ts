// Keeps a test within one day of UTC.

const minute = 60_000;
const day = 24 * 60 * minute;

/** The time now. In the last minute of a day it first waits for the next day, so that the test ends on the day on which it begins. */
export async function nowWithinDay(): Promise<number> {
	const left = day - (Date.now() % day);
	if (left < minute) await Bun.sleep(left + 10);
	return Date.now();
}
