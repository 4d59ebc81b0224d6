// The image of the Dockerfile as a folder, without a builder: the commands of its build stage, run in a copy of the checkout that is gone
// afterwards, and the settings of its last stage.
import { chownSync, readFileSync, renameSync, rmSync } from "node:fs";
import { copyCheckout, succeed } from "./package.ts";
import { root } from "./process.ts";
import { temporaryFolder } from "./temporary.ts";

export type Image = Awaited<ReturnType<typeof buildImage>>;

export async function buildImage() {
	const { path, remove } = temporaryFolder();
	await runBuildStage(path);
	const [folder, files] = [`${path}/image`, `${path}/files`];
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

/** Puts the executable and its licences into the subfolder `out`, and the files of the image into `files`. */
export async function runBuildStage(folder: string): Promise<void> {
	const copy = `${folder}/build`;
	copyCheckout(copy);
	for (const name of read(".dockerignore").match(/^[\w.]+$/gm) ?? [])
		if (name !== "node_modules")
			rmSync(`${copy}/${name}`, { recursive: true, force: true });
	for (const [, command = ""] of read("Dockerfile").matchAll(/^RUN (.*)$/gm)) {
		const here = command
			// Downloads nothing: the packages are in the copy. The build is what else `npm ci` runs.
			.replace("npm ci --omit=dev", "npm run build")
			.replace(" /image", ` "${folder}/files"`);
		await succeed(["sh", "-ec", here], copy, { COMMIT: "0123abc" });
	}
	renameSync(`${copy}/out`, `${folder}/out`);
	rmSync(copy, { recursive: true });
}

/** Keeps owners and modes. */
function copyAll(from: string, to: string): Promise<string> {
	return succeed(["cp", "-a", "-T", from, to], root);
}

/** Reads the last stage of the Dockerfile. */
function readConfig() {
	const text = read("Dockerfile");
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

function read(file: string): string {
	return readFileSync(root + file, "utf8");
}

/** Makes the user of the image the owner, as `COPY --chown` does. Only root can. Other users own the folder already. */
export function giveTo({ user }: Image["config"], path: string): void {
	const [uid = 0, gid = 0] = user.split(":").map(Number);
	if (process.getuid?.() === 0) chownSync(path, uid, gid);
}
