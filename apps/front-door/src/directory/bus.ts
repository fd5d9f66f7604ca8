import type { Bus } from '@sealpost/bus'
import {
  type ClientId,
  type Keyring,
  type Clock,
  parseClientId,
  parseUuid,
  type RegionCode,
  Secret,
  type ServiceId,
  type UserId,
} from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { findHomeAsk, listSigningKeysAsk, putAccountAsk, putClientAsk, raiseEpochAsk, refuse } from '@sealpost/protocol'
import type { SigningKeys } from '../oauth/signing-keys.ts'
import { endTokens, putAccount, putClient } from './operations.ts'
import { findClient } from './store.ts'

export interface DirectoryBusNeeds {
  readonly bus: Bus
  readonly database: Database
  readonly clock: Clock
  readonly pepper: Keyring
  readonly signingKeys: SigningKeys
  readonly regions: readonly RegionCode[]
}

/** What regions may ask of the directory; each one for the accounts that live in it. */
export function answerRegions(needs: DirectoryBusNeeds): void {
  const { bus, database, regions } = needs
  bus.onAsk(putAccountAsk, async (tx, { from, body }) => {
    const account = { ...body, user_id: readId<UserId>(body.user_id), region: readRegion(regions, body.region) }
    await putAccount(tx, readRegion(regions, from), account)
    return {}
  })
  bus.onAsk(putClientAsk, (tx, { from, body }) =>
    putClient(needs, tx, readRegion(regions, from), {
      clientId: readClientId(body.client_id),
      kind: body.kind,
      userId: readId<UserId>(body.user_id),
      serviceId: body.service_id === null ? null : readId<ServiceId>(body.service_id),
      secret: new Secret(body.client_secret),
    }),
  )
  bus.onAsk(raiseEpochAsk, (tx, { from, body }) =>
    endTokens(tx, readRegion(regions, from), readClientId(body.client_id), readId<UserId>(body.user_id)),
  )
  bus.onRead(findHomeAsk, async ({ body }) => {
    const client = await database.read((read) => findClient(read, readClientId(body.client_id)))
    return { region: client?.region ?? null }
  })
  bus.onRead(listSigningKeysAsk, () => Promise.resolve({ keys: needs.signingKeys.publicKeys.map(textMembers) }))
}

function readClientId(text: string): ClientId {
  const id = parseClientId(text)
  if (id === null) throw invalid('client_id')
  return id
}

function readId<Id extends string>(text: string): Id {
  const id = parseUuid<Id>(text)
  if (id === null) throw invalid('id')
  return id
}

function readRegion(regions: readonly RegionCode[], text: string): RegionCode {
  const region = regions.find((code) => code === text)
  if (region === undefined) throw invalid('region')
  return region
}

function invalid(path: string): Error {
  return refuse('request.invalid', { details: [{ path: `/${path}`, message: 'is not known here' }] })
}

function textMembers(key: object): Record<string, string> {
  return Object.fromEntries(Object.entries(key).filter(([, value]) => typeof value === 'string'))
}
