// Processes that open the same new file at the same moment, as `keys create` and `serve` do when a script starts them together.
import { expect, test } from "bun:test";
import { run } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

test("opens a new file for several processes at the same moment", async () => {
	const { path, remove } = temporaryFolder();
	for (let round = 0; round < 20; round++) {
		const command = ["keys", "create", "--database", `sqlite:${round}.db`];
		const made = await Promise.all(
			["a", "b", "c"].map((name) =>
				run([...command, "--name", name], { cwd: path }),
			),
		);
		expect(made.map(({ stderr }) => stderr).join("")).not.toMatch(
			/^petstore:/m,
		);
		expect(made.map(({ status }) => status)).toEqual([0, 0, 0]);
	}
	remove();
}, 60_000);
