// A catalogue to measure on: the same animals in every engine.

export interface Catalogues {
	/** One with so many animals; a copy of it where the borrower will change it. */
	readonly lend: (animals: number, isCopy: boolean) => Promise<Loan>;
	/** What an animal takes on the disk. */
	readonly bytesPerAnimal: (animals: number) => Promise<number>;
	readonly close: () => Promise<void>;
}

export interface Loan {
	/** Where it is: a URL or a path, as its servers want it. */
	readonly place: string;
	readonly giveBack: () => Promise<void>;
}

/** Columns of the animal `i`, in SQL that both engines understand. */
export const columns = `
	i,
	CASE i % 6 WHEN 0 THEN 'Rex' WHEN 1 THEN 'Bella' WHEN 2 THEN 'Luna'
		WHEN 3 THEN 'Max' WHEN 4 THEN 'Misty' ELSE 'Charlie' END || ' ' || i,
	i % 1000,
	CASE i % 3 WHEN 0 THEN 'available' WHEN 1 THEN 'pending' ELSE 'sold' END`;
