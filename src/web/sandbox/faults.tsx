// The fault rules as switches. The sandbox forgets a rule that is used up or removed; the page still shows it, switched off.
import { effect, signal } from "@preact/signals";
import { useId } from "preact/hooks";
import { parseRounded, toJson } from "../../client/json.ts";
import { fromJsonText } from "../../domain/types/object.ts";
import type { Schema } from "../../domain/types/type.ts";
import { get, send, toMessage } from "../ui/api.ts";
import { Button, CloseButton } from "../ui/dialog.tsx";
import type { FieldProps } from "../ui/field.tsx";
import { type Asked, ask } from "../ui/form.tsx";
import { capitalise } from "../ui/format.tsx";
import { Failed, useResource } from "../ui/resource.tsx";
import { attempt } from "../ui/toasts.tsx";

/** A fault rule, or its fault. */
export type Rule = Readonly<Record<string, unknown>>;

/** By what identifies them, whatever is left of them. */
type Rules = Map<string, Rule>;

const storedName = "petstore-faults";

/** All that the page shows, as they are when switched on. The tab keeps them. */
const known = signal<Rules>(
	new Map(Object(fromJsonText(sessionStorage.getItem(storedName) ?? "[]"))),
);
effect(() => sessionStorage.setItem(storedName, toJson([...known.value])));

/** What is left of the rules that are on. */
async function readRules(ending?: AbortSignal): Promise<Rules> {
	const rules = await get<readonly Rule[]>("/faults", ending);
	const on: Rules = new Map();
	for (const rule of rules) on.set(toFreeName(rule, on), rule);
	known.value = new Map([...known.value, ...on, ...known.value]);
	return on;
}

/** Several may be the same but for what is left of them. */
function toFreeName({ times: _, skip: __, ...rule }: Rule, on: Rules): string {
	const name = toJson(Object.entries(rule).sort());
	for (let number = 1; ; number++)
		if (!on.has(`${number} ${name}`)) return `${number} ${name}`;
}

/** Switches the rule on, or off without one. Others may change the rules too. Keeps the order that the page shows. */
async function change(name: string, rule?: Rule): Promise<void> {
	const on = await readRules();
	if (rule === undefined) on.delete(name);
	else on.set(name, rule);
	const names = new Set([...known.value.keys(), name]);
	const body = [...names].flatMap((one) => on.get(one) ?? []);
	await send("PUT", "/faults", { body });
}

export function Faults() {
	const { value: on, failure } = useResource(readRules, "", 500);
	return (
		<section class="faults" aria-labelledby="faults">
			<div class="head">
				<h2 id="faults">Faults</h2>
				<Button onClick={() => ask(adding)}>Add a fault</Button>
			</div>
			<p class="hint">
				{known.value.size === 0
					? "No faults: every request gets its usual reply. A fault makes requests wait or fail, or cuts their connection."
					: "A request meets the first rule that fits it, if its key is valid. A rule that is used up switches itself off."}
			</p>
			<Failed message={failure} />
			<ul>
				{[...known.value].map(([name, rule]) => (
					<RuleSwitch key={name} name={name} rule={rule} left={on?.get(name)} />
				))}
			</ul>
		</section>
	);
}

function RuleSwitch(props: {
	name: string;
	rule: Rule;
	left: Rule | undefined;
}) {
	const { name, rule, left } = props;
	const { operation, skip: _, times: __, ...others } = rule;
	const title = String(operation ?? "any operation of /v1");
	const isOn = left !== undefined;
	const id = useId();
	const handle = (work: () => Promise<void>) =>
		void attempt("Could not change the rules.", work);
	return (
		<li class="panel" data-on={isOn}>
			<input
				id={id}
				type="checkbox"
				role="switch"
				checked={isOn}
				aria-checked={isOn}
				onChange={(event) => {
					// The state decides what is shown.
					event.currentTarget.checked = isOn;
					handle(() => change(name, isOn ? undefined : rule));
				}}
			/>
			<label for={id}>
				<b>{title}</b> <code>{toFaultText(others)}</code>
				<span class="hint">{left ? toLeftText(left) : "off"}</span>
			</label>
			<CloseButton
				label={`Remove ${title}: ${toFaultText(others)}`}
				onClick={() =>
					handle(async () => {
						await change(name);
						known.value = new Map(
							[...known.value].filter(([one]) => one !== name),
						);
					})
				}
			/>
		</li>
	);
}

/** For example `after 2 more, 1 left`. */
function toLeftText({ skip, times = 1n }: Rule): string {
	const count = times === "always" ? times : `${times} left`;
	return skip === undefined ? count : `after ${skip} more, ${count}`;
}

/** The form that adds a rule follows from these, which the service puts into the page. */
interface Member {
	readonly name: string;
	readonly schema: Pick<
		Schema,
		"description" | "enum" | "const" | "minimum" | "maximum"
	>;
	/** Whether it is part of the fault, and not of the filter. */
	readonly isKind: boolean;
}

const members = parseRounded<readonly Member[]>(
	document.body.dataset.ruleFields ?? "[]",
);

/** The service checks the rule. */
const adding: Asked = {
	title: "Add a fault",
	submit: "Add",
	fields: Object.fromEntries(
		members.map((member) => [member.name, toField(member)]),
	),
	async run(values) {
		const given = Object.entries(values)
			.filter(([, typed]) => typed.trim() !== "")
			.map(([name, typed]) => [name, fromJsonText(typed.trim())]);
		const rule: Rule = Object.fromEntries(given);
		try {
			await change(toFreeName(rule, await readRules()), rule);
		} catch (error) {
			// Drops the index of the rule.
			const message = toMessage(error).replace(/^\[\d+\]\.?\s*/, "");
			throw new Error(capitalise(message));
		}
	},
};

function toField({ name, schema, isKind }: Member): FieldProps {
	const { description, const: only, minimum, maximum } = schema;
	const absent = isKind ? "–" : "any";
	const values = schema.enum ?? (only === undefined ? only : [String(only)]);
	return {
		label: name,
		group: isKind ? "What happens" : "For which requests",
		hint: description?.replaceAll("`", ""),
		options:
			values && ["", ...values].map((one) => [one, one || absent] as const),
		input: {
			required: false,
			placeholder: maximum === undefined ? "" : `${minimum} to ${maximum}`,
		},
	};
}

/** A fault as the header Sandbox-Fault has it. */
export function toFaultText(fault: Rule): string {
	return Object.entries(fault)
		.map(([name, value]) => {
			const text = typeof value === "string" ? value : toJson(value);
			return `${name}=${text}`;
		})
		.join("; ");
}
