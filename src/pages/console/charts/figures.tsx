// The figures of a chart as a table, newest first.
import type { ChartProps } from "./series.ts";

interface FiguresProps
	extends Pick<
		ChartProps,
		"title" | "labels" | "labelName" | "series" | "format"
	> {
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
				<table>
					<thead>
						<tr>
							<th scope="col">{labelName}</th>
							{series.map(({ name }) => (
								<th key={name} scope="col" class="number">
									{name}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
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
					</tbody>
				</table>
			</section>
		</details>
	);
}
