// Who changed an animal: a key, someone who signed in by a link, the command line, or an import.

export const authorKinds = ["key", "link", "command line", "import"] as const;

export interface Author {
	readonly kind: (typeof authorKinds)[number];
	/** The id of a stored key, or of an import. */
	readonly id?: string | undefined;
	/** The name that a key had then, or that a link was made for. */
	readonly name?: string | undefined;
}

/** The author and the time of a change, in milliseconds since 1970. */
export interface Authored {
	readonly by: Author;
	readonly at: number;
}

export function byCommandLine(at = Date.now()): Authored {
	return { by: { kind: "command line" }, at };
}
