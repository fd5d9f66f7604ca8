import { parseText } from './parse-text.ts'
import type { FlowText, Tag } from './tree.ts'

export { type FilledText, fillText } from './fill-text.ts'
export { parseText } from './parse-text.ts'
export { DASH, linkAddress, printPlain, type Resolve, printTag } from './print-plain.ts'
export type { AddressPart, FlowText, LinkNode, Tag, TextNode } from './tree.ts'

/** Each tag once, by first mention, those inside link addresses too. */
export function tagsOf(text: FlowText | string, partyKeys?: ReadonlySet<string>): readonly Tag[] {
  return (typeof text === 'string' ? parseText(text, partyKeys) : text).tags
}
