// The figures of a chart as a table, newest first.
import { number, Table } from "../parts/table.tsx";
import type { Series } from "./shapes.tsx";

export interface FiguresProps {
	readonly title: string;
	/** One for each value. */
	readonly labels: readonly string[];
	/** What a label is. */
	readonly labelName: string;
	readonly series: readonly Series[];
	readonly format: (value: number | undefined) => string;
	/** What opens the table. */
	readonly summary?: string;
}

export function Figures({
	title,
	summary = "Figures",
	labels,
	labelName,
	series,
	format,
}: FiguresProps) {
	return (
		<details class="figures">
			<summary>{summary}</summary>
			{/* What scrolls must be reachable with the keyboard. */}
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above. */}
			<section class="scroll" tabIndex={0} aria-label={`Figures: ${title}`}>
				<Table headings={[labelName, ...series.map((one) => number(one.name))]}>
					{labels
						.map((label, index) => (
							<tr key={label}>
								<th scope="row">{label}</th>
								{series.map(({ name, values }) => (
									<td key={name} class="number">
										{format(values[index])}
									</td>
								))}
							</tr>
						))
						.toReversed()}
				</Table>
			</section>
		</details>
	);
}
