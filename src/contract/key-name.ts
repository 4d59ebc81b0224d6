// The name of an API key: what or whom it is for. It is shown in tables and pages.

export function isKeyName(text: string): boolean {
	// The length first: the time that the other takes grows with the square of it.
	return /^\P{C}{1,100}$/u.test(text) && keyNameForm.test(text);
}

/** At least one character that is no space. */
export const keyNameForm = /^\P{C}*[^\s\p{C}]\P{C}*$/u;

export const keyNameRule =
	"must be 1 to 100 characters, not only spaces, none of them a control or formatting character";
