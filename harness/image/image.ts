// The image that the Dockerfile describes, as a folder. There is no Docker daemon: buildah builds it where that works, and elsewhere its files
// are put together without a builder.
import { temporaryFolder } from "../temporary.ts";
import { assembleImage } from "./assemble.ts";
import { makeBase } from "./base.ts";
import { buildahSkipReason, buildWithBuildah } from "./buildah.ts";
import type { Image } from "./description.ts";

/** Throws if the Dockerfile does not work. What else is missing for it is only told. */
export async function buildImage(): Promise<Image> {
	const folder = temporaryFolder();
	const base = `${folder.path}/base`;
	const reason = buildahSkipReason() ?? (await makeBase(base));
	if (reason === undefined) return buildWithBuildah(folder, base);
	return {
		...(await assembleImage(folder.path)),
		how: `its files were put together without a builder (${reason})`,
		remove: async () => folder.remove(),
	};
}
