// The image of the Dockerfile in plain folders, without a builder and a container: the commands of its build stage run in a copy of the
// checkout that is gone afterwards, and what its last stage says happens in a folder that stands for the root of the image.
import {
	chmodSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
} from "node:fs";
import { copyCheckout, succeed } from "./package.ts";
import { root, start } from "./process.ts";
import { temporaryFolder } from "./temporary.ts";

export type Image = Awaited<ReturnType<typeof buildImage>>;

const isRoot = process.getuid?.() === 0;

export async function buildImage() {
	const { path, remove } = temporaryFolder();
	// For the user of the image.
	chmodSync(path, 0o755);
	await runBuildStage(path);
	const folder = `${path}/image`;
	mkdirSync(folder);
	for (const [, owner = "", from = "", to = ""] of lastStage.matchAll(
		/^COPY --from=build (?:--chown=(\S+) )?(\S+) (\S+)$/gm,
	)) {
		// Other users own the files already.
		const own = owner !== "" && isRoot ? `chown -R ${owner} "$0"/*; ` : "";
		const source = from.replace(/^\/image\b/, `${path}/files`);
		const copy = `${own}cp -a "$0"/* "$1"`;
		await succeed(["sh", "-ec", copy, source, folder + to], root);
	}
	const variables = textOf("ENV").matchAll(/(\w+)=(\S+)/g);
	const env = Object.fromEntries(
		Array.from(variables, ([, name = "", value = ""]) => [name, inside(value)]),
	);

	/** The path of a file in the image, also after the scheme of a URL. */
	function inside(text: string): string {
		return text.replace(/(^|:)\//, `$1${folder}/`);
	}

	/** Runs a command with the variables and, if root runs the tests, as the user of the image. */
	function startInside(
		[command = "", ...args]: readonly string[],
		more: Readonly<Record<string, string>> = {},
	) {
		const [uid, gid] = textOf("USER").split(":");
		const ids = [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
		const user = ["--no-new-privs", ...(isRoot ? ids : [])];
		return start(
			[Bun.which("setpriv") ?? "setpriv", ...user, inside(command), ...args],
			{ cwd: inside(textOf("WORKDIR")), env: { ...env, ...more } },
		);
	}

	return {
		/** Stands for its root. */
		folder,
		inside,
		startInside,
		entrypoint: listOf("ENTRYPOINT"),
		command: [...listOf("ENTRYPOINT"), ...listOf("CMD")],
		health: listOf("HEALTHCHECK"),
		stopSignal: textOf("STOPSIGNAL"),
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

const lastStage = read("Dockerfile").replace(/^.*\nFROM /s, "");

/** What follows an instruction of the last stage. */
function textOf(instruction: string): string {
	return new RegExp(`^${instruction} (.*)$`, "m").exec(lastStage)?.[1] ?? "";
}

function listOf(instruction: string): readonly string[] {
	return JSON.parse(/\[.*\]/.exec(textOf(instruction))?.[0] ?? "[]");
}

function read(file: string): string {
	return readFileSync(root + file, "utf8");
}
