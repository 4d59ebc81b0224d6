// Marks the names, strings, comments, keywords and numbers of code for the style sheet. It knows no grammar: it is for the snippets and
// the JSON of these pages.
import { escapeHtml, Html } from "../html.ts";

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
