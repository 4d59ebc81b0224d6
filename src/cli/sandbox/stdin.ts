// Notices that the program that started the sandbox has ended: then the pipe that is stdin ends, however that program died.

export function untilStdinEnds(): Promise<void> {
	return new Promise((resolve) => {
		process.stdin
			.once("error", () => resolve())
			.once("end", () => resolve())
			.resume();
	});
}
