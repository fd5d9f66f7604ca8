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

type Derivation = Pick<FrontDoorSettings, 'DIRECTORY_KEY' | 'REGIONS' | 'KDF_MEMORY_KIB' | 'KDF_PASSES'>

/** What a password costs to derive. */
export type KdfCost = Omit<Kdf, 'salt'>

/**
 * `cost` is the one of a drawn account: see `pointOfCost`. Null while there is no account: then it is the one that the
 * web apps choose for new passwords.
 */
export function pretendAccount(settings: Derivation, emailHash: string, cost: KdfCost | null): PretendedAccount {
  const { KDF_MEMORY_KIB: memory_kib, KDF_PASSES: passes } = settings
  return {
    userId: pretendId(derive(settings, 'id', emailHash)),
    region: pretendHome(settings, emailHash),
    kdf: pretendKdf(settings, emailHash, cost ?? { alg: 'argon2id', memory_kib, passes, lanes: 1 }),
  }
}

/**
 * Where an address draws its cost: the next account after this point, in the order of e-mail hashes. So pretended costs
 * are spread like those in use, and a changed setting does not tell new and pretended accounts from older ones.
 */
export function pointOfCost(settings: Pick<Derivation, 'DIRECTORY_KEY'>, emailHash: string): string {
  return derive(settings, 'cost', emailHash).toString('hex')
}

/** Another cost has another salt, as after a change of password. */
function pretendKdf(settings: Derivation, emailHash: string, { alg, memory_kib, passes, lanes }: KdfCost): Kdf {
  const bytes = derive(settings, `salt:${memory_kib}:${passes}:${lanes}`, emailHash)
  return { alg, memory_kib, passes, lanes, salt: bytes.subarray(0, 16).toString('base64') }
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

function derive({ DIRECTORY_KEY: key }: Pick<Derivation, 'DIRECTORY_KEY'>, purpose: string, emailHash: string): Buffer {
  return createHmac('sha256', key.reveal()).update(`pretended ${purpose}:${emailHash}`).digest()
}
