// For functions that must use every member of a type: a member that is added later is a type error in them.

/** `Type` if it has no other members than `Members`, else `never`. */
export type Only<Type, Members extends keyof Type> =
	Exclude<keyof Type, Members> extends never ? Type : never;
