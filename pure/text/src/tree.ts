/** What flow text can hold. It is at most three levels deep, however it was written, and never carries HTML. */
export type TextNode =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'bold'; readonly children: readonly TextNode[] }
  | { readonly kind: 'italic'; readonly children: readonly TextNode[] }
  | LinkNode
  | Tag

/** Only links to allowed addresses exist in a tree; of any other the label is all that remains. */
export interface LinkNode {
  readonly kind: 'link'
  readonly address: readonly AddressPart[]
  readonly rel: 'noopener noreferrer'
  readonly children: readonly TextNode[]
}

export type AddressPart = { readonly kind: 'plain'; readonly text: string } | Tag

/** `{{slug}}`, a dotted plugin key or a constant; or `{{party.field}}`, a value from the profile of a party. */
export type Tag =
  | { readonly kind: 'value'; readonly key: string }
  | { readonly kind: 'party'; readonly party: string; readonly field: string }

export interface FlowText {
  readonly nodes: readonly TextNode[]
  /** Each tag once, by first mention, those inside link addresses too. */
  readonly tags: readonly Tag[]
  /** Addresses, as written, that may not be linked to. */
  readonly forbiddenAddresses: readonly string[]
}
