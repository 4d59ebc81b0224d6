// The API key of the sandbox. It is no secret.
import type { FixedKey } from "../http/auth.ts";

export const sandboxKey: FixedKey = {
	key: "sandbox",
	id: "sandbox",
	scope: "operator",
};
