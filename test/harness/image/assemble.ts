// Makes the image without a builder: the same executable and script for its files, and the settings of the Dockerfile.
import { readFileSync } from "node:fs";
import { buildExecutable } from "../executable.ts";
import { succeed } from "../package.ts";
import { root } from "../process.ts";
import {
	giveTo,
	type Image,
	type ImageConfig,
	toVariables,
} from "./description.ts";

export async function assembleImage(
	folder: string,
): Promise<Pick<Image, "folder" | "config">> {
	const { path } = await buildExecutable(folder);
	const image = `${folder}/image`;
	const files = `${folder}/files`;
	await succeed(["sh", "deploy/image-files.sh", path, files], root);
	const config = readConfig();
	await copyAll(`${files}/root`, image);
	giveTo(config, `${files}/user/data`);
	await copyAll(`${files}/user`, image);
	return { folder: image, config };
}

/** Keeps owners and modes. */
function copyAll(from: string, to: string): Promise<string> {
	return succeed(["cp", "-a", "-T", from, to], root);
}

/** Reads the last stage of the Dockerfile. */
function readConfig(): ImageConfig {
	const text = readFileSync(`${root}Dockerfile`, "utf8");
	const stage = text.slice(text.lastIndexOf("\nFROM "));
	const textOf = (instruction: string) =>
		new RegExp(`^${instruction} (.*)$`, "m").exec(stage)?.[1] ?? "";
	const listOf = (instruction: string): string[] =>
		JSON.parse(/\[.*\]/.exec(textOf(instruction))?.[0] ?? "[]");
	return {
		user: textOf("USER"),
		env: toVariables(
			(textOf("ENV").match(/\w+=("[^"]*"|\S+)/g) ?? []).map((assignment) =>
				assignment.replaceAll('"', ""),
			),
		),
		workdir: textOf("WORKDIR"),
		volumes: [textOf("VOLUME")],
		entrypoint: listOf("ENTRYPOINT"),
		cmd: listOf("CMD"),
		healthcheck: listOf("HEALTHCHECK"),
		stopSignal: textOf("STOPSIGNAL"),
	};
}
