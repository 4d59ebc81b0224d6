// A field that filters a view. The address has its value; a refresh keeps what is half typed.
import { useEffect, useRef } from "preact/hooks";
import { Input, type InputAttributes } from "./form.tsx";

interface FilterProps
	extends Omit<InputAttributes, "label" | "value" | "onInput" | "onChange"> {
	readonly label: string;
	/** As the address has it. */
	readonly value: string;
	/** What the field shows for the value. */
	readonly shown?: string;
	/** The value of a text; undefined if it is unfinished or wrong. */
	readonly read?: (text: string) => string | undefined;
	/** Called with each letter; otherwise with Enter, and when the field loses the focus. */
	readonly isLive?: boolean;
	readonly onChoose: (value: string) => void;
}

export function FilterInput(props: FilterProps) {
	const {
		label,
		value,
		shown = value,
		read,
		isLive,
		onChoose,
		...input
	} = props;
	const field = useRef<HTMLInputElement>(null);
	const toValue = (text: string) => (read && text ? read(text) : text);
	useEffect(() => {
		const own = field.current;
		if (own === null) return;
		// The value may come from outside this field, such as the back button.
		if (toValue(own.value) !== value || own !== document.activeElement)
			own.value = shown;
	}, [shown]);
	return (
		<Input
			{...input}
			ref={field}
			autocomplete="off"
			aria-label={label}
			placeholder={label}
			defaultValue={shown}
			onInput={({ currentTarget: { value: text } }) => {
				const typed = toValue(text);
				if (isLive && typed !== undefined) onChoose(typed);
			}}
			onChange={({ currentTarget: own }) => {
				const text = own.value.trim();
				if (own.reportValidity() && toValue(text) !== value)
					onChoose(toValue(text) ?? text);
			}}
		/>
	);
}
