import type { FlowText, LinkNode, Tag, TextNode } from './tree.ts'

/** The text of a tag; null while it is unanswered. */
export type Resolve = (tag: Tag) => string | null

/** U+2013, shown for unanswered tags. */
export const DASH = '–'

/** Text only: marks and addresses are left out. */
export function printPlain(text: FlowText, resolve: Resolve): string {
  return printNodes(text.nodes, resolve)
}

export function printTag(tag: Tag, resolve: Resolve): string {
  const value = resolve(tag)
  return value === null || value === '' ? DASH : value
}

/** The address to link to. Values are encoded: an answer fills a place in an address and cannot change its host. */
export function linkAddress(link: LinkNode, resolve: Resolve): string {
  const [scheme] = link.address
  const isWeb = scheme?.kind === 'plain' && scheme.text.startsWith('https:')
  return link.address
    .map((part) => (part.kind === 'plain' ? part.text : encode(printTag(part, resolve), isWeb)))
    .join('')
}

function printNodes(nodes: readonly TextNode[], resolve: Resolve): string {
  return nodes.map((node) => printNode(node, resolve)).join('')
}

function printNode(node: TextNode, resolve: Resolve): string {
  switch (node.kind) {
    case 'plain':
      return node.text
    case 'bold':
    case 'italic':
    case 'link':
      return printNodes(node.children, resolve)
    case 'value':
    case 'party':
      return printTag(node, resolve)
  }
}

/** `mailto:` and `tel:` have no host that `@` could move, and dialers need their `+`. */
function encode(value: string, isWeb: boolean): string {
  const encoded = encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
  return isWeb ? encoded : encoded.replaceAll('%40', '@').replaceAll('%2B', '+')
}
