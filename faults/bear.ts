// One strain from beginning to end, in a folder of its own.
import { petstore } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import type { Bearing, Strain, StrainSetting } from "./strain.ts";

export async function bear(
	{ run }: Strain,
	setting: Pick<StrainSetting, "size" | "leastShare">,
): Promise<Bearing> {
	const folder = temporaryFolder();
	try {
		return await run({ ...setting, program: petstore, folder: folder.path });
	} finally {
		folder.remove();
	}
}
