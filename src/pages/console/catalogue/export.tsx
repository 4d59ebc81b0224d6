// Links that download the animals of the current filter as a file.
import { type ExportFormat, type Filter, toExportPath } from "../api/pets.ts";

export function Export({ base, filter }: { base: string; filter: Filter }) {
	return (
		<p class="export">
			Export
			{formats.map(({ format, text }) => (
				<a
					key={format}
					href={base + toExportPath(filter, format)}
					aria-label={`Export as ${text}`}
					download
				>
					{text}
				</a>
			))}
		</p>
	);
}

const formats: readonly { format: ExportFormat; text: string }[] = [
	{ format: "csv", text: "CSV" },
	{ format: "ndjson", text: "NDJSON" },
];
