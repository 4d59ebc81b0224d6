// Bars over time: a table that the style draws, so that screen readers read its figures. Pointing at a bar shows them.

interface BarsProps {
	readonly title: string;
	/** After the title, such as the sum. */
	readonly summary: string;
	/** From the bottom to the top; then figures that are not drawn. */
	readonly series: readonly string[];
	readonly bars: readonly {
		readonly time: string;
		readonly text: string;
		/** Of each series. */
		readonly figures: readonly string[];
		/** The heights of the first series. */
		readonly parts: readonly number[];
	}[];
	/** The value at the upper edge. */
	readonly top: number;
}

export function Bars({ title, summary, series, bars, top }: BarsProps) {
	return (
		<table class="bars">
			<caption>
				<b>{title}</b> {summary}
			</caption>
			<thead>
				<tr>
					{["Time", ...series].map((name) => (
						<th key={name} scope="col">
							{name}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{bars.map(({ time, text, figures, parts }) => (
					<tr key={time} title={text}>
						<th scope="row">{time}</th>
						{figures.map((figure, at) => (
							<td
								key={series[at]}
								style={{ "--part": toPart(parts[at] ?? 0, top) }}
							>
								<span>{figure}</span>
							</td>
						))}
					</tr>
				))}
			</tbody>
		</table>
	);
}

/** One request among thousands is visible too. */
function toPart(value: number, top: number): number {
	return value === 0 ? 0 : Math.max(value / top, 0.02);
}
