// Who may call the sandbox: anyone with its key. Its own paths need no key, so only this machine may call them.
import type { FixedKey } from "../auth/key-auth.ts";
import { isLocalHost, isLocalOrigin } from "../auth/site.ts";
import { Failure } from "../domain/errors.ts";

/** It is no secret. */
export const sandboxKey: FixedKey = {
	key: "sandbox",
	id: "sandbox",
	scope: "operator",
};

export const faultHeader = "Sandbox-Fault";

/** A page of another site that reaches the sandbox by a name of its own sends that name as Host. */
export function requireLocal({ headers }: Request): void {
	if (!isLocalHost(headers.get("host") ?? ""))
		throw new Failure(
			"forbidden",
			"The Host of a request to the sandbox must be localhost, 127.0.0.1 or [::1].",
		);
	const origin = headers.get("origin");
	if (origin !== null && !isLocalOrigin(origin))
		throw new Failure(
			"forbidden",
			"The Origin of a request to the sandbox must be at localhost, 127.0.0.1 or [::1].",
		);
}

/**
 * Lets scripts of the request's page read the reply, if the page is of this machine, and allows the header of faults in a preflight request.
 * Under `/v1` every header is allowed that is asked for.
 */
export function allowLocalPage(request: Request, { headers }: Response): void {
	if (!headers.get("Vary")?.includes("Origin"))
		headers.append("Vary", "Origin");
	const origin = request.headers.get("origin");
	if (origin !== null && isLocalOrigin(origin))
		headers.set("Access-Control-Allow-Origin", origin);
	const allowed = headers.get("Access-Control-Allow-Headers");
	const isAllowed = allowed?.toLowerCase().includes(faultHeader.toLowerCase());
	if (allowed !== null && !isAllowed)
		headers.append("Access-Control-Allow-Headers", faultHeader);
}
