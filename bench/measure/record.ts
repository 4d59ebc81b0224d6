// Records replies of our own service, for the targets that send them again.
import { temporaryFolder } from "../../test/harness/temporary.ts";
import {
	type RecordedReply,
	toRecordedReply,
	writeReplies,
} from "../bounds/replies.ts";
import type { Catalogues } from "../catalogues/catalogue.ts";
import { toRequest } from "../load/load.ts";
import type { Target } from "../plan/target.ts";
import type { Template, Trial } from "../plan/trials.ts";
import { launch, type Server } from "./launch.ts";

/** Returns the path of a file with the replies of a trial, one per kind of request. Records them once. */
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
		const options = { catalogue: catalogue.location, replies: "" };
		const server = await launch(target, options);
		const templates = trial.requests({ animals, etag: server.etag });
		const replies: RecordedReply[] = [];
		for (const template of firstOfEachKind(templates))
			replies.push(await recordReply(server, template, animals));
		writeReplies(file, replies);
		await server.stop();
		await catalogue.removeCopy();
		return file;
	}
}

/** Requests of the same kind have replies of about the same size, like the pages of a walk. */
function firstOfEachKind(templates: readonly Template[]): readonly Template[] {
	const kinds = Map.groupBy(templates, ({ method, number }) => method + number);
	return [...kinds.values()].flatMap(([first]) => first ?? []);
}

async function recordReply(
	{ url, keys: [key = ""] }: Server,
	template: Template,
	animals: number,
): Promise<RecordedReply> {
	const { method, path } = template;
	const number = template.number === "random" ? animals : 1;
	const response = await fetch(toRequest(url, { template, key }, number));
	return toRecordedReply(
		template.number === undefined ? { method, urlEnd: path } : { method },
		response,
	);
}
