// An image: its root file system, and the settings for its containers.
import { chownSync } from "node:fs";

export interface Image {
	/** Its root file system. */
	readonly folder: string;
	readonly config: ImageConfig;
	/** How it was made, in words. */
	readonly how: string;
	readonly remove: () => Promise<void>;
}

export interface ImageConfig {
	/** UID:GID */
	readonly user: string;
	readonly env: Readonly<Record<string, string>>;
	readonly workdir: string;
	readonly volumes: readonly string[];
	readonly entrypoint: readonly string[];
	readonly cmd: readonly string[];
	readonly healthcheck: readonly string[];
	readonly stopSignal: string;
}

/** Makes the user of the image the owner, as `COPY --chown` does. Only root can. Other users own the folder already. */
export function giveTo({ user }: ImageConfig, path: string): void {
	const [uid = 0, gid = 0] = user.split(":").map(Number);
	if (process.getuid?.() === 0) chownSync(path, uid, gid);
}

/** Reads `NAME=value`. */
export function toVariables(
	assignments: readonly string[],
): Record<string, string> {
	return Object.fromEntries(
		assignments.map((one) => one.split(/=(.*)/s).slice(0, 2)),
	);
}
