// Says that the service does not answer, and that the console tries again.
import type { Connection } from "../api/connection.ts";

export function Banner({ connection }: { connection: Connection }) {
	const trouble = connection.trouble.value;
	return (
		<div role="alert">
			{trouble !== undefined && (
				<div class="banner" data-kind={trouble.kind}>
					<p>
						<b>{titles[trouble.kind]}</b> {trouble.message} Trying again …
					</p>
					<button type="button" class="minor" onClick={connection.retry}>
						Try now
					</button>
				</div>
			)}
		</div>
	);
}

const titles = {
	"no connection": "No connection.",
	unavailable: "The service is unavailable.",
} as const;
