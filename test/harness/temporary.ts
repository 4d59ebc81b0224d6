// Temporary folders and database files, which a test removes at its end.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** It is removed by `remove`, or with `using` at the end of the block. */
export function temporaryFolder() {
	const path = mkdtempSync(join(tmpdir(), "petstore-test-"));
	const remove = () => {
		folders.delete(path);
		rmSync(path, { recursive: true, force: true });
	};
	folders.set(path, remove);
	return { path, remove, [Symbol.dispose]: remove };
}

const folders = new Map<string, () => void>();

/** Removes the folders of failed tests. */
export function removeLeftovers(): void {
	for (const remove of folders.values()) remove();
}

export function temporaryDatabase() {
	const folder = temporaryFolder();
	const path = join(folder.path, "petstore.db");
	return { url: `sqlite:${path}`, path, remove: folder.remove };
}
