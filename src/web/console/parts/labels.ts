// The names of animals and keys, as sentences and labels have them.

interface Named {
	readonly id: bigint | number;
	readonly name: string;
}

/** An animal in a sentence. */
export function toTitle({ id, name }: Named): string {
	return isVisible(name) ? `“${isolate(name)}”` : `animal ${id}`;
}

/** An animal in a label, which is read out. Others may have the same name. */
export function toPetLabel(pet: Named): string {
	const { id, name } = pet;
	return isVisible(name) ? `${name}, animal ${id}` : `animal ${id}`;
}

export function toKeyLabel({ id, name }: Named): string {
	return `${name}, key ${id}`;
}

/** Whether a person sees anything of it. Any text is a name, also one without a character. */
export function isVisible(name: string): boolean {
	return /[^\s\p{C}]/u.test(name);
}

/** A name in a sentence: it keeps its direction to itself, so that it does not reverse the words around it. */
export function isolate(name: string): string {
	return `\u2068${toShown(name)}\u2069`;
}

/** A name without what begins or ends a direction, which could reverse the name, or end its isolation. */
export function toShown(name: string): string {
	return name.replace(/[\u202a-\u202e\u2066-\u2069]/g, "");
}

/** The text as the start of a sentence. */
export function capitalise(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
