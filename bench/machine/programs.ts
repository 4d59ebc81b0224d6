// Which programs the machine has.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

export function isInstalled(program: string): boolean {
	const folders = (process.env.PATH ?? "").split(delimiter);
	return folders.some((folder) => {
		try {
			accessSync(join(folder, program), constants.X_OK);
			return true;
		} catch {
			return false;
		}
	});
}
