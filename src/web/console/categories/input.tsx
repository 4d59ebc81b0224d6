// Choosing a category by its name, from a list, or by its id, since an animal may have a category without a name.
import { type Signal, useSignal } from "@preact/signals";
import type { InputHTMLAttributes } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import type { Categories } from "./state.ts";

interface InputProps {
	readonly categories: Categories;
	/** The digits of its id; empty for none. */
	readonly value: string;
	/** Called with the digits of an id, or with an empty text. Not called while the text is no category. */
	readonly onChoose: (id: string) => void;
	readonly attributes: Attributes;
}

type Attributes = Pick<
	InputHTMLAttributes,
	| ("id" | "class" | "placeholder" | "required" | "onInvalid")
	| ("aria-label" | "aria-describedby" | "aria-invalid")
>;

/** A form with another text cannot be submitted: the input is invalid. */
export function CategoryInput(props: InputProps) {
	const { categories, value, onChoose, attributes } = props;
	const toId = (text: string) =>
		text.trim() === "" ? "" : categories.toCategoryId(text);
	const toText = () => value && categories.toCategoryName(value);
	const text = useSignal(toText());
	const input = useRef<HTMLInputElement>(null);
	const listId = useId();
	const isWrong = toId(text.value) === undefined;
	useEffect(() => {
		if (toId(text.peek()) !== value) text.value = toText();
	}, [value]);
	useEffect(() => {
		// What somebody has typed stays.
		const isTyped = isWrong || input.current?.matches(":focus");
		if (!isTyped) text.value = toText();
	}, [categories.all.value]);
	useLayoutEffect(() =>
		input.current?.setCustomValidity(isWrong ? categoryRule : ""),
	);
	return (
		<>
			<input
				aria-invalid={isWrong}
				{...attributes}
				ref={input}
				list={listId}
				autocomplete="off"
				value={text.value}
				onInput={({ currentTarget }) => {
					text.value = currentTarget.value;
					const id = toId(currentTarget.value);
					if (id !== undefined) onChoose(id);
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

export const categoryRule = "Choose a category, or enter its number.";

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
				categories={categories}
				value={value.value}
				onChoose={(chosen) => {
					value.value = chosen;
					isWrong.value = false;
				}}
				attributes={{
					...{ id, required: true, "aria-describedby": `${id}-hint` },
					"aria-invalid": isWrong.value,
					onInvalid(event) {
						event.preventDefault();
						isWrong.value = true;
						event.currentTarget.focus();
					},
				}}
			/>
			<span class={isWrong.value ? "wrong" : "hint"} id={`${id}-hint`}>
				{isWrong.value ? categoryRule : "Its name, or its number."}
			</span>
		</div>
	);
}
