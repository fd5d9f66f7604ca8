import { linkAddress, printTag, type Resolve } from './print-plain.ts'
import type { FlowText, TextNode } from './tree.ts'

/** Text to draw, with a value or a dash in the place of every tag. */
export type FilledText =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'bold' | 'italic'; readonly children: readonly FilledText[] }
  /** Opens elsewhere, with `rel="noopener noreferrer"`. */
  | { readonly kind: 'link'; readonly address: string; readonly children: readonly FilledText[] }

export function fillText(text: FlowText, resolve: Resolve): readonly FilledText[] {
  return text.nodes.map((node) => fillNode(node, resolve))
}

function fillNode(node: TextNode, resolve: Resolve): FilledText {
  switch (node.kind) {
    case 'plain':
      return node
    case 'bold':
    case 'italic':
      return { kind: node.kind, children: node.children.map((child) => fillNode(child, resolve)) }
    case 'link': {
      const children = node.children.map((child) => fillNode(child, resolve))
      return { kind: 'link', address: linkAddress(node, resolve), children }
    }
    case 'value':
    case 'party':
      return { kind: 'plain', text: printTag(node, resolve) }
  }
}
