// The fault rules as switches. The sandbox forgets a rule that is used up or removed; the page still shows it, switched off.
import { useId } from "preact/hooks";
import { toJson } from "../../domain/json.ts";
import { base } from "../browser/base.ts";
import { get, send } from "../ui/api.ts";
import { CopyField } from "../ui/copy.tsx";
import { Button, CloseButton } from "../ui/dialog.tsx";
import { ask } from "../ui/form.tsx";
import { formatPercent } from "../ui/format.tsx";
import { Failed, reload, useResource } from "../ui/resource.tsx";
import { attempt } from "../ui/toasts.tsx";
import { anyOperation, type Rule, toAdding, toFaultText } from "./rules.ts";

/** By what identifies them, whatever is left of them. */
type Rules = Map<string, Rule>;

/** All that the page shows, as they are when switched on. */
const known: Rules = new Map();

/** What is left of the rules that are on. */
async function readRules(ending?: AbortSignal): Promise<Rules> {
	const rules = await get<readonly Rule[]>("/faults", ending);
	const on = new Map(rules.map((rule) => [toName(rule), rule]));
	for (const [name, rule] of on) if (!known.has(name)) known.set(name, rule);
	return on;
}

function toName({ times: _, skip: __, ...rule }: Rule): string {
	return toJson(Object.entries(rule).sort());
}

/** Changes the current rules: others may change them too. Keeps the order that the page shows. */
async function change(edit: (on: Rules) => void): Promise<void> {
	const on = await readRules();
	edit(on);
	const names = new Set([...known.keys(), ...on.keys()]);
	const body = [...names].flatMap((name) => on.get(name) ?? []);
	await send("PUT", "/faults", { body });
	reload();
}

const adding = toAdding(async (rule) => {
	const name = toName(rule);
	await change((on) => on.set(name, rule));
	known.set(name, rule);
});

export function Faults({ needsKey }: { needsKey: boolean }) {
	const { value: on, failure } = useResource(readRules, [], 500);
	return (
		<section class="faults" aria-labelledby="faults">
			<div class="head">
				<h2 id="faults">Faults</h2>
				<Button onClick={() => ask(adding)}>Add a fault</Button>
			</div>
			<p class="hint">
				{known.size === 0
					? "No faults: every request gets its usual reply. A fault makes requests wait or fail, or cuts their connection."
					: "A request meets the first rule that fits it, if its key is valid. A rule that is used up switches itself off."}
			</p>
			<Failed message={failure} />
			<ul>
				{[...known].map(([name, rule]) => (
					<RuleSwitch key={name} name={name} rule={rule} left={on?.get(name)} />
				))}
			</ul>
			{known.size > 0 && (
				<details>
					<summary>The same with curl (replaces all rules)</summary>
					<CopyField label="Command" text={toCommand(needsKey)} />
				</details>
			)}
		</section>
	);
}

/** For use in a script. */
function toCommand(needsKey: boolean): string {
	const header = needsKey ? `-H "Authorization: Bearer $KEY" ` : "";
	return `curl -X PUT ${header}-H "Content-Type: application/json" -d '${toJson([...known.values()])}' ${base}/sandbox/faults`;
}

function RuleSwitch(props: {
	name: string;
	rule: Rule;
	left: Rule | undefined;
}) {
	const { name, rule, left } = props;
	const isOn = left !== undefined;
	const { operation = anyOperation, probability, ...others } = rule;
	const { skip: _, times: __, ...fault } = others;
	const id = useId();
	const handle = (edit: (on: Rules) => void, after = () => {}) =>
		void attempt("Could not change the rules.", async () => {
			await change(edit);
			after();
		});
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
					handle((on) => (isOn ? on.delete(name) : on.set(name, rule)));
				}}
			/>
			<label for={id}>
				<b>{String(operation)}</b> <code>{toFaultText(fault)}</code>
				<span class="soft">
					{left === undefined ? "off" : toLeftText(left)}
					{probability !== undefined &&
						`, ${formatPercent(Number(probability), 1)}`}
				</span>
			</label>
			<CloseButton
				label={`Remove ${operation}: ${toFaultText(fault)}`}
				onClick={() =>
					handle(
						(on) => on.delete(name),
						() => known.delete(name),
					)
				}
			/>
		</li>
	);
}

/** For example `after 2 more, 1 left`. */
function toLeftText({ skip = 0n, times = 1n }: Rule): string {
	const count = times === "always" ? times : `${times} left`;
	return skip === 0n ? count : `after ${skip} more, ${count}`;
}
