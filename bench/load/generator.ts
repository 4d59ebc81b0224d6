// The process of a load generator: runs it to its end, and returns its output and the processor time that it used.

export interface Generated {
	readonly status: number;
	readonly stdout: string;
	readonly stderr: string;
	readonly processorSeconds: number;
}

export async function runGenerator(
	command: readonly string[],
): Promise<Generated> {
	const child = Bun.spawn([...command], { stdout: "pipe", stderr: "pipe" });
	const [status, stdout, stderr] = await Promise.all([
		child.exited,
		new Response(child.stdout).text(),
		new Response(child.stderr).text(),
	]);
	const microseconds = child.resourceUsage()?.cpuTime.total ?? 0;
	const processorSeconds = Number(microseconds) / 1e6;
	return { status, stdout, stderr, processorSeconds };
}
