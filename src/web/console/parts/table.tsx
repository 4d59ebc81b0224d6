// A table with headings above its columns.
import type { ComponentChildren } from "preact";

interface Heading {
	readonly text: string;
	readonly kind?: "number" | "share" | "unseen";
}

export function Table({
	class: className,
	headings,
	children,
}: {
	class?: string;
	headings: readonly (Heading | string)[];
	children: ComponentChildren;
}) {
	return (
		<table class={className}>
			<thead>
				<tr>{headings.map(renderHeading)}</tr>
			</thead>
			<tbody>{children}</tbody>
		</table>
	);
}

function renderHeading(heading: Heading | string) {
	const { text, kind }: Heading =
		typeof heading === "string" ? { text: heading } : heading;
	const isSeen = kind === undefined || kind === "number";
	return (
		<th key={text} scope="col" class={kind === "unseen" ? undefined : kind}>
			{isSeen ? text : <span class="unseen">{text}</span>}
		</th>
	);
}

/** Of a column of figures. */
export function number(text: string): Heading {
	return { text, kind: "number" };
}

/** Only screen readers say it. */
export function unseen(text: string): Heading {
	return { text, kind: "unseen" };
}
