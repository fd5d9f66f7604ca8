import type { OpeningKey } from '@sealpost/crypto'
import { type AccountKeys, createAccountKeys, deriveLogin, type KdfParameters, newKdf } from '@sealpost/vault'
import { TEST_KDF } from '../people/app-origin.ts'
import { newServiceKey, openServiceKey, type TestServiceKey } from '../people/services.ts'

/** A password and the key pairs that it opens. */
export interface AccountSecrets {
  readonly password: string
  readonly kdf: KdfParameters
  readonly authVerifier: string
  readonly keys: AccountKeys
  /** Given to companies only. */
  readonly recoveryKeys: AccountKeys
}

export interface ServiceSecrets extends TestServiceKey {
  readonly openingKey: OpeningKey
}

/**
 * Key derivation and RSA keys are most of the cost of an account or a service, so a process makes a few and uses them
 * in turn: this many in a row are different.
 */
const RING = 6
const accountRing: Promise<AccountSecrets>[] = []
const serviceRing: Promise<ServiceSecrets>[] = []
/** By company: it may have each service key once. */
const usedPositions = new WeakMap<object, Set<number>>()
let accounts = 0
let services = 0

export function nextAccountSecrets(): Promise<AccountSecrets> {
  const position = accounts % RING
  accounts += 1
  return (accountRing[position] ??= makeAccountSecrets(`a password of account ${position}`))
}

/** A company with more services than the ring has keys makes it longer. */
export function nextServiceSecrets(company: object): Promise<ServiceSecrets> {
  const used = usedPositions.get(company) ?? new Set()
  usedPositions.set(company, used)
  let position = services % RING
  while (used.has(position)) position += 1
  used.add(position)
  services += 1
  return (serviceRing[position] ??= makeServiceSecrets())
}

async function makeAccountSecrets(password: string): Promise<AccountSecrets> {
  const kdf = newKdf(TEST_KDF)
  const { authVerifier, wrapKey } = await deriveLogin(password, kdf)
  const [keys, recoveryKeys] = await Promise.all([createAccountKeys(wrapKey), createAccountKeys(wrapKey, 'recovery')])
  return { password, kdf, authVerifier: authVerifier.reveal(), keys, recoveryKeys }
}

async function makeServiceSecrets(): Promise<ServiceSecrets> {
  const key = await newServiceKey()
  return { ...key, openingKey: await openServiceKey(key) }
}
