// What a chart shows.

export interface Series {
	readonly name: string;
	/** Which of the chart's colours it has. */
	readonly colour: "main" | "second" | "bad";
	readonly values: readonly (number | undefined)[];
}

export interface ChartProps {
	readonly title: string;
	readonly kind: "bars" | "lines";
	/** One for each value. */
	readonly labels: readonly string[];
	/** What a label is. */
	readonly labelName: string;
	/** Bars are put on top of each other, so the first must include the others. */
	readonly series: readonly Series[];
	/** What the legend says while no value is pointed at: one for each series. The last values if absent. */
	readonly resting?: {
		readonly label: string;
		readonly values: readonly number[];
	};
	readonly format: (value: number | undefined) => string;
}
