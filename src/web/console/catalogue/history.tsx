// The history of one animal: what was changed, when and by whom, and the way back.
import { useSignal } from "@preact/signals";
import type { Entry } from "../api/history.ts";
import type { Pet } from "../api/pets.ts";
import type { Categories } from "../categories/state.ts";
import { Button } from "../parts/fields.tsx";
import { capitalise, formatTime, isVisible, toShown } from "../parts/format.ts";
import { attempt, Failed } from "../parts/poll.tsx";

interface HistoryProps {
	/** Newest first. */
	readonly entries: readonly Entry[];
	/** Undefined if the animal was removed. */
	readonly current: Pet | undefined;
	readonly categories: Categories;
	readonly onPutBack: (before: Pet) => Promise<void>;
}

export function History(props: HistoryProps) {
	const { entries, current, categories, onPutBack } = props;
	const failure = useSignal<string | undefined>(undefined);
	return (
		<section class="history">
			<h3>History</h3>
			<Failed message={failure.value} />
			{entries.length === 0 && <p class="soft">Nothing is known.</p>}
			<ol>
				{entries.map((entry) => (
					<li key={String(entry.pet?.version ?? entry.at)}>
						<Differences entry={entry} categories={categories} />
						<p class="soft">
							{entry.at === undefined ? "time unknown" : formatTime(entry.at)}
							{entry.by && ` · ${toAuthor(entry.by)}`}
						</p>
						{entry.before && !isSame(entry.before, current) && (
							<PutBack
								before={entry.before}
								at={entry.at}
								onClick={(before) =>
									void attempt(failure, undefined, () => onPutBack(before))
								}
							/>
						)}
					</li>
				))}
			</ol>
		</section>
	);
}

function PutBack(props: {
	before: Pet;
	at: number | undefined;
	onClick: (before: Pet) => void;
}) {
	const { before, at = 0, onClick } = props;
	return (
		<Button
			class="minor"
			aria-label={`Put back the content of before ${formatTime(at)}, version ${before.version}`}
			onClick={() => onClick(before)}
		>
			Put back
		</Button>
	);
}

export function Differences(props: { entry: Entry; categories: Categories }) {
	const { kind, pet, before } = props.entry;
	const toValue = (value: string | bigint) => (
		<Value>
			{typeof value === "bigint"
				? props.categories.toCategoryName(value)
				: value}
		</Value>
	);
	if (pet === undefined || before === undefined)
		return <p class="kind">{capitalise(kind)}</p>;
	return (
		<dl class="differences">
			{members
				.filter(({ name }) => pet[name] !== before[name])
				.map(({ name, title }) => (
					<div key={name}>
						<dt>{title}</dt>
						<dd>
							<del>{toValue(before[name])}</del> →{" "}
							<ins>{toValue(pet[name])}</ins>
						</dd>
					</div>
				))}
		</dl>
	);
}

function Value({ children }: { children: string }) {
	return <bdi>{isVisible(children) ? toShown(children) : "no name"}</bdi>;
}

export function toAuthor({
	kind,
	keyId,
	importId,
	name,
}: NonNullable<Entry["by"]>) {
	if (name !== undefined) return name;
	if (keyId !== undefined) return `key ${keyId}`;
	return importId === undefined ? kind : `import ${importId}`;
}

function isSame(one: Pet, other: Pet | undefined): boolean {
	return members.every(({ name }) => one[name] === other?.[name]);
}

export const members = [
	{ name: "name", title: "Name" },
	{ name: "categoryId", title: "Category" },
	{ name: "status", title: "Status" },
] as const;
