// Caches values computed from texts that many requests share.

/** More URLs or queries than a process usually meets in a minute. Above this, all are forgotten. */
export const maxRememberedTexts = 1_000;
/** Longer texts are not remembered, so all take less than a megabyte. */
export const maxRememberedLength = 256;

/** `compute` must depend only on the text. Long texts, and values that `isKept` refuses, are not remembered. */
export function remember<Value extends object>(
	compute: (text: string) => Value,
	isKept: (value: Value) => boolean = () => true,
): (text: string) => Value {
	const values = new Map<string, Value>();
	return (text) => {
		const known = values.get(text);
		if (known !== undefined) return known;
		const value = compute(text);
		if (text.length <= maxRememberedLength && isKept(value)) {
			if (values.size >= maxRememberedTexts) values.clear();
			values.set(text, value);
		}
		return value;
	};
}
