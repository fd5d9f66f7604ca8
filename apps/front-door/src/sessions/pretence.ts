import { createHmac } from 'node:crypto'
import { parseUuid, type RegionCode, type Secret, type UserId } from '@sealpost/kernel'
import type { Kdf } from '@sealpost/protocol'

/**
 * [Note: pretended accounts] An address that nobody has is treated as if somebody had it: it has parameters, a home
 * and an id, always the same ones, made from its hash and a key that only the front door knows. So neither an answer nor
 * the work behind it nor an outage tells whether an account exists.
 */
export interface PretendedAccount {
  readonly userId: UserId
  readonly region: RegionCode
  readonly kdf: Kdf
}

export interface PretenceNeeds {
  readonly directoryKey: Secret<string>
  readonly regions: readonly RegionCode[]
  /** What the web apps choose for new passwords, so that a pretended one looks like most real ones. */
  readonly kdfCost: { readonly memoryKib: number; readonly passes: number }
}

export function pretendAccount(needs: PretenceNeeds, emailHash: string): PretendedAccount {
  const { kdfCost } = needs
  const salt = derive(needs, 'salt', emailHash).subarray(0, 16).toString('base64')
  return {
    userId: pretendId(derive(needs, 'id', emailHash)),
    region: pretendHome(needs, emailHash),
    kdf: { alg: 'argon2id', memory_kib: kdfCost.memoryKib, passes: kdfCost.passes, lanes: 1, salt },
  }
}

/** The region with the highest draw: one that is added takes its share and leaves the others where they are. */
function pretendHome(needs: PretenceNeeds, emailHash: string): RegionCode {
  const drawn = needs.regions.map((region) => ({ region, draw: derive(needs, `home:${region}`, emailHash) }))
  const [first, ...others] = drawn
  if (first === undefined) throw new Error('REGIONS names no region')
  return others.reduce((best, other) => (Buffer.compare(other.draw, best.draw) > 0 ? other : best), first).region
}

function pretendId(bytes: Buffer): UserId {
  const hex = bytes.toString('hex')
  const text = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(18, 30)}`
  const id = parseUuid<UserId>(text)
  if (id === null) throw new Error('a pretended id does not look like one')
  return id
}

function derive({ directoryKey }: PretenceNeeds, what: string, emailHash: string): Buffer {
  return createHmac('sha256', directoryKey.reveal()).update(`pretended ${what}:${emailHash}`).digest()
}
