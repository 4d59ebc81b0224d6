// A table with headings above its columns.
import type { ComponentChildren, VNode } from "preact";

interface TableProps {
	readonly class?: string;
	readonly headings: readonly (VNode | string)[];
	readonly children: ComponentChildren;
}

export function Table(props: TableProps) {
	return (
		<table class={props.class}>
			<thead>
				<tr>
					{props.headings.map((heading) =>
						typeof heading === "string" ? toHeading(heading) : heading,
					)}
				</tr>
			</thead>
			<tbody>{props.children}</tbody>
		</table>
	);
}

export function toHeading(text: string, className?: string) {
	return (
		<th key={text} scope="col" class={className}>
			{text}
		</th>
	);
}

export function number(text: string): VNode {
	return toHeading(text, "number");
}

/** For screen readers only. */
export function unseen(text: string, className?: string): VNode {
	return (
		<th key={text} scope="col" class={className}>
			<span class="unseen">{text}</span>
		</th>
	);
}
