// Cleans up however a program ends: ends its child processes and removes its temporary folders.
import { killLeftovers } from "./process.ts";
import { removeLeftovers } from "./temporary.ts";

export function cleanUpAtExit(): void {
	for (const signal of ["SIGINT", "SIGTERM"])
		process.on(signal, () => process.exit(1));
	process.on("exit", () => {
		killLeftovers();
		removeLeftovers();
	});
}
