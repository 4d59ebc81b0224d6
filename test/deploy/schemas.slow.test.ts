// The manifests in deploy/ against the schemas of Compose and Kubernetes. These are in packages of npm, which are installed into a
// temporary folder.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { Ajv } from "ajv";
import { succeed } from "../../harness/package.ts";
import { root, start } from "../../harness/process.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import {
	type Manifest,
	readBackupManifest,
	readComposeFile,
	readManifests,
} from "./manifests.ts";

/** The first has the schema of the Compose Specification, the second is made from the OpenAPI document of Kubernetes. */
const packages = ["dclint@3.1.0", "kubernetes-models@5.1.0"];

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(async () => {
	folder = temporaryFolder();
	writeFileSync(`${folder.path}/package.json`, '{"type":"module"}');
	await succeed(
		["npm", "install", "--silent", "--ignore-scripts", ...packages],
		folder.path,
	);
}, 180_000);
afterAll(() => folder.remove());

describe("Compose", () => {
	const problemsOf = (file: object) => {
		const path = `${folder.path}/node_modules/dclint/schemas/compose.schema.json`;
		const schema = JSON.parse(readFileSync(path, "utf8"));
		const ajv = new Ajv({ strict: false, validateFormats: false });
		const isValid = ajv.validate(
			{ ...schema, $schema: "http://json-schema.org/draft-07/schema#" },
			file,
		);
		return isValid ? "" : ajv.errorsText();
	};

	test.each(["compose.yaml", "compose.postgres.yaml", "compose.sandbox.yaml"])(
		"deploy/%s is valid",
		(name) => {
			expect(problemsOf(readComposeFile(`deploy/${name}`))).toBe("");
		},
	);
	test("an unknown member of a service is found", () => {
		const wrong = { services: { petstore: { readonly: true } } };
		expect(problemsOf(wrong)).toContain("additional properties");
	});
});

describe("Kubernetes", () => {
	test("deploy/kubernetes.yaml is valid", async () => {
		expect(await problemsOf(readManifests())).toBe("");
	}, 60_000);
	test("deploy/kubernetes-backup.yaml is valid", async () => {
		expect(await problemsOf([readBackupManifest()])).toBe("");
	}, 60_000);
	test("a member of the wrong type is found", async () => {
		const wrong = { spec: { ports: [{ port: "80" }] } };
		expect(await problemsOf([{ ...service, ...wrong }])).toContain("port");
	}, 60_000);
	test("an unknown member is found", async () => {
		const wrong = { spec: { ports: [{ port: 80, targetport: 8080 }] } };
		expect(await problemsOf([{ ...service, ...wrong }])).toContain(
			'"targetport"\' does not exist',
		);
	}, 60_000);
});

const service: Manifest = { apiVersion: "v1", kind: "Service" };

/**
 * What the validators and the compiler say; empty if all is valid. The validators accept unknown members, as the API server does after a
 * warning. The compiler does not accept them in a literal.
 */
async function problemsOf(manifests: readonly Manifest[]): Promise<string> {
	const program = `${folder.path}/manifests.ts`;
	writeFileSync(program, manifests.map(toCheck).join("\n"));
	const compiler = [`${root}node_modules/.bin/tsc`, "--noEmit", "--strict"];
	const commands = [
		[...compiler, ...compilerOptions, program],
		[process.execPath, program],
	];
	const outputs = commands.map(async ([command = "", ...args]) => {
		const running = start([command, ...args], { cwd: folder.path });
		const { status, stdout, stderr } = await running.finished;
		return status === 0 ? "" : stdout + stderr;
	});
	return (await Promise.all(outputs)).join("");
}

const compilerOptions = [
	...["--module", "nodenext", "--skipLibCheck"],
	...["--ignoreConfig", "--types", ""],
];

/** A program that makes the manifest, and ends with a status other than 0 if it is not valid. */
function toCheck(manifest: Manifest, index: number): string {
	const { apiVersion, kind, ...content } = manifest;
	return `import { ${kind} as Kind${index} } from "kubernetes-models/${apiVersion}/${kind}";
new Kind${index}(${JSON.stringify(content)}).validate();`;
}
