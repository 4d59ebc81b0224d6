// A link that downloads a file. It asks first whether the service sends the file, since a browser stores a refusal as if it were the file,
// and says nothing.
import type { Api } from "../api/api.ts";
import { hasCode, toMessage } from "../api/error.ts";
import type { Toasts } from "./toasts.tsx";

export interface Downloads {
	readonly api: Api;
	readonly toasts: Toasts;
}

export function DownloadLink({
	downloads: { api, toasts },
	path,
	label,
	text,
}: {
	downloads: Downloads;
	/** Below `/operator/v1`. */
	path: string;
	label: string;
	text: string;
}) {
	const address = api.base + path;
	const download = async () => {
		try {
			await api.send("HEAD", path);
			save(address);
		} catch (error) {
			// The dialog that signs in again says so.
			if (hasCode(error, "session_ended")) return;
			toasts.fail(`The file was not downloaded. ${toMessage(error)}`);
		}
	};
	return (
		<a
			href={address}
			aria-label={label}
			onClick={(event) => {
				event.preventDefault();
				void download();
			}}
		>
			{text}
		</a>
	);
}

function save(address: string): void {
	const link = document.createElement("a");
	link.href = address;
	link.download = "";
	link.click();
}
