// The image of the Dockerfile as a folder, without a builder: the same executable and script for its files, and the settings of its last
// stage.
import { chownSync, readFileSync } from "node:fs";
import { succeed } from "./package.ts";
import { root } from "./process.ts";
import { temporaryFolder } from "./temporary.ts";

export type Image = Awaited<ReturnType<typeof buildImage>>;

export async function buildImage() {
	const { path, remove } = temporaryFolder();
	const executable = await buildExecutable(path);
	const [folder, files] = [`${path}/image`, `${path}/files`];
	await succeed(["sh", "deploy/image-files.sh", executable, files], root);
	const config = readConfig();
	await copyAll(`${files}/root`, folder);
	giveTo(config, `${files}/user/data`);
	await copyAll(`${files}/user`, folder);
	return {
		/** Its root file system. */
		folder,
		config,
		remove,
	};
}

/** Returns the path of the executable, which has only its licences beside it. Takes some seconds and 120 MB in the folder. */
export async function buildExecutable(folder: string): Promise<string> {
	const out = `${folder}/out`;
	await succeed([process.execPath, "build/executable.ts", "--out", out], root);
	return `${out}/petstore`;
}

/** Keeps owners and modes. */
function copyAll(from: string, to: string): Promise<string> {
	return succeed(["cp", "-a", "-T", from, to], root);
}

/** Reads the last stage of the Dockerfile. */
function readConfig() {
	const text = readFileSync(`${root}Dockerfile`, "utf8");
	const stage = text.slice(text.lastIndexOf("\nFROM "));
	const textOf = (instruction: string) =>
		new RegExp(`^${instruction} (.*)$`, "m").exec(stage)?.[1] ?? "";
	const listOf = (instruction: string): string[] =>
		JSON.parse(/\[.*\]/.exec(textOf(instruction))?.[0] ?? "[]");
	const variables = textOf("ENV")
		.split(" ")
		.map((assignment) => {
			const [name = "", value = ""] = assignment.split(/=(.*)/s);
			return [name, value] as const;
		});
	return {
		/** UID:GID */
		user: textOf("USER"),
		env: Object.fromEntries(variables),
		workdir: textOf("WORKDIR"),
		entrypoint: listOf("ENTRYPOINT"),
		cmd: listOf("CMD"),
	};
}

/** Makes the user of the image the owner, as `COPY --chown` does. Only root can. Other users own the folder already. */
export function giveTo({ user }: Image["config"], path: string): void {
	const [uid = 0, gid = 0] = user.split(":").map(Number);
	if (process.getuid?.() === 0) chownSync(path, uid, gid);
}
