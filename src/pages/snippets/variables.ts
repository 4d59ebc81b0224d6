// Environment variables in the texts of a request. A mark stands in the place of each, until a language writes it in its own way.

/** Text with the mark of a variable. The characters around it are for private use, so no example has them. */
export function toMark(variable: "KEY" | "COOKIE"): string {
	return `\ue000${variable}\ue001`;
}

const mark = /\ue000(\w+)\ue001/;

/** The text as an expression: strings and variables, joined in the way of the language. Empty strings are left out. */
export function toExpression(
	text: string,
	style: {
		quote: (text: string) => string;
		variable: (name: string) => string;
		join: string;
	},
): string {
	const parts = text
		.split(mark)
		.map((part, index) => ({ part, isVariable: index % 2 === 1 }))
		.filter(({ part }) => part !== "")
		.map(({ part, isVariable }) =>
			isVariable ? style.variable(part) : style.quote(part),
		);
	return parts.length === 0 ? style.quote("") : parts.join(style.join);
}
