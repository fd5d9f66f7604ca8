import { createHash } from 'node:crypto'
import type { ModelUser } from './user.ts'
import type { WrittenFlow } from './written.ts'

/** A customer's value that the texts of a flow name. */
export interface SharedValue {
  readonly tag: string
  /** Of the customer who shares it. */
  readonly userId: string
  readonly text: string
  readonly isPrivate: boolean
}

export interface TagEntry {
  readonly recipient_pubkey_sha256: string
  readonly public: string
  readonly public_tags: readonly string[]
  readonly private: Readonly<Record<string, string>>
}

/** The tags `{{party.field}}` in the texts, each once. */
export function namedTags({ nodes, parties }: WrittenFlow): readonly { party: string; field: string }[] {
  const bodies = nodes.flatMap(({ elements }) => elements.flatMap((one) => (one.kind === 'text' ? [one.body] : [])))
  const found = [...bodies.join('\n').matchAll(/\{\{([a-z0-9_]+)\.([a-z0-9_]+)\}\}/g)].map(
    ([, party = '', field = '']) => ({ party, field }),
  )
  const isFirst = (one: { party: string; field: string }, place: number): boolean =>
    found.findIndex(({ party, field }) => party === one.party && field === one.field) === place
  return found.filter(isFirst).filter(({ party }) => parties.some(({ key }) => key === party))
}

/** As a client of the company seals them at the start: all that is not private for all, the rest for its owner. */
export async function sealTagValues(
  company: ModelUser,
  customers: readonly ModelUser[],
  values: readonly SharedValue[],
): Promise<Readonly<Record<string, TagEntry>>> {
  const open = values.filter(({ isPrivate }) => !isPrivate)
  const map = JSON.stringify(Object.fromEntries(open.map(({ tag, text }) => [tag, valueOf(text)])))
  const entryFor = async (user: ModelUser): Promise<TagEntry> => {
    const own = values.filter((one) => one.isPrivate && (user === company || one.userId === user.userId))
    const closed = own.map(async ({ tag, text }) => [tag, await user.seal(JSON.stringify(valueOf(text)))] as const)
    return {
      recipient_pubkey_sha256: fingerprint(user.publicKey),
      public: await user.seal(map),
      public_tags: open.map(({ tag }) => tag),
      private: Object.fromEntries(await Promise.all(closed)),
    }
  }
  const entries = customers.map(async (user) => [user.userId, await entryFor(user)] as const)
  return Object.fromEntries([['company', await entryFor(company)] as const, ...(await Promise.all(entries))])
}

function valueOf(text: string): object {
  return { v: text, t: 'text' }
}

/** The lowercase hex SHA-256 of the DER form. */
export function fingerprint(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex')
}
