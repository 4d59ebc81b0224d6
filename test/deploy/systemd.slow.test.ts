// The unit of systemd, as systemd itself judges it.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { root, start } from "../../harness/process.ts";
import { temporaryFolder } from "../../harness/temporary.ts";

const unit = `${root}deploy/petstore.service`;
const isInstalled = Bun.which("systemd-analyze") !== null;
if (!isInstalled)
	console.warn("not run: systemd-analyze is not installed (Debian: systemd)");

test.skipIf(!isInstalled)(
	"the exposure of the unit is at most 2.0",
	async () => {
		const judged = await analyze(["security", "--offline=true", unit]);
		const [, exposure] = /exposure level for \S+: ([\d.]+)/.exec(judged) ?? [];
		expect(Number(exposure)).toBeLessThanOrEqual(2);
	},
);

test.skipIf(!isInstalled)(
	"systemd knows every setting of the unit, and of those for backups in docs/operate.md",
	async () => {
		const folder = temporaryFolder();
		const text = readFileSync(`${root}docs/operate.md`, "utf8");
		const blocks = text.matchAll(
			/^```ini\n# \/etc\/systemd\/system\/(\S+)\n(.*?)^```$/gms,
		);
		const documented = [...blocks].map(([, name = "", block = ""]) => {
			writeFileSync(`${folder.path}/${name}`, block);
			return `${folder.path}/${name}`;
		});
		expect(documented).toHaveLength(2);
		const problems = (await analyze(["verify", unit, ...documented]))
			.split("\n")
			// The executable is not installed here.
			.filter(
				(line) => !/^$|\/usr\/local\/bin\/petstore is not exec/.test(line),
			);
		expect(problems).toEqual([]);
		folder.remove();
	},
);

async function analyze(args: readonly string[]): Promise<string> {
	const running = start(["systemd-analyze", "--no-pager", ...args], {
		cwd: root,
	});
	const { stdout, stderr } = await running.finished;
	return stdout + stderr;
}
