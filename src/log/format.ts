// The formats of the log. They have a file of their own, so that commands without a log need not load it.

export const logFormats = ["text", "json"] as const;
export type LogFormat = (typeof logFormats)[number];
