// Runs one load scenario in its own folder.
import { petstore } from "../../test/harness/process.ts";
import { temporaryFolder } from "../../test/harness/temporary.ts";
import type { LoadOptions, LoadResult, LoadScenario } from "./scenario.ts";

export async function runLoadScenario(
	{ run }: LoadScenario,
	options: Pick<LoadOptions, "size" | "minShare">,
): Promise<LoadResult> {
	const folder = temporaryFolder();
	try {
		return await run({ ...options, program: petstore, folder: folder.path });
	} finally {
		folder.remove();
	}
}
