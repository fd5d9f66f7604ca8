import { createCryptoPlatform, hashVerified } from '@sealpost/crypto'
import type { Attestation } from '@sealpost/field-types'
import type { Instant, UserId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { platformFields } from '../../registry/index.ts'
import { liveAttestation } from '../rules/values.ts'
import { listAttestedByIdentity } from '../store/values.ts'

const platform = createCryptoPlatform(globalThis)

export interface PersonName {
  readonly firstName: string
  readonly lastName: string
}

/**
 * The name among these that is on the verified ID of the account; null when none is. The platform cannot read the ID: it
 * compares the salted hashes of first and last name, which a provider has verified against an identity document.
 */
export async function findNameOfIdentity(
  read: Read,
  accountId: UserId,
  names: readonly PersonName[],
  now: Instant,
): Promise<PersonName | null> {
  const values = await listAttestedByIdentity(read, accountId)
  const attestedAs = (slug: string): Attestation | null => {
    const id = platformFields.find((field) => field.slug === slug)?.id
    return liveAttestation(values.find(({ fieldId }) => fieldId === id)?.attestation ?? null, now)
  }
  const [first, last] = [attestedAs('first_name'), attestedAs('last_name')]
  if (first === null || last === null) return null
  for (const name of names) {
    if ((await isText(first, name.firstName)) && (await isText(last, name.lastName))) return name
  }
  return null
}

async function isText({ salt, hash }: Attestation, text: string): Promise<boolean> {
  return hash === (await hashVerified(platform, salt, text))
}
