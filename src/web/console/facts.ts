// What the console needs of an animal's fields. The bundler calls this function, so the script has its result without readers and schemas.
import {
	fields,
	givenNames,
	petNames,
	petStatuses,
} from "../../domain/pet/pet.ts";

export function readFacts() {
	const petFields = petNames.map((name) => {
		const { title, hint, fallback = "", isOptional, type } = fields[name];
		return {
			name,
			title,
			hint,
			fallback: String(fallback),
			isOptional: isOptional === true,
			isGiven: givenNames.some((given) => given === name),
			isListed: !fields[name].isUnlisted,
			type: type.schema.type,
			format: type.schema.format,
			choices: type.schema.enum,
		};
	});
	return { petFields, petStatuses };
}
