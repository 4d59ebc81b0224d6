// Splits code into tokens for the style sheet. It knows no grammar: the snippets and JSON of these pages need none.

interface Token {
	/** Its CSS class; none for other text. */
	readonly kind: string | undefined;
	readonly text: string;
}

export function toCodeTokens(code: string): readonly Token[] {
	return [...code.matchAll(tokens)].map(({ 0: text, groups = {} }) => ({
		kind: Object.keys(groups).find((name) => groups[name] !== undefined),
		text,
	}));
}

/** Other text is matched in pieces that end where another token can begin. */
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
