// A text with a button that copies it.

import { useRef } from "preact/hooks";
import { Button } from "./dialog.tsx";
import { useSignal } from "./state.ts";

export function CopyField({ label, text }: { label: string; text: string }) {
	const field = useRef<HTMLTextAreaElement>(null);
	const said = useSignal("");
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(text);
			said.value = "Copied.";
		} catch {
			// Browsers have no clipboard on plain HTTP, except on localhost.
			field.current?.select();
			said.value = "Could not copy. Copy the selected text yourself.";
		}
	};
	return (
		<>
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
				<Button onClick={() => void copy()}>Copy</Button>
			</div>
			<p class="hint" role="status">
				{said.value}
			</p>
		</>
	);
}
