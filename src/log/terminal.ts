// Whether a descriptor is a terminal.
import { fstatSync, statSync } from "node:fs";

/** node:tty is loaded only for what may be a terminal, because it is a sixth of what the service has on its heap. */
export function isTerminal(fd: number): boolean {
	return mayBeTerminal(fd) && process.getBuiltinModule("node:tty").isatty(fd);
}

/** Files, pipes and /dev/null are none. Not every system tells what a descriptor is. */
function mayBeTerminal(fd: number): boolean {
	try {
		const found = fstatSync(fd);
		return (
			found.isCharacterDevice() && found.rdev !== statSync("/dev/null").rdev
		);
	} catch {
		return true;
	}
}
