import { type FieldId, parseUuid, type UserId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { type ContactField, findContactField } from '../registry/index.ts'
import type { VaultNeeds } from './needs.ts'
import { findVaultValue } from './read-value.ts'
import type { VaultValue } from './value.ts'

export async function locateField({ database }: VaultNeeds, accountId: UserId, text: string): Promise<ContactField> {
  const id = parseUuid<FieldId>(text)
  const field = id === null ? null : await database.read((read) => findContactField(read, accountId, id))
  if (field === null) throw refuse('request.not_found')
  return field
}

export async function locateValue({ database }: VaultNeeds, accountId: UserId, text: string): Promise<VaultValue> {
  const id = parseUuid<FieldId>(text)
  const value = id === null ? null : await database.read((read) => findVaultValue(read, accountId, id))
  if (value === null) throw refuse('request.not_found')
  return value
}
