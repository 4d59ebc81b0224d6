// Shows the secret of a key, once.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { MadeKey } from "../api/keys.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Button } from "../parts/fields.tsx";
import { isolate } from "../parts/labels.ts";

export function Secret({
	made: { name, key: secret },
	onClose,
}: {
	made: MadeKey;
	onClose: () => void;
}) {
	const field = useRef<HTMLTextAreaElement>(null);
	const copied = useSignal("");
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(secret);
			copied.value = "Copied.";
		} catch {
			// Browsers have no clipboard on plain HTTP, except on localhost.
			field.current?.select();
			copied.value = "Not copied: copy the selected text yourself.";
		}
	};
	return (
		<Dialog title={`The secret of ${isolate(name)}`}>
			<div class="form">
				<p>
					Copy it now. The service stores only its hash, so nobody can show it
					again.
				</p>
				<div class="secret">
					<textarea
						ref={field}
						readOnly
						rows={2}
						spellcheck={false}
						aria-label="API key"
						value={secret}
						onFocus={({ currentTarget }) => currentTarget.select()}
					/>
					<Button onClick={() => void copy()}>Copy</Button>
				</div>
				<p class="hint" role="status">
					{copied.value}
				</p>
				<div class="buttons">
					<Button class="minor" onClick={onClose}>
						I have copied it
					</Button>
				</div>
			</div>
		</Dialog>
	);
}
