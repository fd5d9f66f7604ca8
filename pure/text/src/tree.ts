/** The nodes of flow text. It is at most three levels deep, whatever the source, and never contains HTML. */
export type TextNode =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'bold'; readonly children: readonly TextNode[] }
  | { readonly kind: 'italic'; readonly children: readonly TextNode[] }
  | LinkNode
  | Tag

/** Only links to allowed addresses exist in a tree; any other link is reduced to its label. */
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
  /** Addresses, as written, that are not allowed in links. */
  readonly forbiddenAddresses: readonly string[]
}
