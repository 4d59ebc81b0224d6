// The name of an API key: what or whom it is for. It is shown in tables and pages.

export function isKeyName(text: string): boolean {
	return /^\P{C}{1,100}$/u.test(text) && text.trim() !== "";
}

export const keyNameRule =
	"must be 1 to 100 characters, not only spaces, none of them a control or formatting character";
