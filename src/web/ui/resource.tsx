// What a view reads: at once, every two seconds while the page is visible, after each change, and again until the service answers.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { hasCode, reloads, toMessage, trouble } from "./api.ts";
import { Button } from "./dialog.tsx";
import { formatTimeOfDay } from "./format.tsx";

const pollMs = 2_000;

export interface Resource<Value> {
	readonly value?: Value;
	readonly failure?: string;
	/** Whether the value is of another key: it is shown until there is a new one, or a failure. */
	readonly isOld?: boolean;
	/** The button that reads a further page. */
	readonly more?: ComponentChildren;
}

/** `key` has what is read. A failed poll keeps the last value. With null for `ms`, it is read again only after `reload`. */
export function useResource<Value>(
	read: (ending: AbortSignal) => Promise<Value>,
	key = "",
	ms: number | null = pollMs,
): Resource<Value> {
	const found = useSignal<Resource<Value> & { key: string }>({ key });
	useEffect(() => {
		const ending = new AbortController();
		const { signal } = ending;
		let timer: ReturnType<typeof setTimeout> | undefined;
		let isReading = false;
		let isOutdated = false;
		/** Returns when to read again. */
		const readOnce = async () => {
			isOutdated = false;
			try {
				found.value = { key, value: await read(signal) };
			} catch (error) {
				if (signal.aborted) return null;
				if (hasCode(error, ...transient)) {
					const { message, at: since } = error;
					trouble.value = { since, ...trouble.value, message };
					return pollMs;
				}
				// The sign-in dialog reloads.
				if (hasCode(error, "session_ended")) return null;
				const failure = toMessage(error);
				const old = found.value;
				found.value = { ...(old.key === key ? old : { key }), failure };
			}
			return ms;
		};
		const poll = async () => {
			// The next poll waits for this one, so that polls do not pile up on a slow service.
			isOutdated = true;
			if (isReading || document.visibilityState === "hidden") return;
			isReading = true;
			clearTimeout(timer);
			let wait: number | null = null;
			while (isOutdated && !signal.aborted) wait = await readOnce();
			isReading = false;
			if (!signal.aborted && wait !== null) timer = setTimeout(poll, wait);
		};
		document.addEventListener("visibilitychange", poll, { signal });
		const stop = reloads.subscribe(() => void poll());
		return () => {
			ending.abort();
			clearTimeout(timer);
			stop();
		};
	}, [key]);
	return { ...found.value, isOld: found.value.key !== key };
}

/** The parameters of a page. */
export type Page = Readonly<Record<"limit" | "cursor", unknown>>;

/** Rows of a page in a list, and where the next one begins. */
interface Rows<Row> {
	readonly rows: readonly Row[];
	readonly next: unknown;
}

export const pageSize = 100;
/** A search starts this long after the last letter. */
const typingMs = 250;

/** Reads one page of a list, and with each press of the button `more` another. A page may be empty, since a search ends after a while. */
export function usePages<Row>(
	readPage: (page: Page, ending: AbortSignal) => Promise<Rows<Row>>,
	key = "",
	/** What of the key somebody types. */
	typed = "",
) {
	const read = useRef("");
	const [count, setCount] = useState(pageSize);
	useEffect(() => setCount(pageSize), [key]);
	const { value, ...found } = useResource(
		async (ending) => {
			if (typed !== read.current)
				await new Promise((resolve) => setTimeout(resolve, typingMs));
			read.current = typed;
			const rows: Row[] = [];
			for (let cursor: unknown; ; ) {
				const page = await readPage({ limit: pageSize, cursor }, ending);
				rows.push(...page.rows);
				cursor = page.next;
				const hasMore = cursor !== undefined;
				if (rows.length >= count || !hasMore) return { rows, hasMore };
			}
		},
		`${count} ${key}`,
		null,
	);
	const hasMore = value?.hasMore ?? false;
	const more = hasMore && (
		<p class="further">
			<Button class="minor" onClick={() => setCount(count + pageSize)}>
				Show more
			</Button>
		</p>
	);
	return { ...found, ...(value && { value: value.rows }), hasMore, more };
}

/** After one of these codes, the same request may succeed in a moment. */
const transient = ["network", "unavailable", "rate_limited"];

/** The last value with the button for more, and why it could not be read again; or “Loading …”. */
export function Shown<Value>(props: {
	of: Resource<Value>;
	children: (value: Value) => ComponentChildren;
}) {
	const { value, failure } = props.of;
	return (
		<>
			<Failed message={failure} />
			{value === undefined && !failure && <p class="waiting">Loading …</p>}
			{value !== undefined && props.children(value)}
			{props.of.more}
		</>
	);
}

/** Screen readers say it at once. */
export function Failed({ message }: { message: string | undefined }) {
	if (message === undefined) return null;
	return (
		<p class="failed" role="alert">
			{message}
		</p>
	);
}

/** While the service does not work. */
export function Trouble() {
	const { value } = trouble;
	const text =
		value &&
		`${value.message} Retrying since ${formatTimeOfDay(value.since)} …`;
	return <Failed message={text} />;
}
