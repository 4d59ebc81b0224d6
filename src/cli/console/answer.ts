// Finds out whether the service answers at an address, so that no link is opened that leads nowhere.
import { errorStatus } from "../../contract/errors.ts";
import { linkProbeMs } from "../../limits.ts";

/** The first words of a sentence about what is wrong; undefined if the service answers. */
export async function findProblem(url: string): Promise<string | undefined> {
	try {
		const reply = await fetch(`${url}/operator/v1/sessions/current`, {
			signal: AbortSignal.timeout(linkProbeMs),
			// Nothing secret is sent, and the browser checks the certificate itself.
			tls: { rejectUnauthorized: false },
		});
		return (await isOurs(reply)) ? undefined : "No console answers";
	} catch {
		return "Nothing answers";
	}
}

/** A proxy or the service itself may refuse the request, or fail for a moment. Then the browser shows the reason. */
async function isOurs(reply: Response): Promise<boolean> {
	const text = await reply.text();
	if (reply.ok) return text.startsWith('{"signedIn":');
	return reply.status !== errorStatus.not_found;
}
