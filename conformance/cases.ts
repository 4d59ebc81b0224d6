// All cases: first of the interface document, then of the additions to it.

import type { Case } from "./case.ts";
import { authenticationCases } from "./cases/authentication.ts";
import { documentCases } from "./cases/document.ts";
import { methodCases } from "./cases/methods.ts";
import { replyCases } from "./cases/replies.ts";
import { requestCases } from "./cases/requests.ts";
import { sequenceCases } from "./cases/sequences.ts";
import { valueCases } from "./cases/values.ts";

export const cases: readonly Case[] = [
	...documentCases,
	...valueCases,
	...requestCases,
	...methodCases,
	...authenticationCases,
	...replyCases,
	...sequenceCases,
];

/** The sections of the interface document. */
export const sections = [
	{ number: "1", title: "What the service does" },
	{ number: "2", title: "Resources and their fields" },
	{ number: "3", title: "States and transitions" },
	{ number: "4", title: "Endpoints" },
	{ number: "4.1", title: "List animals" },
	{ number: "4.2", title: "Add an animal" },
	{ number: "4.3", title: "Get an animal (deprecated)" },
	{ number: "5", title: "Authentication" },
	{ number: "6", title: "Events" },
	{ number: "7", title: "Errors" },
	{ number: "8", title: "Limits" },
	{ number: "9", title: "Versioning" },
];
