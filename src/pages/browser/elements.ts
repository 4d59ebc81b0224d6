// Creates elements. Texts become text nodes, so that nothing of a reply becomes markup.

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
