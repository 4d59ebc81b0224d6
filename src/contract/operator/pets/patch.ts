// A JSON merge patch of an animal (RFC 7396): the members that it replaces. No member can be removed, so null is refused.
import { Failure } from "../../errors.ts";
import {
	isObject,
	type NewPet,
	toCategoryId,
	toName,
	toStatus,
} from "../../pet.ts";

/**
 * Takes what `parseJson` returns. Throws `invalid_body`, naming every rule that is broken; drops unknown members. `path` is where the
 * patch stands in the body.
 */
export function toPetPatch(value: unknown, path = ""): Partial<NewPet> {
	if (!isObject(value))
		throw new Failure(
			"invalid_body",
			`${path === "" ? "The body" : path} must be a JSON object.`,
		);
	const broken: string[] = [];
	const members = new Map<string, unknown>(Object.entries(value));
	const read = <Value>(name: string, toValue: ToValue<Value>) =>
		readMember(members, name, toValue, broken);
	const name = read("name", toName);
	const categoryId = read("categoryId", toCategoryId);
	const status = read("status", toStatus);
	if (broken.length > 0) throw toFailure(broken, path);
	return {
		...(name !== undefined && { name }),
		...(categoryId !== undefined && { categoryId }),
		...(status !== undefined && { status }),
	};
}

type ToValue<Value> = (value: unknown, broken: string[]) => Value | undefined;

function readMember<Value>(
	members: ReadonlyMap<string, unknown>,
	name: string,
	toValue: ToValue<Value>,
	broken: string[],
): Value | undefined {
	if (!members.has(name)) return undefined;
	const value = members.get(name);
	if (value !== null) return toValue(value, broken);
	broken.push(`${name} must not be null: every animal has one.`);
	return undefined;
}

/** Each sentence begins with the name of a member. */
function toFailure(broken: readonly string[], path: string): Failure {
	const prefix = path === "" ? "" : `${path}.`;
	return new Failure(
		"invalid_body",
		broken.map((sentence) => prefix + sentence).join(" "),
	);
}
