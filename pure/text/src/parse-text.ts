import { type InlineToken, type LinkToken, type Mark, scan, type Token } from './scan.ts'
import type { AddressPart, FlowText, Tag, TextNode } from './tree.ts'

const ALLOWED_ADDRESS = /^(?:https|mailto|tel):/

/** The tree under construction. Bold inside bold adds nothing and gets no node, so that no source makes a deep tree. */
interface Growth {
  readonly partyKeys: ReadonlySet<string>
  readonly tags: Map<string, Tag>
  readonly forbiddenAddresses: string[]
  /** The open lists of nodes, from the whole text inwards. */
  readonly lists: [TextNode[], ...TextNode[][]]
  readonly open: { readonly mark: Mark; readonly hasNode: boolean }[]
  readonly openCount: Record<Mark, number>
  readonly marksWithNode: Set<Mark>
}

/** Never fails: invalid markup is text. Without party keys every tag is a value tag. */
export function parseText(source: string, partyKeys: ReadonlySet<string> = new Set()): FlowText {
  const nodes: TextNode[] = []
  const growth: Growth = {
    partyKeys,
    tags: new Map(),
    forbiddenAddresses: [],
    lists: [nodes],
    open: [],
    openCount: { bold: 0, italic: 0, link: 0 },
    marksWithNode: new Set(),
  }
  for (const token of scan(source)) grow(growth, token)
  return { nodes, tags: [...growth.tags.values()], forbiddenAddresses: growth.forbiddenAddresses }
}

function grow(growth: Growth, token: Token): void {
  switch (token.kind) {
    case 'plain':
    case 'tag':
      return addInline(innermost(growth), token, growth)
    case 'open': {
      const children: TextNode[] = []
      return openMark(growth, token.mark, children, { kind: token.mark, children })
    }
    case 'link':
      return openLink(growth, token)
    case 'close':
      return closeMark(growth, token.mark, token.written)
  }
}

function openLink(growth: Growth, { address, written }: LinkToken): void {
  const parts: AddressPart[] = []
  for (const token of address) addInline(parts, token, growth)
  const [first] = parts
  const isAllowed = first?.kind === 'plain' && ALLOWED_ADDRESS.test(first.text)
  if (!isAllowed) growth.forbiddenAddresses.push(written)
  const children: TextNode[] = []
  const node = { kind: 'link', address: parts, rel: 'noopener noreferrer', children } as const
  openMark(growth, 'link', children, isAllowed ? node : null)
}

/** The content of a mark that has no node of its own goes to the surrounding list. */
function openMark(growth: Growth, mark: Mark, children: TextNode[], node: TextNode | null): void {
  const hasNode = node !== null && !growth.marksWithNode.has(mark)
  growth.open.push({ mark, hasNode })
  growth.openCount[mark] += 1
  if (!hasNode) return
  innermost(growth).push(node)
  growth.lists.push(children)
  growth.marksWithNode.add(mark)
}

/** Closes everything opened since, too. A mark that closes nothing is text. */
function closeMark(growth: Growth, mark: Mark, written: string): void {
  if (growth.openCount[mark] === 0) return addInline(innermost(growth), { kind: 'plain', text: written }, growth)
  for (let closed = growth.open.pop(); closed !== undefined; closed = growth.open.pop()) {
    growth.openCount[closed.mark] -= 1
    if (closed.hasNode) {
      growth.lists.pop()
      growth.marksWithNode.delete(closed.mark)
    }
    if (closed.mark === mark) return
  }
}

function addInline(list: (TextNode | AddressPart)[], token: InlineToken, growth: Growth): void {
  const last = list.at(-1)
  if (token.kind === 'tag') list.push(tagOf(token.key, growth))
  else if (last?.kind === 'plain') list.splice(-1, 1, { kind: 'plain', text: last.text + token.text })
  else list.push({ kind: 'plain', text: token.text })
}

function tagOf(key: string, { partyKeys, tags }: Growth): Tag {
  const [party = '', ...rest] = key.split('.')
  const isParty = rest.length > 0 && partyKeys.has(party)
  const tag: Tag = isParty ? { kind: 'party', party, field: rest.join('.') } : { kind: 'value', key }
  if (!tags.has(key)) tags.set(key, tag)
  return tag
}

function innermost({ lists }: Growth): TextNode[] {
  return lists.at(-1) ?? lists[0]
}
