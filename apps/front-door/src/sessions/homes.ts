import { type Party, parseParty } from '@sealpost/bus'
import type { RegionCode, UserId } from '@sealpost/kernel'
import type { Kdf } from '@sealpost/protocol'
import { findAccountByEmail, hashEmail, refuseOutOfOrder } from '../directory/index.ts'
import type { SessionNeeds } from './needs.ts'
import { pretendAccount } from './pretence.ts'

/** Where an address leads; see [Note: pretended accounts]. */
export interface Addressee {
  readonly emailHash: string
  readonly userId: UserId
  readonly region: RegionCode
  readonly kdf: Kdf
  /** Not for the answer: only for who takes an address and for whom the mail must say so. */
  readonly isKnown: boolean
}

export async function findAddressee(needs: SessionNeeds, email: string): Promise<Addressee> {
  const emailHash = hashEmail(needs.directoryKey, email)
  const found = await needs.database.read((read) => findAccountByEmail(read, emailHash))
  const pretended = pretendAccount({ ...needs, regions: codesOf(needs) }, emailHash)
  const { userId, region, kdf } = found ?? pretended
  return { emailHash, userId, region, kdf, isKnown: found !== null }
}

/** The region as a party to ask, unless it is being rebuilt. */
export async function openParty(needs: SessionNeeds, region: RegionCode): Promise<Party> {
  await refuseOutOfOrder(needs.database, region)
  return parseParty(region)
}

/** The region that a refresh token begins with; null when that is none of ours. */
export function regionOfToken({ regions }: SessionNeeds, token: string): RegionCode | null {
  const code = token.slice(0, Math.max(0, token.indexOf('.')))
  return regions.find((region) => region.code === code)?.code ?? null
}

export function findRegion({ regions }: SessionNeeds, text: string): RegionCode | null {
  return regions.find(({ code }) => code === text)?.code ?? null
}

export function apiUrlOf({ regions }: SessionNeeds, region: RegionCode): string {
  const address = regions.find(({ code }) => code === region)
  if (address === undefined) throw new Error(`REGIONS does not name ${region}, where an account lives`)
  return address.apiUrl
}

export function codesOf({ regions }: SessionNeeds): readonly RegionCode[] {
  return regions.map(({ code }) => code)
}
