// The fault rules as switches.
import { signal } from "@preact/signals";
import { useId } from "preact/hooks";
import { parseRounded } from "../../client/json.ts";
import { toJson } from "../../domain/json.ts";
import { base } from "../browser/base.ts";
import { get, send } from "../ui/api.ts";
import { CopyField } from "../ui/copy.tsx";
import { Button, CloseButton } from "../ui/dialog.tsx";
import { ask } from "../ui/form.tsx";
import { formatPercent } from "../ui/format.tsx";
import { Failed, reload, useResource } from "../ui/resource.tsx";
import { attempt } from "../ui/toasts.tsx";
import { anyOperation, toAdding } from "./rules.ts";
import {
	type Rule,
	type Switch,
	switchOn,
	toFaultText,
	toName,
	toServed,
	toSwitches,
} from "./switches.ts";

const storedName = "petstore-sandbox-faults";
const stored = parseRounded<readonly Switch[]>(
	sessionStorage.getItem(storedName) ?? "[]",
);
const switches = signal(stored);

function show(next: readonly Switch[]): void {
	switches.value = next;
	sessionStorage.setItem(storedName, toJson(next));
}

const listFaults = (ending?: AbortSignal) =>
	get<readonly Rule[]>("/faults", ending);

/** Changes the rules of the sandbox, from their current state: others may change them too. */
async function change(
	next: (switches: readonly Switch[]) => readonly Switch[],
): Promise<void> {
	const changed = next(toSwitches(switches.peek(), await listFaults()));
	await send("PUT", "/faults", { body: toServed(changed) });
	show(changed);
	reload();
}

const tryChange = (next: Parameters<typeof change>[0]) =>
	void attempt("Could not change the rules.", () => change(next));

const adding = toAdding((rule) => change((all) => [...all, switchOn(rule)]));

export function Faults({ needsKey }: { needsKey: boolean }) {
	const { failure } = useResource(
		async (ending) =>
			show(toSwitches(switches.peek(), await listFaults(ending))),
		[],
		500,
	);
	const all = switches.value;
	return (
		<section class="faults" aria-labelledby="faults">
			<div class="head">
				<h2 id="faults">Faults</h2>
				<Button onClick={() => ask(adding)}>Add a fault</Button>
			</div>
			<p class="hint">
				{all.length === 0
					? "No faults: every request gets its usual reply. A fault makes requests wait or fail, or cuts their connection."
					: "A request meets the first rule that fits it, if its key is valid. A rule that is used up switches itself off."}
			</p>
			<Failed message={failure} />
			<ul>
				{all.map((one, index) => (
					<RuleSwitch
						key={`${toName(one.rule)} ${index}`}
						one={one}
						onSwitch={() =>
							tryChange((now) =>
								now.with(
									index,
									one.left ? { rule: one.rule } : switchOn(one.rule),
								),
							)
						}
						onRemove={() => tryChange((now) => now.toSpliced(index, 1))}
					/>
				))}
			</ul>
			{all.some(({ left }) => left === undefined) && (
				<Button
					class="minor"
					onClick={() =>
						tryChange((now) =>
							now.map((one) => (one.left ? one : switchOn(one.rule))),
						)
					}
				>
					Switch all on
				</Button>
			)}
			{all.length > 0 && (
				<details>
					<summary>The same with curl (replaces all rules)</summary>
					<CopyField
						label="Command"
						text={toCommand(
							all.map(({ rule }) => rule),
							needsKey,
						)}
					/>
				</details>
			)}
		</section>
	);
}

/** For use in a script. */
function toCommand(rules: readonly Rule[], needsKey: boolean): string {
	const header = needsKey ? `-H "Authorization: Bearer $KEY" ` : "";
	return `curl -X PUT ${header}-H "Content-Type: application/json" -d '${toJson(rules)}' ${base}/sandbox/faults`;
}

function RuleSwitch(props: {
	one: Switch;
	onSwitch: () => void;
	onRemove: () => void;
}) {
	const { rule, left } = props.one;
	const isOn = left !== undefined;
	const { operation = anyOperation, probability, ...others } = rule;
	const { skip: _, times: __, ...fault } = others;
	const id = useId();
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
					props.onSwitch();
				}}
			/>
			<label for={id}>
				<b>{String(operation)}</b> <code>{toFaultText(fault)}</code>
				<span class="soft">
					{toLeftText(rule, left)}
					{probability !== undefined &&
						`, ${formatPercent(Number(probability), 1)}`}
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
	const [skipped, count] = [String(skip), String(times)];
	if (left !== undefined)
		return [
			...(skipped === "0" ? [] : [`after ${skipped} more`]),
			count === "always" ? count : `${count} left`,
		].join(", ");
	return [
		"off",
		...(skipped === "0" ? [] : [`skip ${skipped}`]),
		...(count === "1" ? [] : [`times ${count}`]),
	].join(", ");
}
