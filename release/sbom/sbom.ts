// The software bill of materials of a release, in the format CycloneDX 1.6. `npm sbom` is not enough: it omits runtime packages that a
// development package also needs (pg), writes 1.5, and does not know what is inside Bun.
import {
	type Lock,
	needsOf,
	type RuntimePackage,
	runtimePackages,
	toReference,
} from "./lock.ts";
import { type Library, librariesOf } from "./runtime.ts";

export interface Release {
	readonly name: string;
	readonly version: string;
	readonly license: string;
	/** The time of the released commit, so that the same commit gives the same document. */
	readonly time: Date;
}

/** Takes the versions of Bun and its libraries from `process.versions`. */
export function toSbom(
	release: Release,
	lock: Lock,
	versions: Readonly<Record<string, string | undefined>>,
) {
	const packages = runtimePackages(lock);
	const own = toReference(release.name, release.version);
	const document = {
		metadata: {
			timestamp: release.time.toISOString(),
			component: {
				type: "application",
				"bom-ref": own,
				name: release.name,
				version: release.version,
				licenses: toLicenses(release.license),
				purl: toPurl(release.name, release.version),
			},
		},
		components: packages.map((one) =>
			one.name === "bun"
				? { ...toComponent(one), components: toLibraries(one, versions) }
				: toComponent(one),
		),
		dependencies: [
			{ ref: own, dependsOn: needsOf(lock, "") },
			...packages.map(({ name, version, needs }) => ({
				ref: toReference(name, version),
				dependsOn: needs,
			})),
		],
	};
	return {
		$schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
		bomFormat: "CycloneDX",
		specVersion: "1.6",
		version: 1,
		// A hash of the content, so that it is the same each time.
		serialNumber: `urn:uuid:${Bun.randomUUIDv5(JSON.stringify(document), "url")}`,
		...document,
	};
}

function toComponent({
	name,
	version,
	license,
	integrity,
	optional,
}: RuntimePackage) {
	return {
		type: "library",
		"bom-ref": toReference(name, version),
		name,
		version,
		scope: optional ? "optional" : "required",
		...(integrity === undefined ? {} : { hashes: [toHash(integrity)] }),
		...(license === undefined ? {} : { licenses: toLicenses(license) }),
		purl: toPurl(name, version),
	};
}

function toLibraries(
	bun: RuntimePackage,
	versions: Readonly<Record<string, string | undefined>>,
) {
	if (versions.bun !== bun.version)
		throw new Error(
			`This program runs on Bun ${versions.bun}, and package-lock.json has Bun ${bun.version}. Run "npm ci".`,
		);
	return librariesOf(versions).map(toLibrary);
}

function toLibrary({ name, version, license, description }: Library) {
	return {
		type: "library",
		"bom-ref": `bun/${toReference(name, version)}`,
		name,
		version,
		...(description === undefined ? {} : { description }),
		...(license === undefined ? {} : { licenses: toLicenses(license) }),
		purl: `pkg:generic/${name}@${version}`,
	};
}

/** In package.json, a licence is an SPDX identifier, or an expression: "(MIT OR Apache-2.0)". */
function toLicenses(license: string) {
	return license.includes(" ")
		? [{ expression: license }]
		: [{ license: { id: license } }];
}

/** npm writes the name of the algorithm, a hyphen, and the hash in Base64. */
function toHash(integrity: string) {
	const [, base64 = ""] = /^sha512-(\S+)$/.exec(integrity) ?? [];
	return {
		alg: "SHA-512",
		content: Buffer.from(base64, "base64").toString("hex"),
	};
}

function toPurl(name: string, version: string): string {
	return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}
