// The flags that backup and restore share.
import { Option } from "commander";

export const folderOption = new Option(
	"--folder <folder>",
	"folder of the backups",
)
	.env("PETSTORE_BACKUPS")
	.default("backups");

export interface FolderFlags {
	readonly folder: string;
}
