// What a change of an animal is, and an edit, which changes several.

export const changeKinds = ["added", "changed", "removed"] as const;
export type ChangeKind = (typeof changeKinds)[number];

export const editKinds = [
	"changed",
	"removed",
	"imported",
	"restored",
	"undone",
] as const;
export type EditKind = (typeof editKinds)[number];
