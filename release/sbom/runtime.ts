// What is inside the runtime, Bun, and so inside every executable: SQLite and the libraries whose versions Bun tells.

export interface Library {
	readonly name: string;
	readonly version: string;
	readonly license?: string;
	readonly description?: string;
}

/** The members of `process.versions` that are libraries. The others are the versions that Bun is compatible with, and its compilers. */
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

/** Takes the versions as `process.versions` has them. */
export function librariesOf(
	versions: Readonly<Record<string, string | undefined>>,
): Library[] {
	return libraries.flatMap((library) => {
		const version = versions[library.name];
		return version === undefined ? [] : [{ ...library, version }];
	});
}
