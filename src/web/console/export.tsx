// The menu with the files of all animals that the search shows.
import { toPetId } from "../../domain/pet-id.ts";
import { base } from "../browser/base.ts";
import { access, toQuery } from "../ui/api.ts";
import { Button } from "../ui/dialog.tsx";
import type { Filter } from "./find.ts";
import type { Pet } from "./pet.tsx";

const files = [
	["CSV", { format: "csv" }],
	["CSV for Excel", { format: "csv", excel: true }],
	["NDJSON", { format: "ndjson" }],
] as const;

interface ExportProps {
	readonly filter: Filter;
	readonly found: readonly Pet[];
}

export function ExportMenu({ filter, found }: ExportProps) {
	const { name, ...others } = filter;
	// A search for a number also finds the animal with this id.
	const id = toPetId(name ?? "");
	const isOne = found.length === 1 && found[0]?.id === id;
	const query = { ...others, ...(isOne ? { id } : { name }) };
	return (
		<>
			<Button class="link" popovertarget="export">
				Export
			</Button>
			<div class="choices" id="export" popover="auto">
				{files.map(([title, format]) => (
					<a
						key={title}
						href={`${base}${access.prefix}/pets/export?${toQuery({ ...format, ...query })}`}
						onClick={({ currentTarget }) =>
							currentTarget.parentElement?.hidePopover()
						}
					>
						{title}
					</a>
				))}
			</div>
		</>
	);
}
