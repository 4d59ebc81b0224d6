// A fault rule as the page shows and adds it. Its form is made from the schemas of its members, which the service puts into the page; the
// service checks the rule.
import { parseRounded } from "../../client/json.ts";
import { toJson } from "../../domain/json.ts";
import { fromJsonText } from "../../domain/object.ts";
import type { Schema } from "../../domain/type.ts";
import { toMessage } from "../ui/api.ts";
import type { FieldProps } from "../ui/field.tsx";
import type { Asked } from "../ui/form.tsx";
import { capitalise } from "../ui/format.tsx";

/** The members of a rule, or of a fault. */
export type Rule = Readonly<Record<string, unknown>>;

interface Member {
	readonly name: string;
	readonly schema: Pick<Schema, "description" | "enum" | "const">;
	/** Whether it is part of the fault, and not of the filter. */
	readonly isKind: boolean;
}

const members = parseRounded<readonly Member[]>(
	document.body.dataset.ruleFields ?? "[]",
);

export function toAdding(add: (rule: Rule) => Promise<void>): Asked {
	return {
		title: "Add a fault",
		submit: "Add",
		fields: Object.fromEntries(
			members.map((member) => [member.name, toField(member)]),
		),
		async run(values) {
			const given = Object.entries(values)
				.filter(([, typed]) => typed.trim() !== "")
				.map(([name, typed]) => [name, fromJsonText(typed.trim())]);
			try {
				await add(Object.fromEntries(given));
			} catch (error) {
				// Drops the index of the rule.
				const message = toMessage(error).replace(/^\[\d+\]\.?\s*/, "");
				throw new Error(capitalise(message));
			}
		},
	};
}

function toField({ name, schema, isKind }: Member): FieldProps {
	const { description, const: only } = schema;
	const values = schema.enum ?? (only === undefined ? only : [String(only)]);
	return {
		label: name,
		group: isKind ? "What happens" : "For which requests",
		hint: description?.replaceAll("`", ""),
		options: values && ["", ...values].map((one) => [one, one || "–"] as const),
		input: { required: false },
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
