// Records replies of our own service, for the targets that send them again.
import { temporaryFolder } from "../../harness/temporary.ts";
import { writeReply } from "../bounds/replies.ts";
import type { Catalogues } from "../catalogues/catalogue.ts";
import { toRequest } from "../load/load.ts";
import type { Target } from "../plan/targets.ts";
import type { Trial } from "../plan/trials.ts";
import { launch } from "./launch.ts";

/** Returns the path of the reply to the first request of a trial. Each reply is recorded once. */
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
		const catalogue = await catalogues.prepare(animals, trial.adds ?? false);
		const options = { catalogue: catalogue.location, reply: "" };
		const server = await launch(target, options);
		const [template] = trial.requests({ animals, etag: server.etag });
		if (template === undefined)
			throw new Error(`${trial.name} has no requests.`);
		const number = template.number === "random" ? animals : 1;
		const request = toRequest(server.url, template, number);
		await writeReply(file, template.method, await fetch(request));
		await server.stop();
		await catalogue.removeCopy();
		return file;
	}
}
