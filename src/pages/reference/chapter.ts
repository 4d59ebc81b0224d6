// A part of the reference: one OpenAPI document, and where the service serves it.
import type { PageOptions, ServedDocument } from "../layout.ts";
import { type ApiDocument, readDocument } from "../openapi/document.ts";

export type Chapter = ApiDocument & Omit<ServedDocument, "readText">;

/** Schemas of the same name are the same in all documents, so only the first chapter that has one shows it. */
export function readChapters({ documents }: PageOptions): readonly Chapter[] {
	const shown = new Set<string>();
	return documents.map(({ readText, ...served }) => {
		const document = readDocument(readText());
		const schemas = document.schemas.filter(({ name }) => !shown.has(name));
		for (const { name } of schemas) shown.add(name);
		return { ...document, schemas, ...served };
	});
}
