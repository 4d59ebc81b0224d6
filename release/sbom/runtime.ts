// The libraries inside Bun, and so inside every executable: SQLite and others whose versions Bun reports.

export interface Library {
	readonly name: string;
	readonly version: string;
	readonly license?: string;
	readonly description?: string;
}

/** The libraries in `process.versions`. Its other members are Bun's compilers, and versions that Bun is compatible with. */
const libraries: readonly Omit<Library, "version">[] = [
	{ name: "ares" },
	{ name: "boringssl" },
	{ name: "icu" },
	{ name: "libarchive" },
	{ name: "libdeflate" },
	{ name: "lolhtml" },
	{ name: "lshpack" },
	{ name: "mimalloc" },
	{ name: "picohttpparser" },
	{
		name: "sqlite",
		license: "blessing",
		description: "On macOS, Bun uses the SQLite of the system instead.",
	},
	{ name: "tinycc" },
	{ name: "usockets" },
	{ name: "uwebsockets" },
	{ name: "webkit" },
	{ name: "zlib" },
	{ name: "zstd" },
];

/** Takes the versions from `process.versions`. */
export function librariesOf(
	versions: Readonly<Record<string, string | undefined>>,
): Library[] {
	return libraries.flatMap((library) => {
		const version = versions[library.name];
		return version === undefined ? [] : [{ ...library, version }];
	});
}
