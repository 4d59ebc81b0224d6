// A check for functions that must use every member of a type: a member that is added to the type later is then a type error in
// the function, and not forgotten.

/** `Type` if it has no other members than `Members`, else `never`. */
export type Only<Type, Members extends keyof Type> =
	Exclude<keyof Type, Members> extends never ? Type : never;
