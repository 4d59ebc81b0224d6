// Why cases cannot run: no pet store answers at the address, or the key does not suffice. Each reason is a sentence that says what to change.
import type { Step } from "./case.ts";
import type { Target } from "./request.ts";
import { type Result, readBody } from "./run.ts";

/** Sends a request before the cases. Undefined if they can run. */
export async function findObstacle({
	baseUrl,
	key,
	send,
}: Target): Promise<string | undefined> {
	const url = `${baseUrl}/pets`;
	const headers = { Authorization: `Bearer ${key}` };
	try {
		const response = await send(new Request(url, { headers }));
		const text = new TextDecoder().decode(await readBody(response));
		return judge(response, text, baseUrl);
	} catch (error) {
		const reason = error instanceof Error ? error.message : error;
		// Bun's message continues with a question, or is one.
		const [first] = String(reason)
			.replace(/Was there .*/s, "Unable to connect")
			.split(". ");
		return `No pet store answers at ${baseUrl}: ${first}.`;
	}
}

function judge(
	{ status, headers }: Response,
	text: string,
	baseUrl: string,
): string | undefined {
	if (status === 200 && isJson(text)) return undefined;
	if (status === 401 || status === 403)
		return `The key of --key is refused with ${status}: give a valid API key of ${baseUrl}.`;
	const answer = `GET ${baseUrl}/pets answers ${status}`;
	if (status === 404 && !baseUrl.endsWith("/v1"))
		return `${answer}: the address does not end with /v1.`;
	const location = headers.get("Location");
	if (location !== null) return `${answer} and redirects to ${location}.`;
	if (status === 200)
		return `${answer} with a body that is not JSON: there is no pet store at this address.`;
	return `${answer}, not 200: there is no pet store at this address, or it does not work now.`;
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** Why a run stops before its last case: all further cases would fail for the same reason. Undefined if the next case can run. */
export function findStop(
	results: readonly Result[],
	{ baseUrl }: Target,
): string | undefined {
	const { failure } = results.at(-1) ?? {};
	const isRefusedAdd =
		failure?.reply?.status === 403 && failure.step.expect.status === 201;
	// If an earlier case added an animal, the 403 has another reason.
	const hasAdded = results.some(
		({ case: one, failure }) => failure === undefined && one.steps.some(isAdd),
	);
	if (isRefusedAdd && !hasAdded)
		return "The key of --key cannot add animals; give a key with the scope read-write.";
	if (failure?.reply?.status === 429)
		return `${baseUrl} answers 429 in case ${results.length}: the rate limit of this key is used up. Raise the limit.`;
	return undefined;
}

export function isAdd({ request }: Step): boolean {
	return request.method === "POST";
}
