// PocketBase as a target: how it is started, and which of its requests do the same as ours.
import type { Target } from "../../plan/target.ts";
import type { Template } from "../../plan/trials.ts";
import { findObstacle, program } from "./install.ts";

export const pocketBase = {
	name: "PocketBase",
	description:
		"PocketBase with a collection of animals that signed-in users may read and add to. It does not sync each commit",
	storage: "pocketbase",
	basePath: "/api/collections/pets",
	findObstacle,
	signIn,
	translate,
	command: ({ port, catalogue }) => [
		...([program, "serve", "--http", `127.0.0.1:${port}`] as const),
		...["--dir", catalogue],
	],
} as const satisfies Target;

async function signIn(origin: string): Promise<string> {
	const response = await fetch(
		`${origin}/api/collections/users/auth-with-password`,
		{
			method: "POST",
			headers: { "Content-Type": "application/json" },
			body: JSON.stringify({
				identity: "client@example.com",
				password: "the password of the benchmark",
			}),
		},
	);
	const { token }: { token: string } = await response.json();
	return token;
}

function translate(template: Template): Template {
	if (template.method === "POST")
		return { ...template, path: "/records", status: 200 };
	// Its ids are texts of 15 characters. The catalogue has them as numbers with leading zeros.
	return template.number === undefined
		? { ...template, path: "/records?perPage=20&sort=-id&skipTotal=1" }
		: { ...template, path: "/records/000000{number}", number: "padded" };
}
