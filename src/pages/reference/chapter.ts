// A part of the reference: one OpenAPI document, and where the service serves it.
import type { PageOptions, ServedDocument } from "../layout.ts";
import { type ApiDocument, readDocument } from "../openapi/document.ts";

export type Chapter = ApiDocument & Omit<ServedDocument, "readText">;

export function readChapters({ documents }: PageOptions): readonly Chapter[] {
	return documents.map(({ readText, ...served }) => ({
		...readDocument(readText()),
		...served,
	}));
}
