import { createCryptoPlatform, importSealingKey, sealWrapper } from '@sealpost/crypto'
import { type Definition, parseDefinition } from '@sealpost/flow'
import { instant, type UserId } from '@sealpost/kernel'
import type { StoredConnection } from '../../connections/index.ts'
import { intake } from '../../flows/testing/definitions.ts'
import type { StoredRun } from '../service-side/model.ts'
import { bindParties } from '../service-side/rules/bind-parties.ts'

/** A fixed id by its number. */
export function ids<Id extends string = string>(count: number): Id {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made in the form of the brand
  return `019a0000-0000-7000-8000-${String(count).padStart(12, '0')}` as Id
}

export const [US, PERSON, PARTNER, STRANGER] = [ids<UserId>(1), ids<UserId>(2), ids<UserId>(3), ids<UserId>(4)]

export function parsed(json: object): Definition {
  const definition = parseDefinition(json)
  if (!definition.ok) throw new Error(JSON.stringify(definition.refusal))
  return definition.value
}

export const definition = parsed(intake())
export const untyped = parsed(intake({ parties: ['us', 'customer', 'partner'].map((key) => ({ key, label: key })) }))

export function connection(customerId: UserId, customerType: 'person' | 'company'): StoredConnection {
  return {
    companyId: US,
    serviceId: ids(9),
    id: ids(100 + Number(customerId.slice(-1))),
    customerId,
    customerRegion: 'us',
    customerType,
    shareCode: 'ABC234',
    displayName: 'Customer',
    publicKey: 'key',
    connectedAt: instant(0),
    openContracts: 0,
  }
}

export const [person, partner] = [connection(PERSON, 'person'), connection(PARTNER, 'company')]
export const customers = new Map<string, StoredConnection>([
  [PERSON, person],
  [PARTNER, partner],
])
export const targets = new Map([
  ['customer', person],
  ['partner', partner],
])

export function run(more: Partial<StoredRun> = {}): StoredRun {
  const given = { companyId: US, target: null, targets, bindings: new Map<string, string>(), customers }
  const parties = bindParties(definition, given)
  if (!parties.ok) throw new Error(parties.refusal)
  return {
    companyId: US,
    serviceId: ids(9),
    id: ids(10),
    flowId: ids(11),
    flowVersion: 1,
    status: 'awaiting_us',
    currentNode: 'ask',
    outputMode: 'data_only',
    referenceDate: '2026-01-02',
    ownerTagValues: null,
    tagValues: null,
    privateSlugs: [],
    rev: 1,
    createdAt: instant(0),
    updatedAt: instant(0),
    cancelledAt: null,
    cancelledBy: null,
    cancelReason: null,
    dataDeletedAt: null,
    parties: parties.value,
    ...more,
  }
}

const platform = createCryptoPlatform(globalThis)
const pair = await crypto.subtle.generateKey(
  { name: 'RSA-OAEP', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
  true,
  ['encrypt', 'decrypt'],
)
const spki = Buffer.from(await crypto.subtle.exportKey('spki', pair.publicKey)).toString('base64')
const key = await importSealingKey(platform, spki)
const sealed = key.ok ? await sealWrapper(platform, key.value, 'text') : key
export const WRAPPER = sealed.ok ? sealed.value : ''
