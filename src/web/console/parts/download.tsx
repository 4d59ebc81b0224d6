// A link that downloads a file. It sends a HEAD first, since a browser would store an error as if it were the file.
import type { Api } from "../api/api.ts";
import type { Toasts } from "./toasts.tsx";

interface LinkProps {
	readonly downloads: { readonly api: Api; readonly toasts: Toasts };
	/** Below `/operator/v1`. */
	readonly path: string;
	readonly label: string;
	readonly text: string;
}

export function DownloadLink({ downloads, path, label, text }: LinkProps) {
	const { api, toasts } = downloads;
	const address = api.base + path;
	const download = () =>
		toasts.attempt("Could not download the file.", async () => {
			await api.send("HEAD", path);
			const link = { href: address, download: "" };
			Object.assign(document.createElement("a"), link).click();
		});
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
