// Reads package-lock.json: the packages that the service needs to run, and which of them needs which.

export interface Lock {
	/** By folder: "" is the project itself, "node_modules/pg" a package. */
	readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
	readonly version: string;
	readonly license?: string;
	readonly integrity?: string;
	readonly dev?: boolean;
	readonly optional?: boolean;
	readonly dependencies?: Names;
	readonly optionalDependencies?: Names;
	readonly peerDependencies?: Names;
}

type Names = Readonly<Record<string, string>>;

export interface RuntimePackage extends LockedPackage {
	readonly name: string;
	/** References of the packages that it needs. */
	readonly needs: readonly string[];
}

/** Without development packages, sorted by name. */
export function runtimePackages(lock: Lock): RuntimePackage[] {
	const packages = new Map<string, RuntimePackage>();
	for (const [folder, locked] of Object.entries(lock.packages)) {
		if (folder === "" || locked.dev) continue;
		const name = nameOf(folder);
		packages.set(toReference(name, locked.version), {
			...locked,
			name,
			needs: needsOf(lock, folder),
		});
	}
	return [...packages.entries()]
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([, runtimePackage]) => runtimePackage);
}

/** What the package in this folder needs, sorted, without peers that are not installed. */
export function needsOf(lock: Lock, folder: string): string[] {
	const { dependencies, optionalDependencies, peerDependencies } =
		lock.packages[folder] ?? {};
	return Object.keys({
		...dependencies,
		...optionalDependencies,
		...peerDependencies,
	})
		.map((name) => resolve(lock, folder, name))
		.filter((reference) => reference !== undefined)
		.sort();
}

export function toReference(name: string, version: string): string {
	return `${name}@${version}`;
}

/** Like Node.js, finds the package in node_modules of this folder or of one around it. */
function resolve(lock: Lock, folder: string, name: string): string | undefined {
	const found =
		lock.packages[`${folder}/node_modules/${name}`.replace(/^\//, "")];
	if (found?.dev) return;
	if (found !== undefined) return toReference(name, found.version);
	if (folder === "") return;
	return resolve(
		lock,
		folder.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ""),
		name,
	);
}

function nameOf(folder: string): string {
	return folder.replace(/^.*node_modules\//, "");
}
