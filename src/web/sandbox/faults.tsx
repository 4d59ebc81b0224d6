// The fault rules as switches, and the form that adds one.
import { type Signal, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { base } from "../browser/base.ts";
import { toMessage } from "../console/api/error.ts";
import { Button } from "../console/parts/fields.tsx";
import { FormDialog } from "../console/parts/form.tsx";
import { formatShort } from "../console/parts/format.ts";
import { capitalise } from "../console/parts/labels.ts";
import type { Rule } from "./control.ts";
import type { Parts } from "./parts.ts";
import {
	findOther,
	isOffered,
	type RuleField,
	toRule,
	type Values,
} from "./rule-fields.ts";
import {
	type Switch,
	switchOn,
	toFaultText,
	toName,
	toServed,
} from "./switches.ts";

export function Faults({ state, toasts, fields, accessKey }: Parts) {
	const isAdding = useSignal(false);
	const switches = state.switches.value;
	const change = (next: Parameters<typeof state.change>[0]) =>
		state
			.change(next)
			.catch((error) => toasts.fail(`Not changed. ${toMessage(error)}`));
	return (
		<section class="faults" aria-labelledby="faults">
			<div class="section-head">
				<h2 id="faults">Faults</h2>
				<Button
					class="minor"
					onClick={() => {
						isAdding.value = true;
					}}
				>
					Add a fault
				</Button>
			</div>
			<p class="hint">
				{switches.length === 0
					? "No faults: every request gets its usual reply. A fault makes requests wait or fail, or cuts their connection."
					: "A request meets the first rule that fits it, if its key is valid. A rule that is used up switches itself off."}
			</p>
			<ul>
				{switches.map((one, index) => (
					<RuleSwitch
						key={`${toName(one.rule)} ${index}`}
						one={one}
						onSwitch={() =>
							void change((all) => all.with(index, toSwitched(one)))
						}
						onRemove={() =>
							void change((all) => all.filter((_, other) => other !== index))
						}
					/>
				))}
			</ul>
			{switches.length > 0 && (
				<details>
					<summary>As a request</summary>
					<pre class="code">
						<code>
							{toCommand(toServed(switches), accessKey.value.value !== "")}
						</code>
					</pre>
				</details>
			)}
			{isAdding.value && (
				<AddFault
					fields={fields}
					onAdd={(rule) => state.change((all) => [...all, switchOn(rule)])}
					onClose={() => {
						isAdding.value = false;
					}}
				/>
			)}
		</section>
	);
}

/** For a script. */
function toCommand(rules: readonly Rule[], needsKey: boolean): string {
	const header = needsKey ? `-H "Authorization: Bearer $KEY" ` : "";
	return `curl -X PUT ${header}-d '${JSON.stringify(rules)}' ${base}/sandbox/faults`;
}

function toSwitched({ rule, left }: Switch): Switch {
	return left === undefined ? switchOn(rule) : { rule, left: undefined };
}

function RuleSwitch({
	one: { rule, left },
	onSwitch,
	onRemove,
}: {
	one: Switch;
	onSwitch: () => void;
	onRemove: () => void;
}) {
	const { operation = "any of /v1", times: _, probability, ...fault } = rule;
	const id = useId();
	const label = `${operation}: ${toFaultText(fault)}`;
	return (
		<li data-on={left !== undefined}>
			<input
				id={id}
				type="checkbox"
				role="switch"
				checked={left !== undefined}
				aria-checked={left !== undefined}
				onChange={(event) => {
					// The state decides what is shown.
					event.currentTarget.checked = left !== undefined;
					onSwitch();
				}}
			/>
			<label for={id}>
				<b>{String(operation)}</b> <code>{toFaultText(fault)}</code>
				<span class="soft">
					{toLeftText(rule, left)}
					{probability !== undefined &&
						`, ${formatShort(Number(probability) * 100)} %`}
				</span>
			</label>
			<Button class="icon" aria-label={`Remove ${label}`} onClick={onRemove}>
				<svg viewBox="0 0 16 16" aria-hidden="true">
					<path d="M3.5 3.5l9 9m0-9l-9 9" />
				</svg>
			</Button>
		</li>
	);
}

function toLeftText({ times = 1 }: Rule, left: unknown): string {
	if (left === undefined) return times === 1 ? "off" : `off, times ${times}`;
	return left === "always" ? left : `${left} left`;
}

function AddFault({
	fields,
	onAdd,
	onClose,
}: {
	fields: readonly RuleField[];
	onAdd: (rule: Rule) => Promise<void>;
	onClose: () => void;
}) {
	const values = useSignal<Values>({});
	const add = async () => {
		try {
			await onAdd(toRule(fields, values.value));
		} catch (error) {
			// The service names the rule by its place among all.
			throw new Error(
				capitalise(toMessage(error).replace(/^\[\d+\]\.?\s*/, "")),
			);
		}
		onClose();
	};
	return (
		<FormDialog
			title="Add a fault"
			submit="Add"
			onSubmit={add}
			onClose={onClose}
		>
			<FieldGroup
				title="For which requests"
				fields={fields.filter(({ isKind }) => !isKind)}
				values={values}
			/>
			<FieldGroup
				title="What happens"
				fields={fields.filter(({ isKind }) => isKind)}
				values={values}
			/>
			<p class="hint">
				Rules are used in their order. To let two requests pass first, first add
				a rule for them with <code>times</code> 2 and <code>delay</code> 0.
			</p>
		</FormDialog>
	);
}

function FieldGroup({
	title,
	fields,
	values,
}: {
	title: string;
	fields: readonly RuleField[];
	values: Signal<Values>;
}) {
	return (
		<fieldset>
			<legend>{title}</legend>
			<div class="grid">
				{fields
					.filter((field) => isOffered(field, values.value))
					.map((field) => (
						<Field
							key={field.name}
							field={field}
							value={values.value[field.name] ?? ""}
							other={findOther(field, values.value)}
							onInput={(value) => {
								values.value = { ...values.value, [field.name]: value };
							}}
						/>
					))}
			</div>
		</fieldset>
	);
}

function Field({
	field: { name, description, choices, format },
	value,
	other,
	onInput,
}: {
	field: RuleField;
	value: string;
	/** The field that excludes this one. */
	other: string | undefined;
	onInput: (value: string) => void;
}) {
	const id = useId();
	const common = {
		...{ id, value, "aria-describedby": `${id}-hint` },
		disabled: other !== undefined,
		onInput: ({ currentTarget }: { currentTarget: { value: string } }) =>
			onInput(currentTarget.value),
	};
	return (
		<div class="field">
			<label class="label" for={id}>
				<code>{name}</code>
			</label>
			{choices === undefined ? (
				<input {...common} autocomplete="off" placeholder={format} />
			) : (
				<select {...common}>
					<option value="">–</option>
					{choices.map((choice) => (
						<option key={choice}>{choice}</option>
					))}
				</select>
			)}
			<span class="hint" id={`${id}-hint`}>
				{other === undefined ? (
					<Prose text={description} />
				) : (
					<>
						Cannot be used together with <code>{other}</code>.
					</>
				)}
			</span>
		</div>
	);
}

/** Text with code between backticks. */
function Prose({ text }: { text: string }) {
	return (
		<>
			{text
				.split("`")
				.map((part, index) =>
					index % 2 === 1 ? <code key={part}>{part}</code> : part,
				)}
		</>
	);
}
