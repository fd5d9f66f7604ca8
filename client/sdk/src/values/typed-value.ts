/** A plaintext as a value of its type. */
export type TypedValue =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  /** For a type with several choices. */
  | { readonly kind: 'choices'; readonly value: readonly string[] }
  /** For a type with parts, such as an address. */
  | { readonly kind: 'parts'; readonly value: Readonly<Record<string, string>> }
