// How much of one kind of long work a service does at the same time. Two services of a process do not share it.
import { overloaded } from "../domain/errors.ts";

export type Slots = ReturnType<typeof createSlots>;

export function createSlots(maximum: number) {
	let taken = 0;
	return {
		/** Throws `overloaded` if none is free. */
		take(): void {
			if (taken >= maximum) throw overloaded;
			taken++;
		},
		free(): void {
			taken--;
		},
	};
}
