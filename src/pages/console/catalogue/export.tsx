// Links that download the animals of the current filter as a file.
import { type ExportFormat, type Filter, toExportPath } from "../api/pets.ts";
import { DownloadLink, type Downloads } from "../parts/download.tsx";

export function Export({
	downloads,
	filter,
}: {
	downloads: Downloads;
	filter: Filter;
}) {
	return (
		<p class="export">
			Export
			{formats.map(({ format, text }) => (
				<DownloadLink
					key={format}
					downloads={downloads}
					path={toExportPath(filter, format)}
					label={`Export as ${text}`}
					text={text}
				/>
			))}
		</p>
	);
}

const formats: readonly { format: ExportFormat; text: string }[] = [
	{ format: "csv", text: "CSV" },
	{ format: "ndjson", text: "NDJSON" },
];
