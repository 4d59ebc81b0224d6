// The demo animals: a plausible pet shop, with names that careless clients get wrong. An animal depends only on its id and the seed: a
// smaller set is the start of a larger one. A seed always gives the same animals: a test has their hash.
import {
	type GivenPet,
	type NumberedPet,
	type PetStatus,
	toWhole,
} from "../domain/pet/pet.ts";
import { mix, toRandom } from "./random.ts";

/** Writing this many takes seconds. */
export const maxDemoAnimals = 1_000_000;

export const defaultStart = { pets: 250, seed: 1 };

/** In the order of their ids. */
export function* toDemoPets(
	pets: number,
	seed: number,
): Generator<NumberedPet> {
	for (let id = 1; id <= pets; id++) yield toDemoPet(seed, id);
}

export function toDemoPet(seed: number, id: number): NumberedPet {
	const first = toRandom(seed, id);
	const second = mix(first);
	// Every sixth animal is odd. Of 250 animals, the newest is usual, and four of the newest twenty are odd.
	const odd = id % 6 === 3 && oddPets[Math.floor(id / 6) % oddPets.length];
	return toWhole({
		id: BigInt(id),
		name: petNames[first % petNames.length] ?? "",
		categoryId: BigInt(categories[second % categories.length] ?? 0),
		status: statuses[mix(second) % statuses.length] ?? "available",
		...odd,
	});
}

/** Repeated by frequency: 1 is dogs, 2 cats, 3 rabbits, 4 birds, 5 fish, 6 hamsters, 7 tortoises, 8 horses. */
const categories = [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 4, 5, 6, 7, 8];

const statuses: readonly PetStatus[] = [
	...Array<PetStatus>(7).fill("available"),
	...Array<PetStatus>(2).fill("pending"),
	"sold",
];

const petNames = `
Bella Luna Max Charlie Milo Coco Buddy Daisy Rocky Lola Bailey Sadie Duke
Molly Bear Maggie Tucker Sophie Oliver Chloe Jack Penny Leo Zoe Toby Lily
Winston Rosie Murphy Gracie Finn Ruby Simba Nala Oscar Willow Felix Misty
Tiger Smokey Shadow Ginger Whiskers Mittens Pumpkin Pepper Oreo Cleo Jasper
Salem Boots Patches Tigger Sammy Kiki Thumper Clover Hazel Snowball Cinnamon
Peanut Biscuit Kiwi Mango Sunny Rio Tweety Paco Polly Skye Nemo Dory Bubbles
Goldie Finley Splash Pearl Nibbles Hammy Squeak Nugget Waffles Popcorn Teddy
Sheldon Tank Franklin Shelly Yoda Rex Spike Iggy Spirit Apollo Dakota Blaze
Scout Star Copper Ace Ziggy Moose Otis Marley Archie Hugo Stella Ella
`
	.trim()
	.split(/\s/);

/** Careless clients get these wrong. The last four are among the newest twenty of 250 animals. */
const oddPets: readonly Partial<GivenPet>[] = [
	{ name: "Renée" },
	{ name: "O'Malley" },
	{ name: "<b>Bella</b> &amp; Max" },
	{ name: 'Rex "the King" \\ Sons' },
	// With a combining diaeresis, which must not become the single character ë.
	{ name: "Zoe\u0308" },
	{ name: "null", categoryId: -1n },
	{ name: "小花" },
	{ name: "لولو" },
	{ name: "🐈\u200d⬛ Midnight" },
	{ name: "  Spot  ", categoryId: 0n },
	{ name: "שוקו" },
	// 2^53 + 1, which no JavaScript number can hold.
	{ name: "Jean-Noël d'Artagnan", categoryId: 9007199254740993n },
	// The longest name: 255 code points, 277 UTF-16 code units.
	{
		name: `Sir Reginald ${"Fluffington-Whiskerbottom ".repeat(8)}of Catfo\u0301rd ${"🐈".repeat(22)}`,
	},
	{ name: "🐕\u200d🦺 Captain", categoryId: 9223372036854775807n },
];
