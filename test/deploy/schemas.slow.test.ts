// Checks the manifests in deploy/ against the schemas of Compose and Kubernetes, from npm packages in a temporary folder.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { Ajv } from "ajv";
import { succeed } from "../harness/package.ts";
import { root, start } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import {
	type Manifest,
	readBackupManifest,
	readComposeFile,
	readManifests,
} from "./manifests.ts";

/** dclint has the schema of Compose. kubernetes-models is generated from the OpenAPI document of Kubernetes. */
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
		"accepts deploy/%s",
		(name) => {
			expect(problemsOf(readComposeFile(`deploy/${name}`))).toBe("");
		},
	);
	test("refuses an unknown member of a service", () => {
		const wrong = { services: { petstore: { readonly: true } } };
		expect(problemsOf(wrong)).toContain("additional properties");
	});
});

describe("Kubernetes", () => {
	test("accepts deploy/kubernetes.yaml", async () => {
		expect(await problemsOf(readManifests())).toBe("");
	}, 60_000);
	test("accepts deploy/kubernetes-backup.yaml", async () => {
		expect(await problemsOf([readBackupManifest()])).toBe("");
	}, 60_000);
	test("refuses a member of the wrong type", async () => {
		const wrong = { spec: { ports: [{ port: "80" }] } };
		expect(await problemsOf([{ ...service, ...wrong }])).toContain("port");
	}, 60_000);
	test("refuses an unknown member", async () => {
		const wrong = { spec: { ports: [{ port: 80, targetport: 8080 }] } };
		expect(await problemsOf([{ ...service, ...wrong }])).toContain(
			'"targetport"\' does not exist',
		);
	}, 60_000);
});

const service: Manifest = { apiVersion: "v1", kind: "Service" };

/**
 * What the validators and the compiler report; empty if all is valid. Like the API server, the validators accept unknown members. The
 * compiler refuses them in a literal.
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

/** A program that fails if the manifest is not valid. */
function toCheck(manifest: Manifest, index: number): string {
	const { apiVersion, kind, ...content } = manifest;
	return `import { ${kind} as Kind${index} } from "kubernetes-models/${apiVersion}/${kind}";
new Kind${index}(${JSON.stringify(content)}).validate();`;
}
