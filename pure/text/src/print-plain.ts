import type { FlowText, LinkNode, Tag, TextNode } from './tree.ts'

/** What a tag stands for; null while it is unanswered. */
export type Resolve = (tag: Tag) => string | null

/** U+2013, shown for what is not answered yet. */
export const DASH = '–'

/** The words alone: marks and addresses are left out. */
export function printPlain(text: FlowText, resolve: Resolve): string {
  return printNodes(text.nodes, resolve)
}

export function showTag(tag: Tag, resolve: Resolve): string {
  const value = resolve(tag)
  return value === null || value === '' ? DASH : value
}

/** The address to link to. Values are encoded: an answer fills a place in an address and cannot change its host. */
export function linkAddress(link: LinkNode, resolve: Resolve): string {
  const [scheme] = link.address
  const isWeb = scheme?.kind === 'plain' && scheme.text.startsWith('https:')
  return link.address
    .map((part) => (part.kind === 'plain' ? part.text : encode(showTag(part, resolve), isWeb)))
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
      return showTag(node, resolve)
  }
}

/** `mailto:` and `tel:` have no host that `@` could move, and dialers want their `+`. */
function encode(value: string, isWeb: boolean): string {
  const encoded = encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
  return isWeb ? encoded : encoded.replaceAll('%40', '@').replaceAll('%2B', '+')
}
