// Builds the image of the Dockerfile as a folder, without a Docker daemon: with buildah if possible, else from its files.
import { temporaryFolder } from "../temporary.ts";
import { assembleImage } from "./assemble.ts";
import { makeBase } from "./base.ts";
import { buildahSkipReason, buildWithBuildah } from "./buildah.ts";
import type { Image } from "./description.ts";

/** Throws if the Dockerfile is wrong. If a tool is missing, `how` names it. */
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
