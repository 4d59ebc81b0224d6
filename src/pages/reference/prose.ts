// Text of an OpenAPI document as HTML: what stands between backticks is code.
import { type Html, html } from "../html.ts";

export function prose(text: string): readonly Html[] {
	return text
		.split(/`([^`]+)`/)
		.map((part, index) =>
			index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`,
		);
}

/** A day such as `2030-12-05` in words. */
export function toDay(day: string): string {
	return new Intl.DateTimeFormat("en-GB", {
		dateStyle: "long",
		timeZone: "UTC",
	}).format(new Date(day));
}
