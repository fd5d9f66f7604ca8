declare const brand: unique symbol

/** A string (or number) that only a parser can make: two brands never mix, although both are text at run time. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name }
