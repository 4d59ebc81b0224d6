// Chooses a category by name, from a list, or by id, since a category may have no name.
import { type Signal, useSignal } from "@preact/signals";
import type { InputHTMLAttributes } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { focusFirst } from "../parts/fields.tsx";
import type { Categories } from "./state.ts";

const categoryRule = "Choose a category, or enter its number.";

type Attributes = Pick<
	InputHTMLAttributes,
	| "id"
	| "class"
	| "placeholder"
	| "required"
	| "onInvalid"
	| "aria-label"
	| "aria-describedby"
	| "aria-invalid"
>;

interface InputProps extends Attributes {
	readonly categories: Categories;
	/** The digits of its id; empty for none. */
	readonly chosen: string;
	/** Called with the digits of an id, or with an empty text. Not called while the text is wrong. */
	readonly onChoose: (id: string) => void;
	/** Called with a wrong text after Enter or blur, and with an empty text once it changes. */
	readonly onWrong?: (text: string) => void;
}

/** A wrong text makes the input invalid, so its form cannot be submitted. */
export function CategoryInput(props: InputProps) {
	const { categories, chosen, onChoose, onWrong, ...attributes } = props;
	/** Undefined while the field shows the chosen category. */
	const typed = useSignal<string | undefined>(undefined);
	const input = useRef<HTMLInputElement>(null);
	const listId = useId();
	const toId = (text: string) =>
		text.trim() === "" ? "" : categories.toCategoryId(text);
	const text = typed.value ?? (chosen && categories.toCategoryName(chosen));
	const isWrong = toId(text) === undefined;
	useEffect(() => {
		// The choice may come from outside this field.
		if (toId(text) === chosen) return;
		typed.value = undefined;
		onWrong?.("");
	}, [chosen]);
	useLayoutEffect(() =>
		input.current?.setCustomValidity(isWrong ? categoryRule : ""),
	);
	return (
		<>
			<input
				{...attributes}
				ref={input}
				list={listId}
				autocomplete="off"
				value={text}
				onInput={({ currentTarget: { value } }) => {
					typed.value = value;
					onWrong?.("");
					const id = toId(value);
					if (id !== undefined) onChoose(id);
				}}
				onChange={({ currentTarget: { value } }) => {
					if (toId(value) === undefined) onWrong?.(value);
				}}
				onBlur={() => {
					if (!isWrong) typed.value = undefined;
				}}
			/>
			<datalist id={listId}>
				{categories.all.value?.map(({ id, name }) => (
					<option key={id} value={name}>
						{String(id)}
					</option>
				))}
			</datalist>
		</>
	);
}

interface FieldProps {
	readonly categories: Categories;
	readonly value: Signal<string>;
}

/** For a form: with a label, and the rule where the field is wrong. */
export function CategoryField({ categories, value }: FieldProps) {
	const id = useId();
	const isWrong = useSignal(false);
	return (
		<div class="field">
			<label class="label" for={id}>
				Category
			</label>
			<CategoryInput
				id={id}
				categories={categories}
				chosen={value.value}
				required
				aria-describedby={`${id}-hint`}
				aria-invalid={isWrong.value}
				onChoose={(chosen) => {
					value.value = chosen;
					isWrong.value = false;
				}}
				onInvalid={(event) => {
					isWrong.value = true;
					focusFirst(event);
				}}
			/>
			<span class={isWrong.value ? "wrong" : "hint"} id={`${id}-hint`}>
				{isWrong.value ? categoryRule : "Its name, or its number."}
			</span>
		</div>
	);
}
