// What an import would do, or the errors of the file by line.
import type { Done, FileErrors, ImportedFile, Outcome } from "../api/import.ts";
import { formatCount, formatTime, isolate, toShown } from "../parts/format.ts";
import { Failed } from "../parts/poll.tsx";
import { number, Table } from "../parts/table.tsx";

interface PreviewProps {
	readonly isChecking: boolean;
	readonly outcome: Outcome | undefined;
}

export function Preview({ isChecking, outcome }: PreviewProps) {
	return (
		<>
			<p role="status" class="preview">
				{isChecking && outcome === undefined && "Checking …"}
				{outcome?.kind === "done" &&
					`${toCounts(outcome)}. Nothing is done yet.`}
			</p>
			{outcome?.kind === "refused" && (
				<>
					<Failed message={outcome.message} />
					<Errors errors={outcome.errors} />
				</>
			)}
		</>
	);
}

/** For the message after an import. */
export function toResult({ name }: ImportedFile, done: Done): string {
	return done.finishedAt === undefined
		? `Imported ${isolate(name)}: ${toCounts(done)}.`
		: `${isolate(name)} was already imported: ${formatTime(done.finishedAt)}.`;
}

function toCounts({ added, changed, unchanged }: Done): string {
	return `${formatCount(added)} new, ${formatCount(changed)} changed, ${formatCount(unchanged)} unchanged`;
}

/** The service sends no more than these. */
const maxErrors = 100;

function Errors({ errors }: { errors: FileErrors }) {
	if (errors.length === 0) return null;
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
		<section class="errors" aria-label="Errors" tabIndex={0}>
			<Table headings={[number("Line"), "Field", "Value", "Rule"]}>
				{errors.map(({ line, field, value, message }, index) => (
					<tr key={`${line} ${index}`}>
						<th scope="row" class="number">
							{formatCount(line)}
						</th>
						<td>{field}</td>
						<td>
							<bdi>{toShown(value ?? "")}</bdi>
						</td>
						<td>{message}</td>
					</tr>
				))}
			</Table>
			{errors.length === maxErrors && (
				<p class="hint">Only the first {maxErrors} errors are listed.</p>
			)}
		</section>
	);
}
