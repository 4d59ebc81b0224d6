// Times as the commands for keys print them.
import { toTimeText } from "../../contract/time.ts";

export function toTimeOrNull(time: number | undefined): string | null {
	return time === undefined ? null : toTimeText(time);
}

export function toDay(iso: string | null): string {
	return iso === null ? "never" : iso.slice(0, 10);
}

export function toSecond(iso: string): string {
	return `${iso.slice(0, 19).replace("T", " ")} UTC`;
}
