// Reads the form of an operation (reference/try-it.ts).
import { type Filled, replyKinds } from "../snippets/request.ts";

export function findForms(): readonly HTMLFormElement[] {
	return [...document.querySelectorAll<HTMLFormElement>("form.try")];
}

export function readForm(form: HTMLFormElement): Filled {
	const { operationId = "", method = "GET", path = "" } = form.dataset;
	const { bodyType = "" } = form.dataset;
	const body = form.querySelector("textarea");
	const fields = form.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
		"[data-place]",
	);
	return {
		operationId,
		method,
		path,
		bodyType,
		needsKey: !("keyless" in form.dataset),
		values: [...fields]
			.map(({ dataset: { place = "" }, name, value }) => ({
				place,
				name,
				value,
			}))
			.filter(({ value }) => value !== ""),
		bodyText: body?.value || undefined,
		secrets: body?.dataset.secrets?.split(" ").filter(Boolean) ?? [],
		reply: replyKinds.find((kind) => kind === form.dataset.reply) ?? "nothing",
	};
}
