// The systemd unit, checked by systemd itself.
import { expect, test } from "bun:test";
import { root, start } from "../harness/process.ts";

const unit = `${root}deploy/petstore.service`;
const isInstalled = Bun.which("systemd-analyze") !== null;
if (!isInstalled)
	console.warn("not run: systemd-analyze is not installed (Debian: systemd)");

test.skipIf(!isInstalled)(
	"gives the unit an exposure of at most 2.0",
	async () => {
		const judged = await analyze(["security", "--offline=true", unit]);
		const [, exposure] = /exposure level for \S+: ([\d.]+)/.exec(judged) ?? [];
		expect(Number(exposure)).toBeLessThanOrEqual(2);
	},
);

test.skipIf(!isInstalled)("has only settings that systemd knows", async () => {
	const problems = (await analyze(["verify", unit]))
		.split("\n")
		// The executable is not installed here.
		.filter((line) => !/^$|\/usr\/local\/bin\/petstore is not exec/.test(line));
	expect(problems).toEqual([]);
});

async function analyze(args: readonly string[]): Promise<string> {
	const running = start(["systemd-analyze", "--no-pager", ...args], {
		cwd: root,
	});
	const { stdout, stderr } = await running.finished;
	return stdout + stderr;
}
