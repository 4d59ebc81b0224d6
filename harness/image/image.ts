// The image that the Dockerfile describes, as a folder. There is no Docker daemon: buildah builds it where that works, and elsewhere its files
// are put together without a builder.
import { temporaryFolder } from "../temporary.ts";
import { assembleImage } from "./assemble.ts";
import { buildahSkipReason, buildWithBuildah } from "./buildah.ts";
import type { Image } from "./description.ts";

export async function buildImage(): Promise<Image> {
	const folder = temporaryFolder();
	const reason = buildahSkipReason();
	if (reason === undefined) return buildWithBuildah(folder);
	return {
		...(await assembleImage(folder.path)),
		how: `its files were put together without a builder (${reason})`,
		remove: async () => folder.remove(),
	};
}
