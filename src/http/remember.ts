// Remembers what was computed from a text, for texts that come with request after request.

/** URLs, and queries, of which it is remembered what they mean: more than a process meets within a minute. All are forgotten above it. */
export const maxRememberedTexts = 1_000;
/** Longer texts are not remembered, so that all take less than a megabyte. */
export const maxRememberedLength = 256;

/** `compute` must depend on the text alone. Of long texts, and of values that `isKept` refuses, nothing is remembered. */
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
