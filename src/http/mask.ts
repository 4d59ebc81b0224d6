// Masks keys in what the log shows of a request: a key belongs into the header Authorization, but clients put it elsewhere by mistake.

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
		/** Path and query, cut. Whatever looks like the key of any service is masked. */
		maskTarget(target: string): string {
			const start = target.slice(0, maxExaminedLength);
			// Percent-encoding must not hide a key.
			const decoded = decodeVisible(start);
			const hidden = hideAll(decoded);
			return cut(hidden === decoded ? hideAll(start) : hidden);
		},
		/** Only our own keys, and the cookie of a session, are masked. */
		maskId: (requestId: string): string =>
			toMask(
				hideKeys(requestId).replace(
					sessionCookie,
					(_, name, value) => name + toBlocks(value),
				),
			),
	};
}

/** Any escape takes three characters. A key of up to 255 that begins in the logged part must be examined whole. */
const maxExaminedLength = 3 * (maxLoggedPathLength + 255);

/** Also a key that lacks its end. */
const storedKey = /pet_[0-9A-Za-z]*/g;
const sessionCookie = /((?:__Host-)?petstore=)(\S+)/g;
const parameter = /([?&][^=&]*=)([^&]+)/g;
const secretName = /key|token|secret|pass|auth|credential/i;
/** The random part of a key of ours, a UUID, a hash and most tokens of other services are such words. */
const longWord = /[\w-]{32,}/g;

/**
 * Compares hashes, as authentication does, so that the time that it takes says nothing about the text of the key. Nothing longer than a
 * request id is logged, so a key that begins after that many characters need not be found.
 */
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

/** As many as there were characters, so that the cut comes at the same place as without them. */
function toBlocks(text: string): string {
	return block.repeat(text.length);
}

function toMask(text: string): string {
	return text.replace(blocks, "***");
}

/** Not in the paths and ids that arrive here, which are ASCII. */
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
