// Folders and database files that last as long as their test.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function temporaryFolder(): { path: string; remove: () => void } {
	const path = mkdtempSync(join(tmpdir(), "petstore-test-"));
	return { path, remove: () => rmSync(path, { recursive: true }) };
}

export function temporaryDatabase() {
	const folder = temporaryFolder();
	const path = join(folder.path, "petstore.db");
	return { url: `sqlite:${path}`, path, remove: folder.remove };
}
