import type { Bus } from '@sealpost/bus'
import { type ClientId, type RegionCode, Secret, type ServiceId, type UserId } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { changeClientAsk, listClientsAsk, putClientAsk, raiseEpochAsk, removeClientAsk } from '@sealpost/protocol'
import { readClientId, readId, readRegion } from '../read-ask.ts'
import { changeClient, type ClientNeeds, endTokens, type GivenSecret, putClient, removeClient } from './operations.ts'
import { listClients } from './store.ts'

export interface ClientBusNeeds extends ClientNeeds {
  readonly bus: Bus
  readonly database: Database
  readonly regions: readonly RegionCode[]
}

/** Within what an answer may weigh. */
const PAGE = 100

/** What regions may ask about clients; each one for the accounts that live in it. */
export function answerAboutClients(needs: ClientBusNeeds): void {
  const { bus, database, regions } = needs
  bus.onAsk(putClientAsk, (tx, { from, body }) =>
    putClient(needs, tx, readRegion(regions, from), {
      ...namesOf(body),
      kind: body.kind,
      serviceId: readServiceId(body.service_id),
      name: body.name,
      purpose: body.purpose,
      capabilities: body.capabilities,
      patterns: body.patterns,
      redirectUris: body.redirect_uris,
      isConfidential: body.is_confidential,
      secret: body.secret === null ? null : secretOf(body.secret),
    }),
  )
  bus.onAsk(changeClientAsk, (tx, { from, body }) =>
    changeClient(needs, tx, readRegion(regions, from), {
      ...namesOf(body),
      name: body.name,
      serviceId: body.service_id === undefined ? undefined : readServiceId(body.service_id),
      capabilities: body.capabilities,
      patterns: body.patterns,
      redirectUris: body.redirect_uris,
      secret: body.secret === undefined ? undefined : secretOf(body.secret),
      least: body.least,
      ifRev: body.if_rev,
    }),
  )
  bus.onAsk(removeClientAsk, async (tx, { from, body }) => {
    const { clientId, userId } = namesOf(body)
    await removeClient(tx, readRegion(regions, from), clientId, userId)
    return {}
  })
  bus.onAsk(raiseEpochAsk, (tx, { from, body }) => {
    const { clientId, userId } = namesOf(body)
    return endTokens(tx, readRegion(regions, from), clientId, userId)
  })
  bus.onRead(listClientsAsk, async ({ from, body }) => {
    const filter = {
      clientId: body.client_id === undefined ? undefined : readClientId(body.client_id),
      serviceId: body.service_id === undefined ? undefined : readId<ServiceId>(body.service_id),
      after: body.after === undefined ? undefined : readClientId(body.after),
    }
    const found = await database.read((read) => listClients(read, readRegion(regions, from), filter, PAGE))
    return { clients: found.slice(0, PAGE), has_more: found.length > PAGE }
  })
}

function namesOf(body: { client_id: string; user_id: string }): {
  readonly clientId: ClientId
  readonly userId: UserId
} {
  return { clientId: readClientId(body.client_id), userId: readId<UserId>(body.user_id) }
}

function readServiceId(text: string | null): ServiceId | null {
  return text === null ? null : readId<ServiceId>(text)
}

function secretOf({ id, value }: { id: string; value: string }): GivenSecret {
  return { id: readId(id), value: new Secret(value) }
}
