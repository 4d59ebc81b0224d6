// The software bill of materials of a release.
import { expect, test } from "bun:test";
import manifest from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };
import { toSbom } from "../../release/sbom/sbom.ts";
import { schemaErrors } from "./schema.ts";

const release = { ...manifest, time: new Date("2026-11-30T12:00:00Z") };
const sbom = toSbom(release, lock, process.versions);
const find = (name: string) =>
	sbom.components.find((component) => component.name === name);

test("is valid by the schema of CycloneDX 1.6, which refuses an unknown licence", () => {
	expect(schemaErrors(sbom)).toEqual([]);
	const wrong = toSbom({ ...release, license: "MTI" }, lock, process.versions);
	expect(schemaErrors(wrong)).not.toEqual([]);
});

test("names every package that is not only for development, with version, hash and licence", () => {
	const expected = Object.entries<{ version: string; dev?: boolean }>(
		lock.packages,
	)
		.filter(([folder, { dev }]) => folder !== "" && dev !== true)
		.map(
			([folder, { version }]) =>
				`${folder.replace(/^.*node_modules\//, "")}@${version}`,
		);
	expect(sbom.components.map((component) => component["bom-ref"])).toEqual(
		expected.sort(),
	);
	expect(Object.keys(manifest.dependencies)).toEqual(
		Object.keys(manifest.dependencies).filter((name) => find(name)),
	);
	for (const component of sbom.components)
		expect(component).toEqual({
			...component,
			hashes: [
				{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) },
			],
			licenses: [expect.anything()],
		});
});

test("names the version of SQLite inside Bun", () => {
	expect(find("bun")).toMatchObject({
		components: expect.arrayContaining([
			expect.objectContaining({
				name: "sqlite",
				version: process.versions.sqlite,
			}),
		]),
	});
});

test("fails on another version of Bun than that of package-lock.json", () => {
	expect(() =>
		toSbom(release, lock, { ...process.versions, bun: "1.0.0" }),
	).toThrow("This program runs on Bun 1.0.0, and package-lock.json has Bun");
});

test("says which listed package needs which", () => {
	const needs = (ref: string) =>
		sbom.dependencies.find((dependency) => dependency.ref === ref)?.dependsOn;
	expect(needs(`petstore-service@${manifest.version}`)).toEqual(
		Object.entries(manifest.dependencies)
			.map(([name, version]) => `${name}@${version}`)
			.sort(),
	);
	const refs = sbom.dependencies.map(({ ref }) => ref);
	for (const { dependsOn } of sbom.dependencies)
		expect(refs).toEqual(expect.arrayContaining(dependsOn));
});

test("finds a nested package before one of the same name outside", () => {
	const { dependencies } = toSbom(
		release,
		{
			packages: {
				"": { version: "1.0.0", dependencies: { "@a/a": "1", b: "1" } },
				"node_modules/@a/a": { version: "1.0.0", dependencies: { b: "2" } },
				"node_modules/@a/a/node_modules/b": {
					version: "2.0.0",
					dependencies: { c: "1", "not-installed": "1" },
				},
				"node_modules/b": { version: "1.0.0" },
				"node_modules/c": { version: "1.0.0" },
			},
		},
		process.versions,
	);
	expect(
		dependencies.slice(1).map(({ ref, dependsOn }) => [ref, ...dependsOn]),
	).toEqual([
		["@a/a@1.0.0", "b@2.0.0"],
		["b@1.0.0"],
		["b@2.0.0", "c@1.0.0"],
		["c@1.0.0"],
	]);
});

test("is the same for the same commit, and has another serial number for another commit", () => {
	expect(toSbom(release, lock, process.versions)).toEqual(sbom);
	const later = { ...release, time: new Date("2026-12-01T12:00:00Z") };
	expect(toSbom(later, lock, process.versions).serialNumber).not.toBe(
		sbom.serialNumber,
	);
});
