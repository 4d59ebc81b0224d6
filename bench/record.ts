// Asks our own service once for each reply that others will repeat.

import { temporaryFolder } from "../harness/temporary.ts";
import type { Catalogues } from "./catalogues/catalogue.ts";
import { launch } from "./launch.ts";
import { toRequest } from "./load/load.ts";
import { writeReply } from "./replies.ts";
import type { Target } from "./targets.ts";
import type { Trial } from "./trials.ts";

/** Gives the file with the reply to the first request of a trial. */
export type Recorder = (trial: Trial, animals: number) => Promise<string>;

export function createRecorder(
	target: Target,
	catalogues: Catalogues,
): Recorder {
	const folder = temporaryFolder();
	const recorded = new Map<string, Promise<string>>();
	return (trial, animals) => {
		const name = `${trial.name} ${animals}`.replaceAll(" ", "-");
		const file = `${folder.path}/${name}.json`;
		const known = recorded.get(file) ?? record(trial, animals, file);
		recorded.set(file, known);
		return known;
	};

	async function record(trial: Trial, animals: number, file: string) {
		const loan = await catalogues.lend(animals, trial.adds ?? false);
		const server = await launch(target, { catalogue: loan.place, reply: "" });
		const [template] = trial.requests({ animals, etag: server.etag });
		if (template === undefined) throw new Error(`${trial.name} asks nothing.`);
		const number = template.number === "random" ? animals : 1;
		const request = toRequest(server.url, template, number);
		await writeReply(file, template.method, await fetch(request));
		await server.stop();
		await loan.giveBack();
		return file;
	}
}
