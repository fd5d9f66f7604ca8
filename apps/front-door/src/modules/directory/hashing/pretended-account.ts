import { createHmac } from 'node:crypto'
import { parseUuid, type RegionCode, type UserId } from '@sealpost/kernel'
import type { Kdf } from '@sealpost/protocol'
import type { FrontDoorSettings } from '../../../settings.ts'

/**
 * [Note: pretended accounts] An address without an account is treated as if it had one: it gets password parameters, a
 * home region and an id, derived from its hash under a key that only the front door has, so always the same ones. Neither
 * an answer nor the work behind it nor an outage of a region then shows whether an account exists.
 */
export interface PretendedAccount {
  readonly userId: UserId
  readonly region: RegionCode
  readonly kdf: Kdf
}

/** The cost is the one that the web apps choose for new passwords, so that a pretended account looks like a real one. */
type Derivation = Pick<FrontDoorSettings, 'DIRECTORY_KEY' | 'REGIONS' | 'KDF_MEMORY_KIB' | 'KDF_PASSES'>

export function pretendAccount(settings: Derivation, emailHash: string): PretendedAccount {
  const { KDF_MEMORY_KIB: memory_kib, KDF_PASSES: passes } = settings
  const salt = derive(settings, 'salt', emailHash).subarray(0, 16).toString('base64')
  return {
    userId: pretendId(derive(settings, 'id', emailHash)),
    region: pretendHome(settings, emailHash),
    kdf: { alg: 'argon2id', memory_kib, passes, lanes: 1, salt },
  }
}

/** Rendezvous hashing: a region that is added takes its share and leaves all other addresses where they are. */
function pretendHome(settings: Derivation, emailHash: string): RegionCode {
  const drawn = settings.REGIONS.map(({ code }) => ({ code, draw: derive(settings, `home:${code}`, emailHash) }))
  const [first, ...others] = drawn
  if (first === undefined) throw new Error('REGIONS names no region')
  return others.reduce((best, other) => (Buffer.compare(other.draw, best.draw) > 0 ? other : best), first).code
}

function pretendId(bytes: Buffer): UserId {
  const hex = bytes.toString('hex')
  const text = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(18, 30)}`
  const id = parseUuid<UserId>(text)
  if (id === null) throw new Error(`a pretended id is not a UUID: ${text}`)
  return id
}

function derive({ DIRECTORY_KEY: key }: Derivation, purpose: string, emailHash: string): Buffer {
  return createHmac('sha256', key.reveal()).update(`pretended ${purpose}:${emailHash}`).digest()
}
