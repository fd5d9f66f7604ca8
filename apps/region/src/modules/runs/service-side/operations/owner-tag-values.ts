import { type Definition, partyTags } from '@sealpost/flow'
import type { UserId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import type { OwnerTagValues } from '@sealpost/protocol'
import { listContactFields } from '../../../registry/index.ts'
import { findVaultValue } from '../../../vault/index.ts'
import type { BoundParty } from '../model.ts'

/** The company's profile values that the texts name, as of now; a missing one is left out. Null when none is named. */
export async function readOwnerTagValues(
  read: Read,
  definition: Definition,
  parties: readonly BoundParty[],
  companyId: UserId,
): Promise<OwnerTagValues | null> {
  const owners = new Set(parties.flatMap(({ partyKey, customer }) => (customer === null ? [partyKey] : [])))
  const tags = partyTags(definition).filter(({ party }) => owners.has(party))
  if (tags.length === 0) return null
  const fields = new Map((await listContactFields(read, companyId)).map((field) => [field.slug, field]))
  const values: OwnerTagValues = {}
  for (const { party, field: slug } of tags) {
    const field = fields.get(slug)
    const value = field === undefined ? null : await findVaultValue(read, companyId, field.id)
    if (value?.content.kind === 'plain') values[`${party}.${slug}`] = { v: value.content.text, t: value.type }
  }
  return values
}
