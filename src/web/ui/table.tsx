// A table from the description of its columns. On a narrow screen a row is two lines: its head, and the other values with their titles.
import type { ComponentChildren, ComponentProps, ComponentType } from "preact";
import { type Resource, Shown } from "./resource.tsx";

export interface Column<Row> {
	readonly title: string;
	readonly cell: (row: Row) => ComponentChildren;
	/**
	 * `name` is the head of the row. `number` is at the right. On a narrow screen `aside` and `actions` are beside the head, and `block` has a
	 * line of its own. The titles of `select` and `actions` are only for screen readers.
	 */
	readonly kind?: "name" | "number" | "aside" | "block" | "select" | "actions";
	/** Whether its values need no title on a narrow screen. */
	readonly isPlain?: true;
	/** What the row of titles has instead of the title. */
	readonly heading?: ComponentType;
}

export interface TableProps<Row> {
	/** Of the table, for its style. */
	readonly class: string;
	readonly rows: readonly Row[];
	readonly columns: readonly Column<Row>[];
	readonly toKey: (row: Row) => unknown;
	readonly toAttributes?: (row: Row) => ComponentProps<"tr">;
	/** Shown instead of a table without rows. */
	readonly empty?: readonly [
		title: string,
		text: string,
		more?: ComponentChildren,
	];
}

interface ListProps<Row> extends Omit<TableProps<Row>, "rows"> {
	readonly of: Resource<readonly Row[]>;
}

/** A table of what is read. */
export function List<Row>({ of, ...table }: ListProps<Row>) {
	return <Shown of={of}>{(rows) => <Table {...table} rows={rows} />}</Shown>;
}

export function Table<Row>({ rows, columns, ...props }: TableProps<Row>) {
	if (rows.length === 0 && props.empty) {
		const [title, text, more] = props.empty;
		return (
			<div class="empty">
				<h2>{title}</h2>
				<p>{text}</p>
				{more}
			</div>
		);
	}
	if (rows.length === 0) return null;
	return (
		<div class="table">
			<table class={props.class}>
				<thead>
					<tr>
						{columns.map(({ title, kind, heading: Heading }) =>
							Heading ? (
								<td key={title} class={kind}>
									<Heading />
								</td>
							) : (
								<th key={title} scope="col" class={kind}>
									{kind === "actions" ? (
										<span class="unseen">{title}</span>
									) : (
										title
									)}
								</th>
							),
						)}
					</tr>
				</thead>
				<tbody>
					{rows.map((row) => (
						<tr key={String(props.toKey(row))} {...props.toAttributes?.(row)}>
							{columns.map(({ title, kind, isPlain, cell }) => {
								const Cell = kind === "name" ? "th" : "td";
								return (
									<Cell
										key={title}
										scope={kind === "name" ? "row" : undefined}
										class={kind}
										data-title={isPlain ? undefined : title}
									>
										{cell(row)}
									</Cell>
								);
							})}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}
