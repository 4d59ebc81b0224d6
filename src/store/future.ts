// Times that are still to come, since the clock was wrong when they were recorded.
import { maxClockSkewMs } from "../limits.ts";

export function isInFuture(time: number, now: number): boolean {
	return time > now + maxClockSkewMs;
}
