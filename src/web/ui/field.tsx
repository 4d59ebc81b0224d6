// The fields of forms and views. The browser holds and checks what is typed.
import { createElement, type LooseInputHTMLAttributes } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "./dialog.tsx";
import { isolate } from "./format.tsx";
import { attempt } from "./toasts.tsx";

export interface FieldProps {
	readonly label: string;
	/** The title of the fields with the same one. */
	readonly group?: string;
	readonly hint?: string | undefined;
	readonly value?: string | undefined;
	/** Values and their texts. Any text is allowed without them. */
	readonly options?: readonly Option[] | undefined;
	/** Whether the next one in the same form has the same value. */
	readonly stays?: true;
	/** Why the text is wrong; empty if it is not. For rules that the browser does not know. */
	readonly check?: (text: string) => string;
	/** Makes a text right that `check` refuses. */
	readonly make?: (text: string) => Promise<unknown>;
	/** Other attributes of the input. */
	readonly input?: InputAttributes;
}

interface InputAttributes extends LooseInputHTMLAttributes<HTMLInputElement> {
	readonly list?: string;
}

type Option = readonly [value: string, text: string];
export type Fields = Readonly<Record<string, FieldProps>>;
export type Values = Readonly<Record<string, string>>;

export function Field({
	name,
	label,
	...props
}: FieldProps & { name: string }) {
	const { hint, value = "", options, check, make, input } = props;
	const id = useId();
	const own = useRef<HTMLInputElement>(null);
	const [typed, setTyped] = useState("");
	const wrong = typed && (check?.(typed) ?? "");
	/** What `make` could make right. */
	const unknown = wrong && typed.trim();
	useLayoutEffect(() => own.current?.setCustomValidity(wrong), [wrong]);
	const common = { id, name, "aria-describedby": `${id}-hint` };
	return (
		<div class="field">
			<label for={id}>{label}</label>
			{options === undefined ? (
				<Input
					{...common}
					ref={own}
					required
					autocomplete="off"
					defaultValue={value}
					{...input}
					onInput={({ currentTarget }) => setTyped(currentTarget.value)}
				/>
			) : (
				<select {...common}>
					{options.map(([one, text]) => (
						<option key={one} value={one} selected={one === value}>
							{text}
						</option>
					))}
				</select>
			)}
			{make && unknown && (
				<Button
					class="link"
					onClick={async () => {
						await attempt("Could not create it.", () => make(unknown));
						own.current?.focus();
					}}
				>
					Create “{isolate(unknown)}”
				</Button>
			)}
			<span class="hint" id={`${id}-hint`}>
				{hint}
			</span>
		</div>
	);
}

/** Input attributes for the digits of an int64. */
export const int64 = {
	inputMode: "numeric",
	pattern: "\\s*-?\\d{1,19}\\s*",
	title: "A whole number",
} as const;

/** JSX knows which types of inputs have which attributes, so it refuses attributes that come as data. */
function Input(props: InputAttributes) {
	return createElement("input", props);
}

interface FilterProps
	extends Omit<InputAttributes, "label" | "value" | "onInput" | "onChange"> {
	readonly label: string;
	/** As the address has it. */
	readonly value: string;
	/** Called with each letter; otherwise with Enter, and when the field loses the focus. */
	readonly isLive?: boolean;
	readonly onChoose: (value: string) => void;
}

/** A field that filters a view. The address has its value; a refresh keeps what is half typed. */
export function FilterInput(props: FilterProps) {
	const { label, value, isLive, onChoose, ...input } = props;
	const field = useRef<HTMLInputElement>(null);
	useLayoutEffect(() => {
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

/** A text with a button that copies it. */
export function CopyField({ label, text }: { label: string; text: string }) {
	const field = useRef<HTMLTextAreaElement>(null);
	const [said, setSaid] = useState("Copy");
	return (
		<div class="copied">
			<textarea
				ref={field}
				readOnly
				rows={2}
				spellcheck={false}
				aria-label={label}
				value={text}
				onFocus={({ currentTarget }) => currentTarget.select()}
			/>
			<Button
				onClick={async () => {
					// Browsers have no clipboard on plain HTTP, except on localhost. The reader can copy the selected text.
					field.current?.select();
					const isCopied = await navigator.clipboard?.writeText(text).then(
						() => true,
						() => false,
					);
					setSaid(isCopied ? "Copied" : "Press Ctrl+C");
				}}
			>
				{said}
			</Button>
		</div>
	);
}
