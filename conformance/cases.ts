// All cases: first of the interface document, then of the additions to it.

import type { Case } from "./case.ts";
import { authenticationCases } from "./cases/authentication.ts";
import { documentCases } from "./cases/document.ts";
import { replyCases } from "./cases/replies.ts";
import { requestCases } from "./cases/requests.ts";
import { valueCases } from "./cases/values.ts";

export const cases: readonly Case[] = [
	...documentCases,
	...valueCases,
	...requestCases,
	...authenticationCases,
	...replyCases,
];

export interface Section {
	readonly number: string;
	readonly title: string;
	/** Why no case can test it. */
	readonly whyNoCase?: string;
}

/** The sections of the interface document. */
export const sections: readonly Section[] = [
	{ number: "1", title: "What the service does" },
	{ number: "2", title: "Resources and their fields" },
	{ number: "3", title: "States and transitions" },
	{ number: "4", title: "Endpoints" },
	{ number: "4.1", title: "List animals" },
	{ number: "4.2", title: "Add an animal" },
	{ number: "4.3", title: "Get an animal (deprecated)" },
	{ number: "5", title: "Authentication" },
	{ number: "6", title: "Events", whyNoCase: "the document describes none" },
	{ number: "7", title: "Errors" },
	{ number: "8", title: "Limits" },
	{ number: "9", title: "Versioning" },
];

/**
 * Rows of docs/decisions.md that requests and replies cannot test, or that are not about the interface. Their tests are inside
 * `decision("…")`.
 */
export const decisionsWithoutCase: readonly string[] = [
	// No operation of /v1 changes an animal.
	"Changes and removals",
	"A walk by cursor",
	"A repeated add after a change or removal",
	// Only in the operator interface.
	"Keys in the operator interface",
	"Sessions",
	"Where people can sign in",
	"Requests of other sites",
	"Guessing",
	"Clocks that were wrong",
	"Links to the console",
	"Who is signed in",
	"Slow bodies",
	"Storage",
	"Life",
	"A known key",
	"Rate limits",
	"HSTS",
	"Overload",
	"Slow readers",
	"Draining",
	"When the store cannot answer",
	"A database file that is replaced",
	// An HTTP client may resolve the path before it sends it.
	"Path",
	"Operator address",
	"Platforms",
	"SQLite on macOS",
	"Upgrading",
	"Going back",
	"Connection poolers",
	"Used up ids",
	// Not in the interface document.
	"Operator rights",
	"Changing an animal",
	"If-Match",
	"Removing an animal",
	"Many changes at once",
	...["History", "Way back"],
	"Finding animals",
	"Counting animals",
	"Names of categories",
	"Changes feed",
	"Changes feed: order",
	"Changes feed: promise",
	"Changes feed: gone",
	"Changes feed: live",
	"Changes feed: limits",
	...["Files with animals", "Round trip of files", "Bad lines", "Import id"],
	...["Kept ids", "Waiting for a lock", "Export over HTTP"],
	...["Version of an animal", "ETag of an animal"],
	"Status",
	"OpenAPI document for operators",
	"Backups",
	"Names of backups",
	"Restore on PostgreSQL",
	...["Forms of CSV", "Update by a file", "Import over HTTP"],
	"Check",
	"Backups in the operator interface",
	...["Backups by themselves", "Backups on request"],
	"Backup before a migration",
	// Only in the sandbox.
	"What the sandbox is",
	"Demo animals",
	"Demo animals in a catalogue",
	"The key of the sandbox",
	"Access to the sandbox",
	"Reset",
	"Faults",
	"Which requests a fault applies to",
	"Kinds of faults",
	"Own animals",
	"The page of the sandbox",
	"Faults as switches",
	"The key of the sandbox in pages",
	"A sandbox for other machines",
	"Which rules are valid",
	"Recorded requests",
	"Programs that start the sandbox",
	"Never elsewhere",
	"Client: numbers",
	"Client: pages",
	"Client: retries",
	"Client: changes",
	"Client: errors",
	"Client: wrong arguments",
	"Client: other stores",
	// Not over HTTP.
	...["Package", "Launcher"],
	// Usage and metrics
	"What usage counts",
	"Reading the usage",
	"Where usage is kept",
	"Access to the metrics",
	"What the metrics count",
	"Metrics of several workers",
	"Who still calls getPet",
	// Pages
	"`/` in a browser",
	"The reference",
	"Trying an operation out",
	"Snippets",
	"The key of a reader",
	"Headers of pages",
	"Caching of pages",
	"Size of pages",
	"First paint of the console",
	"Colours of pages",
	"Signing in to the console",
	"Undo in the console",
	"A change by somebody else",
	"What others change",
	"The console without a service",
	"Downloads in the console",
	"Unsaved changes in the drawer",
	"Dialogs that must be answered",
	"A search that fails",
	"Names in the console",
	"Names on a terminal",
	"The calls of the keys",
	"Commands in pages and messages",
	"Pages that are not built",
	"Test helper",
	"Test helper: the end of a store",
	"Test helper: a failed start",
];
