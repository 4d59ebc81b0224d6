// Masks keys in the path and the id of a logged request: clients put them there by mistake.
import { maxRequestIdLength } from "../contract/parameter.ts";
import { hashKey } from "../domain/api-key.ts";
import { maxLoggedPathLength } from "../limits.ts";

/** `apiKey` is valid besides the stored keys. */
export function createMask(apiKey: string | undefined) {
	const hideApiKey =
		apiKey === undefined ? (text: string) => text : createHide(apiKey);

	function hideKeys(text: string): string {
		return hideApiKey(text).replace(storedKey, toBlocks);
	}

	function hideAll(text: string): string {
		return hideKeys(text)
			.replace(parameter, hideParameter)
			.replace(longWord, hideRandomWord);
	}

	return {
		/** Masks whatever looks like a key of any service, and cuts path and query. */
		maskTarget(target: string): string {
			const start = target.slice(0, maxExaminedLength);
			// Percent-encoding must not hide a key.
			const decoded = decodeVisible(start);
			const hidden = hideAll(decoded);
			return cut(hidden === decoded ? hideAll(start) : hidden);
		},
		/** Masks only our own keys and session cookies. */
		maskId: (requestId: string): string =>
			toMask(
				hideKeys(requestId).replace(
					sessionCookie,
					(_, name, value) => name + toBlocks(value),
				),
			),
	};
}

/** A key of up to 255 characters may begin in the logged part. Each character may be an escape of three. */
const maxExaminedLength = 3 * (maxLoggedPathLength + 255);

/** Even if its end is missing. */
const storedKey = /pet_[0-9A-Za-z]*/g;
const sessionCookie = /((?:__Host-)?petstore=)(\S+)/g;
const parameter = /([?&][^=&]*=)([^&]+)/g;
const secretName = /key|token|secret|pass|auth|credential/i;
/** For example the random part of our keys, a UUID, a hash, or a token of another service. */
const longWord = /[\w-]{32,}/g;

/** Compares hashes, so that its timing reveals nothing about the key. Logged texts are no longer than a request id. */
function createHide(apiKey: string): (text: string) => string {
	const { length } = apiKey;
	const hash = hashKey(apiKey);
	return (text) => {
		let hidden = text;
		const end = Math.min(maxRequestIdLength, text.length - length + 1);
		for (let at = 0; at < end; at++) {
			const part = text.slice(at, at + length);
			if (hashKey(part) === hash)
				hidden =
					hidden.slice(0, at) + toBlocks(part) + hidden.slice(at + length);
		}
		return hidden;
	};
}

function hideParameter(pair: string, name: string, value: string): string {
	return secretName.test(name) ? name + toBlocks(value) : pair;
}

function hideRandomWord(word: string): string {
	return /\d/.test(word) && /[a-z]/i.test(word) ? toBlocks(word) : word;
}

/** Keeps the length, so that the path is cut at the same place. */
function toBlocks(text: string): string {
	return block.repeat(text.length);
}

function toMask(text: string): string {
	return text.replace(blocks, "***");
}

/** No path or id has it: they are ASCII. */
const block = "█";
const blocks = /█+/g;

function cut(text: string): string {
	return text.length <= maxLoggedPathLength
		? toMask(text)
		: `${toMask(text.slice(0, maxLoggedPathLength - 1))}…`;
}

/** Decodes the escapes of visible ASCII characters. */
function decodeVisible(text: string): string {
	return text.replace(
		/%(2[1-9a-f]|[3-6][0-9a-f]|7[0-9a-e])/gi,
		(_escape, hex) => String.fromCharCode(Number.parseInt(hex, 16)),
	);
}
