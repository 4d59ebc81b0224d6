// HTML as a value: the template `html` escapes every text, so that no text becomes markup by mistake. The service and the script of the
// reference both write it.

export class Html {
	readonly text: string;

	constructor(text: string) {
		this.text = text;
	}
}

/** A value in a template. Undefined and false give nothing. The items of a list follow each other. */
export type Part = Html | string | number | false | undefined | readonly Part[];

export function html(
	strings: TemplateStringsArray,
	...parts: readonly Part[]
): Html {
	return new Html(String.raw({ raw: strings }, ...parts.map(toText)));
}

function toText(part: Part): string {
	if (part === undefined || part === false) return "";
	if (part instanceof Html) return part.text;
	if (typeof part === "object") return part.map(toText).join("");
	return String(part).replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}

/** Text with code between backticks. */
export function prose(text: string): readonly Html[] {
	return text
		.split(/`([^`]+)`/)
		.map((part, index) =>
			index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`,
		);
}

/** Code with its tokens marked for the style sheet. */
export function highlight(code: string): Html {
	return html`${[...code.matchAll(tokens)].map(({ 0: text, groups = {} }) => {
		const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
		return kind === undefined
			? text
			: html`<span class="${kind}">${text}</span>`;
	})}`;
}

/** They know no grammar: our snippets and JSON need none. Other text is matched in pieces that end where a token can begin. */
const tokens = new RegExp(
	[
		/(?<comment>(?:\/\/|(?<=^|\s)#) .*)/,
		/(?<name>"\w+"(?=: ))/,
		/(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)/,
		/(?<keyword>\b(?:import|from|const|await|for|of|if|throw|new|with|as|package|func|var|defer|return)\b)/,
		/(?<number>(?<![\w./:-])-?\d+n?\b)/,
		/[\w$.:/-]+|.|\n/,
	]
		.map(({ source }) => source)
		.join("|"),
	"gm",
);
