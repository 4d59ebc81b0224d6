// Reads the JSON object in the body of a request. Unknown members are refused: a misspelt `expiresAt` must not make a key that never expires.
import {
	type ClosedSchema,
	type Members,
	namesIn,
	toMembers,
} from "../contract/members.ts";
import { readJsonBody } from "../http/body.ts";

export async function readMembers(
	request: Request,
	schema: ClosedSchema,
): Promise<Members> {
	const body = await readJsonBody(request);
	return toMembers(body, namesIn(schema), { code: "invalid_body", prefix: "" });
}
