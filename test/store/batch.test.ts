// Many callers, one trip: who rides with whom, and who is turned away.
import { expect, test } from "bun:test";
import { createBatch } from "../../src/store/batch.ts";

test("those who arrive together ride together; those who come later ride next", async () => {
	const trips: number[][] = [];
	const gate = Promise.withResolvers<void>();
	const ride = createBatch(async (items: readonly number[]) => {
		trips.push([...items]);
		if (trips.length === 1) await gate.promise;
		return items.map((item) => item * 10);
	});
	const first = [ride(1), ride(2)];
	await Bun.sleep(10);
	const later = [ride(3), ride(4), ride(5)];
	gate.resolve();
	expect(await Promise.all([...first, ...later])).toEqual([10, 20, 30, 40, 50]);
	expect(trips).toEqual([
		[1, 2],
		[3, 4, 5],
	]);
});

test("a trip has 256 riders at most", async () => {
	const sizes: number[] = [];
	const ride = createBatch(async (items: readonly number[]) => {
		sizes.push(items.length);
		return items;
	});
	const all = Array.from({ length: 600 }, (_, index) => index);
	expect(await Promise.all(all.map(ride))).toEqual(all);
	expect(sizes).toEqual([256, 256, 88]);
});

test("a trip that fails fails its riders, not the next", async () => {
	const ride = createBatch(async (items: readonly string[]) => {
		if (items.includes("bad")) throw new Error("lost");
		return items;
	});
	const failed = Promise.allSettled([ride("bad"), ride("beside it")]);
	await Bun.sleep(10);
	expect(await ride("good")).toBe("good");
	expect(await failed).toMatchObject([
		{ status: "rejected", reason: { message: "lost" } },
		{ status: "rejected", reason: { message: "lost" } },
	]);
});

test("a trip can fail for some of its riders", async () => {
	const ride = createBatch(async (items: readonly string[]) =>
		items.map((item) =>
			item === "bad" ? Promise.reject(new Error("lost")) : item,
		),
	);
	const [bad, good] = await Promise.allSettled([ride("bad"), ride("good")]);
	expect(bad).toMatchObject({ status: "rejected" });
	expect(good).toEqual({ status: "fulfilled", value: "good" });
});

test("who has waited for more than a second is refused, and not taken along", async () => {
	const taken: string[] = [];
	const ride = createBatch(async (items: readonly string[]) => {
		taken.push(...items);
		if (items.includes("slow")) await Bun.sleep(1_200);
		return items;
	});
	const slow = ride("slow");
	await Bun.sleep(10);
	const late = Promise.allSettled([ride("late")]);
	await slow;
	expect(await late).toMatchObject([
		{ status: "rejected", reason: { code: "unavailable" } },
	]);
	expect(await ride("again")).toBe("again");
	expect(taken).toEqual(["slow", "again"]);
});
