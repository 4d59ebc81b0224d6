// Makes elements. Texts become text nodes, so that no part of a reply becomes markup.
import { toCodeTokens } from "../code-tokens.ts";

export function element<Name extends keyof HTMLElementTagNameMap>(
	name: Name,
	className: string,
	...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
	const created = document.createElement(name);
	if (className !== "") created.className = className;
	created.append(...children);
	return created;
}

/** Code with its tokens marked for the style sheet. */
export function highlight(code: string): readonly (Node | string)[] {
	return toCodeTokens(code).map(({ kind, text }) =>
		kind === undefined ? text : element("span", kind, text),
	);
}
