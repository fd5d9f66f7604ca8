import { linkAddress, parseText, printPlain, type Resolve, type Tag } from '@sealpost/text'
import type { VectorCase } from '../vector-case.ts'
import { casesOf, mustEqual, type Named } from './reading.ts'

type Values = Readonly<Record<string, string>>

interface TextRow extends Named {
  readonly source: string
  readonly values: Values
  readonly plain: string
  readonly tree: unknown
  readonly tags: readonly string[]
  readonly forbidden: readonly string[]
}

interface AddressRow extends Named {
  readonly source: string
  readonly values: Values
  readonly address: string
}

/** `vectors/text.json` */
export function textCases(file: unknown): readonly VectorCase[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as documented; else the party cases fail
  const partyKeys = new Set((file as { readonly party_keys?: readonly string[] }).party_keys)
  return [
    ...casesOf(file, 'texts', (row: TextRow) => checkText(row, partyKeys)),
    ...casesOf(file, 'addresses', (row: AddressRow) => checkAddress(row, partyKeys)),
  ]
}

function checkText(row: TextRow, partyKeys: ReadonlySet<string>): void {
  const text = parseText(row.source, partyKeys)
  mustEqual(text.nodes, row.tree)
  mustEqual(text.tags.map(nameOf), row.tags)
  mustEqual(text.forbiddenAddresses, row.forbidden)
  mustEqual(printPlain(text, resolveFrom(row.values)), row.plain)
}

function checkAddress(row: AddressRow, partyKeys: ReadonlySet<string>): void {
  const [link] = parseText(row.source, partyKeys).nodes
  if (link?.kind !== 'link') throw new Error('the source does not begin with a link')
  mustEqual(linkAddress(link, resolveFrom(row.values)), row.address)
}

function resolveFrom(values: Values): Resolve {
  const known = new Map(Object.entries(values))
  return (tag) => known.get(nameOf(tag)) ?? null
}

function nameOf(tag: Tag): string {
  return tag.kind === 'value' ? tag.key : `${tag.party}.${tag.field}`
}
