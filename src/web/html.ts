// HTML as a value: the template `html` escapes every text, so that no text becomes markup by mistake.

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
	return escapeHtml(String(part));
}

export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => escapes[character] ?? "");
}

const escapes: Readonly<Record<string, string>> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
	"'": "&#39;",
};

/** Text with code between backticks. */
export function prose(text: string): readonly Html[] {
	return text
		.split(/`([^`]+)`/)
		.map((part, index) =>
			index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`,
		);
}

/** Marks the tokens of code for the style sheet. It knows no grammar: the snippets and JSON of these pages need none. */
export function highlight(code: string): Html {
	const marked = code.replace(tokens, (...groups) => {
		const { plain, ...named }: Record<string, string | undefined> =
			groups.at(-1);
		const kind = Object.keys(named).find((name) => named[name] !== undefined);
		const text = escapeHtml(groups[0]);
		return kind === undefined ? text : `<span class="${kind}">${text}</span>`;
	});
	return new Html(marked);
}

/** `plain` is everything else, in pieces that end where another token can begin. */
const tokens = new RegExp(
	[
		/(?<comment>(?:\/\/|(?<=^|\s)#) .*)/,
		/(?<name>"\w+"(?=: ))/,
		/(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)/,
		/(?<keyword>\b(?:import|from|const|await|for|of|if|throw|new|with|as|package|func|var|defer|return)\b)/,
		/(?<number>(?<![\w./:-])-?\d+n?\b)/,
		/(?<plain>[\w$.:/-]+|.|\n)/,
	]
		.map(({ source }) => source)
		.join("|"),
	"gm",
);
