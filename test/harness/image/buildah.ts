// Builds the image of the Dockerfile with buildah.
import { debianProblem } from "../debian.ts";
import { succeed } from "../package.ts";
import { root } from "../process.ts";
import type { temporaryFolder } from "../temporary.ts";
import { type Image, type ImageConfig, toVariables } from "./description.ts";

/** Why buildah does not work here, or undefined. */
export function buildahSkipReason(): string | undefined {
	return debianProblem(["buildah", "debootstrap"]);
}

export async function buildWithBuildah(
	folder: ReturnType<typeof temporaryFolder>,
	base: string,
): Promise<Image> {
	const buildah = openBuildah(folder.path);
	await buildah("from", "--name", "base", "scratch");
	await buildah("add", "--quiet", "base", base);
	await buildah("commit", "--quiet", "--rm", "base", "base");
	await buildah(
		...["bud", "--format", "docker", "--isolation", "chroot"],
		...["--build-arg", "BUILD_IMAGE=localhost/base"],
		...["--tag", "petstore", root],
	);
	await buildah("from", "--name", "petstore", "localhost/petstore");
	const image = await buildah("mount", "petstore");
	const inspected: Inspected = JSON.parse(await buildah("inspect", "petstore"));
	return {
		folder: image.trim(),
		config: toConfig(inspected.Docker.config),
		how: "buildah built the Dockerfile",
		async remove() {
			await buildah("umount", "petstore");
			folder.remove();
		},
	};
}

/** Keeps containers and images in the folder. vfs works on every file system. */
function openBuildah(folder: string) {
	const storage = [
		...["--root", `${folder}/storage`, "--runroot", `${folder}/run`],
		...["--storage-driver", "vfs"],
	];
	return (...args: readonly string[]) =>
		succeed(["buildah", ...storage, ...args], folder);
}

interface Inspected {
	readonly Docker: { readonly config: DockerConfig };
}

interface DockerConfig {
	readonly User: string;
	readonly Env: readonly string[];
	readonly WorkingDir: string;
	readonly Volumes: Readonly<Record<string, unknown>>;
	readonly Entrypoint: readonly string[];
	readonly Cmd: readonly string[];
	readonly Healthcheck: { readonly Test: readonly string[] };
	readonly StopSignal: string;
}

function toConfig(docker: DockerConfig): ImageConfig {
	return {
		user: docker.User,
		env: toVariables(docker.Env),
		workdir: docker.WorkingDir,
		volumes: Object.keys(docker.Volumes),
		entrypoint: docker.Entrypoint,
		cmd: docker.Cmd,
		// The first word only says that no shell is used.
		healthcheck: docker.Healthcheck.Test.slice(1),
		stopSignal: docker.StopSignal,
	};
}
