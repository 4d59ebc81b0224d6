// How far a database is: the last row of the counter, and the bases of the feed's positions.

/** The last row of the counter. */
export interface State {
	/** The base of the feed's positions, in decimal. It is another after a restore, and a part of each ETag. */
	readonly epoch: string;
	/** The last id of an animal, or position without its base. */
	readonly last: bigint;
}

/** Whether a state of the animals is this one, or an earlier one. */
export function isWithin(
	{ epoch, last }: State,
	{ epoch: other, last: newest }: State,
): boolean {
	return epoch === other && last <= newest;
}

export interface NumberedState extends State {
	/** Of the transaction that led to it. */
	readonly number: bigint;
	/** Of the last transaction whose changes of numbers are in `counts`. */
	readonly folded: bigint;
}

/** Of a database that lacks its counter. */
export const noState: NumberedState = {
	epoch: "0",
	last: 0n,
	number: 0n,
	folded: 0n,
};

export const newestState = "FROM counter ORDER BY number DESC LIMIT 1";

export const selectState = `SELECT base AS epoch, last, number, folded ${newestState}`;

export const selectEpoch = `SELECT base ${newestState}`;

export const selectLast = `SELECT last ${newestState}`;

export const selectNumber = `SELECT number ${newestState}`;

/** The base of a new database. It is random, so that positions of other databases are recognised. */
export function toFirstBase(): bigint {
	return 2n ** 32n + randomBelow(2n ** 50n);
}

/**
 * The base of the next epoch. `given` is the last position that this database or the source of the new content has given out. The source
 * may stay in use, or several databases may get its content. So the distance is random and long compared with the positions.
 */
export function toNextBase(given: bigint, last: bigint): bigint {
	const distance = last << 8n;
	return given + 1n + randomBelow(distance > 2n ** 40n ? distance : 2n ** 40n);
}

function randomBelow(end: bigint): bigint {
	const [high = 0n, low = 0n] = crypto.getRandomValues(new BigUint64Array(2));
	return ((high << 64n) | low) % end;
}
