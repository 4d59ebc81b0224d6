// A field that filters a view. The address has its value; a refresh keeps what is half typed.
import { useEffect, useRef } from "preact/hooks";
import { Input, type InputAttributes } from "./form.tsx";

interface FilterProps
	extends Omit<InputAttributes, "label" | "value" | "onInput" | "onChange"> {
	readonly label: string;
	/** As the address has it. */
	readonly value: string;
	/** Called with each letter; otherwise with Enter, and when the field loses the focus. */
	readonly isLive?: boolean;
	readonly onChoose: (value: string) => void;
}

export function FilterInput(props: FilterProps) {
	const { label, value, isLive, onChoose, ...input } = props;
	const field = useRef<HTMLInputElement>(null);
	useEffect(() => {
		// The value may come from outside this field, such as the back button.
		if (field.current) field.current.value = value;
	}, [value]);
	return (
		<Input
			{...input}
			ref={field}
			autocomplete="off"
			aria-label={label}
			placeholder={label}
			defaultValue={value}
			onInput={({ currentTarget: own }) => isLive && onChoose(own.value)}
			onChange={({ currentTarget: own }) => {
				const text = own.value.trim();
				if (own.reportValidity() && text !== value) onChoose(text);
			}}
		/>
	);
}
