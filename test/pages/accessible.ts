// Checks a page in a real browser: accessible by axe's rules, and not wider than the screen.
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { root } from "../harness/process.ts";

const axe = readFileSync(`${root}node_modules/axe-core/axe.min.js`, "utf8");

const allRules = [
	...["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"],
	...["wcag22aa", "best-practice"],
];

/** Dark differs from light only by its colours. */
const rules = { light: allRules, dark: ["color-contrast"], phone: allRules };

export async function expectAccessible(
	page: Page,
	look: keyof typeof rules,
): Promise<void> {
	const widths = await page.evaluate(() => {
		const { scrollWidth, clientWidth } = document.documentElement;
		return [scrollWidth, clientWidth];
	});
	expect(widths[0]).toBe(widths[1]);
	// Through the debugger, because the page's policy forbids another script.
	await page.evaluate(axe);
	const found = await page.evaluate(
		`axe.run({ resultTypes: ["violations"], runOnly: ${JSON.stringify(rules[look])} }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
	);
	expect(found).toEqual([]);
}

/** On a busy machine axe needs many seconds, and `bun test` kills the browser when a test takes too long. */
export const accessibilityTimeoutMs = 90_000;
