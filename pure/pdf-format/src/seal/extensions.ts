import type { Bytes } from '@sealpost/crypto'
import { type DerElement, TAG } from '@sealpost/crypto/der'
import { contentOf, contextTag, insideOf, oidOf, readOne } from './asn1.ts'

export interface Extension {
  readonly value: Bytes
  readonly isCritical: boolean
}

/** Of a certificate (`[3]`) or of a revocation list (`[0]`), by their OIDs. */
export function readExtensions(element: DerElement | undefined, tag: number): ReadonlyMap<string, Extension> {
  if (element === undefined) return new Map()
  const [list] = insideOf(element, tag)
  return new Map(
    insideOf(list, TAG.sequence).map((extension) => {
      const members = insideOf(extension, TAG.sequence)
      const isCritical = members.length === 3 && members[1]?.tag === BOOLEAN && members[1].content[0] !== 0
      return [oidOf(members[0]), { value: contentOf(members.at(-1), TAG.octetString), isCritical }]
    }),
  )
}

const BOOLEAN = 0x01
const REASONS = 0x81
const LIST_ISSUER = contextTag(2)
const ADDRESS = 0x86

/** Where lists about a certificate are published: those for all reasons, by its own issuer. */
export function readListUrls(points: Bytes | undefined): readonly string[] {
  if (points === undefined) return []
  return insideOf(readOne(points), TAG.sequence).flatMap((point) => {
    const members = insideOf(point, TAG.sequence)
    const isPartial = members.some(({ tag }) => tag === REASONS || tag === LIST_ISSUER)
    return isPartial ? [] : urlsOf(members.find(({ tag }) => tag === contextTag(0)))
  })
}

/** The addresses of a DistributionPointName. */
export function urlsOf(name: DerElement | undefined): readonly string[] {
  if (name === undefined) return []
  const [full] = insideOf(name, contextTag(0))
  if (full?.tag !== contextTag(0)) return []
  return insideOf(full, contextTag(0)).flatMap(({ tag, content }) =>
    tag === ADDRESS ? [String.fromCharCode(...content)] : [],
  )
}
