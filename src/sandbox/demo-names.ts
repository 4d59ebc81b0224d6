// The names of the demo animals. A test has the hash of the animals, so a change here changes what users have compared with.
import type { NewPet } from "../contract/pet.ts";

export const petNames = `
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

/** What careless clients get wrong. The last four are among the newest twenty of 250 animals. */
export const oddPets: readonly Partial<NewPet>[] = [
	{ name: "Renée" },
	{ name: "O'Malley" },
	{ name: "<b>Bella</b> &amp; Max" },
	{ name: 'Rex "the King" \\ Sons' },
	// A combining diaeresis: it looks like the one character ë, and must not become it.
	{ name: "Zoe\u0308" },
	{ name: "null", categoryId: -1n },
	{ name: "小花" },
	{ name: "لولو" },
	{ name: "🐈\u200d⬛ Midnight" },
	{ name: "  Spot  ", categoryId: 0n },
	{ name: "שוקו" },
	// 2^53 + 1, which no JavaScript number is.
	{ name: "Jean-Noël d'Artagnan", categoryId: 9007199254740993n },
	{
		name: `Sir Reginald ${"Fluffington-Whiskerbottom ".repeat(10)}of Catford`,
	},
	{ name: "🐕\u200d🦺 Captain", categoryId: 9223372036854775807n },
];
