// The fault rules as switches.
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { base } from "../browser/base.ts";
import { clipboard, copy, copyLabel } from "../browser/copy.ts";
import { CloseButton } from "../console/parts/dialog.tsx";
import { Button } from "../console/parts/fields.tsx";
import { formatShort } from "../console/parts/format.ts";
import { AddFault } from "./add-fault.tsx";
import type { Rule } from "./control.ts";
import { anyOperation } from "./rule-fields.ts";
import type { WithState } from "./state.ts";
import { type Switch, switchOn, toFaultText, toName } from "./switches.ts";

export function Faults({ state }: WithState) {
	const isAdding = useSignal(false);
	const switches = state.switches.value;
	return (
		<section class="faults" aria-labelledby="faults">
			<div class="section-head">
				<h2 id="faults">Faults</h2>
				<Button
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
							void state.tryChange((all) => all.with(index, toSwitched(one)))
						}
						onRemove={() =>
							void state.tryChange((all) =>
								all.filter((_, other) => other !== index),
							)
						}
					/>
				))}
			</ul>
			{switches.some(({ left }) => left === undefined) && (
				<Button
					class="minor"
					onClick={() =>
						void state.tryChange((all) =>
							all.map((one) =>
								one.left === undefined ? switchOn(one.rule) : one,
							),
						)
					}
				>
					Switch all on
				</Button>
			)}
			{switches.length > 0 && (
				<details>
					<summary>The same with curl (replaces all rules)</summary>
					<Command
						text={toCommand(
							switches.map(({ rule }) => rule),
							state.key.current.value !== "",
						)}
					/>
				</details>
			)}
			{isAdding.value && (
				<AddFault
					fields={state.fields}
					onAdd={(rule) => state.change((all) => [...all, switchOn(rule)])}
					onClose={() => {
						isAdding.value = false;
					}}
				/>
			)}
		</section>
	);
}

/** For use in a script. */
function toCommand(rules: readonly Rule[], needsKey: boolean): string {
	const header = needsKey ? `-H "Authorization: Bearer $KEY" ` : "";
	return `curl -X PUT ${header}-H "Content-Type: application/json" -d '${JSON.stringify(rules)}' ${base}/sandbox/faults`;
}

function Command({ text }: { text: string }) {
	const label = useSignal(copyLabel);
	return (
		<>
			<pre class="code">
				<code>{text}</code>
			</pre>
			{clipboard !== undefined && (
				<Button
					class="minor"
					onClick={() =>
						void copy(text, (next) => {
							label.value = next;
						})
					}
				>
					{label.value}
				</Button>
			)}
		</>
	);
}

function toSwitched({ rule, left }: Switch): Switch {
	return left === undefined ? switchOn(rule) : { rule, left: undefined };
}

function RuleSwitch(props: {
	one: Switch;
	onSwitch: () => void;
	onRemove: () => void;
}) {
	const { rule, left } = props.one;
	const { operation = anyOperation, probability, ...others } = rule;
	const { skip: _, times: __, ...fault } = others;
	const id = useId();
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
					props.onSwitch();
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
			<CloseButton
				label={`Remove ${operation}: ${toFaultText(fault)}`}
				onClick={props.onRemove}
			/>
		</li>
	);
}

/** For example `after 2 more, 1 left`. */
function toLeftText(rule: Rule, left: Rule | undefined): string {
	const { skip = 0, times = 1 } = left ?? rule;
	const isOn = left !== undefined;
	return [
		...(isOn ? [] : ["off"]),
		...(skip === 0 ? [] : [isOn ? `after ${skip} more` : `skip ${skip}`]),
		...(isOn
			? [times === "always" ? times : `${times} left`]
			: times === 1
				? []
				: [`times ${times}`]),
	].join(", ");
}
