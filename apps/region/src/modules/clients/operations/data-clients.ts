import { refuse } from '@sealpost/protocol'
import type { ClientsContext } from '../context.ts'
import type { Actor, Client, CreatedClient, IssuedClient, OwnService, RegeneratedSecret } from '../model.ts'
import {
  changeClient,
  createClient,
  deleteClient,
  pullFromDirectory,
  regenerateSecret,
  removeEverywhere,
} from '../pending-changes/index.ts'
import { isSafeRedirect } from '../rules/redirect-uri.ts'
import { findClient, findDataClient } from '../store/clients.ts'
import { newDataClientToWire, secretToWire } from '../wire.ts'
import { auditDataClient } from './audit.ts'

export async function locateDataClient(
  { database }: ClientsContext,
  { companyId, id: serviceId }: OwnService,
): Promise<Client> {
  const client = await database.read((read) => findDataClient(read, companyId, serviceId))
  if (client === null) throw notFound()
  return client
}

export async function createDataClient(
  clients: ClientsContext,
  actor: Actor,
  service: OwnService,
  body: { readonly redirect_uri?: unknown },
): Promise<CreatedClient> {
  const redirectUris = readRedirect(body.redirect_uri ?? null)
  return createClient(clients, wantedFor(service, redirectUris), {
    async onLive(tx, created) {
      await auditDataClient(clients, tx, actor, 'services.create_client', created.client)
      await tx.storeAnswer(newDataClientToWire(created))
    },
  })
}

/** For seeds, with credentials that are known beforehand: putting the same client twice changes nothing. */
export async function putDataClient(clients: ClientsContext, service: OwnService, chosen: IssuedClient): Promise<void> {
  const { companyId, id: serviceId } = service
  const name = { companyId, clientId: chosen.clientId }
  const { database } = clients
  const known = await database.read((read) => findClient(read, name))
  if (known?.state === 'live') {
    await pullFromDirectory(clients, name)
    if ((await database.read((read) => findDataClient(read, companyId, serviceId))) !== null) return
  } else if (known !== null) {
    await removeEverywhere(clients, name)
  }
  await createClient(clients, { ...wantedFor(service, []), chosen })
}

export async function changeDataClient(
  clients: ClientsContext,
  actor: Actor,
  client: Client,
  body: { readonly redirect_uri?: unknown },
): Promise<Client> {
  const redirectUris = readRedirect(body.redirect_uri)
  return changeClient(
    clients,
    client,
    { redirectUris },
    {
      notFound,
      inTransaction: (tx) => auditDataClient(clients, tx, actor, 'services.change_client', client),
    },
  )
}

export async function regenerateDataClientSecret(
  clients: ClientsContext,
  actor: Actor,
  client: Client,
): Promise<RegeneratedSecret> {
  return regenerateSecret(clients, client, {
    notFound,
    async inTransaction(tx, regenerated) {
      await auditDataClient(clients, tx, actor, 'services.regenerate_client_secret', client)
      await tx.storeAnswer(secretToWire(regenerated))
    },
  })
}

export async function deleteDataClient(clients: ClientsContext, actor: Actor, client: Client): Promise<void> {
  await deleteClient(clients, client, {
    notFound,
    inTransaction: (tx) => auditDataClient(clients, tx, actor, 'services.delete_client', client),
  })
}

const notFound = () => refuse('services.client_not_found')

function wantedFor({ companyId, id: serviceId }: OwnService, redirectUris: readonly string[]) {
  return {
    companyId,
    kind: 'svc',
    serviceId,
    name: 'Data client',
    purpose: null,
    capabilities: [],
    redirectUris,
    isConfidential: true,
    allowsDetached: false,
  } as const
}

function readRedirect(value: unknown): readonly string[] {
  if (value === null) return []
  if (!isSafeRedirect(value)) throw refuse('services.client_redirect_uri_invalid')
  return [value]
}
