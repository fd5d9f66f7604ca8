import { type Bus, DIRECTORY } from '@sealpost/bus'
import {
  changeClientAsk,
  type DirectoryClient,
  listClientsAsk,
  putClientAsk,
  removeClientAsk,
} from '@sealpost/protocol'
import type { Platform } from '../../platform/module.ts'
import type { ChangeClient, ClientsDirectory, PutClient } from './model.ts'

export function clientsDirectory({ bus, ids }: Pick<Platform, 'bus' | 'ids'>): ClientsDirectory {
  async function findOne(filter: { client_id: string } | { service_id: string }): Promise<DirectoryClient | null> {
    const { clients } = await bus.ask(listClientsAsk, { to: DIRECTORY, body: filter })
    return clients[0] ?? null
  }
  return {
    put: (client) =>
      bus.ask(putClientAsk, {
        to: DIRECTORY,
        // A new id each time: the reason for which the first ask was refused may be gone.
        id: `put_client:${client.clientId}:${ids.uuid()}`,
        body: putBody(client),
      }),
    change: (change) =>
      bus.ask(changeClientAsk, { to: DIRECTORY, id: `change_client:${change.changeId}`, body: changeBody(change) }),
    async remove({ companyId, clientId }) {
      await bus.ask(removeClientAsk, {
        to: DIRECTORY,
        // A new id each time: a client that was put again must be removed, too.
        id: `remove_client:${clientId}:${ids.uuid()}`,
        body: { client_id: clientId, user_id: companyId },
      })
    },
    find: (clientId) => findOne({ client_id: clientId }),
    findOfService: (serviceId) => findOne({ service_id: serviceId }),
    list: () => listAll(bus),
  }
}

async function* listAll(bus: Bus): AsyncGenerator<readonly DirectoryClient[]> {
  let after: string | undefined
  for (;;) {
    const body = after === undefined ? {} : { after }
    const { clients, has_more } = await bus.ask(listClientsAsk, { to: DIRECTORY, body })
    yield clients
    after = clients.at(-1)?.client_id
    if (!has_more || after === undefined) return
  }
}

function putBody(client: PutClient) {
  const { secret } = client
  return {
    client_id: client.clientId,
    kind: client.kind,
    user_id: client.companyId,
    service_id: client.serviceId,
    name: client.name,
    purpose: client.purpose,
    capabilities: [...client.capabilities],
    patterns: [...client.patterns],
    redirect_uris: [...client.redirectUris],
    is_confidential: client.isConfidential,
    allows_detached: client.allowsDetached,
    secret: secret === null ? null : { id: secret.id, value: secret.value.reveal() },
  }
}

function changeBody({ changeId, clientId, companyId, secret, least, ifRev, ...change }: ChangeClient) {
  return {
    client_id: clientId,
    user_id: companyId,
    least,
    ...(ifRev === undefined ? {} : { if_rev: ifRev }),
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.serviceId === undefined ? {} : { service_id: change.serviceId }),
    ...(change.capabilities === undefined ? {} : { capabilities: [...change.capabilities] }),
    ...(change.patterns === undefined ? {} : { patterns: [...change.patterns] }),
    ...(change.redirectUris === undefined ? {} : { redirect_uris: [...change.redirectUris] }),
    ...(change.allowsDetached === undefined ? {} : { allows_detached: change.allowsDetached }),
    ...(secret === undefined ? {} : { secret: { id: changeId, value: secret.reveal() } }),
  }
}
