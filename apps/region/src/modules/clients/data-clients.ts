import type { Secret, ServiceId, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { type GrantType, grantTypesOf, refuse } from '@sealpost/protocol'
import { findService, logService } from '../services/index.ts'
import { type SecretShown, showSecret, type StoreAnswer, listOf } from './account-clients.ts'
import { changeClient, deleteClientForGood, regenerateSecret } from './acts/change.ts'
import { createClient } from './acts/create.ts'
import { adopt, removeEverywhere } from './acts/settle.ts'
import { type Actor, recordAct } from './audit.ts'
import type { Client, IssuedClient } from './client.ts'
import { readServiceId } from './names.ts'
import type { ClientsNeeds } from './needs.ts'
import { isSafeRedirect } from './rules/redirect-uri.ts'
import { findClient, findDataClient } from './store/clients.ts'

export interface DataClientShown {
  readonly client_id: string
  readonly grant_types: GrantType[]
  readonly redirect_uri: string | null
}

export interface NewDataClientShown extends DataClientShown {
  readonly client_secret: string | null
}

/** Whose service it must be; a delegate was let into some of them only. */
export interface ServiceReader {
  readonly accountId: UserId
  readonly services: readonly ServiceId[] | null
}

export interface OwnService {
  readonly companyId: UserId
  readonly id: ServiceId
}

export async function locateService(needs: ClientsNeeds, reader: ServiceReader, id: string): Promise<OwnService> {
  const serviceId = readServiceId(id)
  const isOpen = serviceId !== null && (reader.services === null || reader.services.includes(serviceId))
  const service = isOpen ? await needs.database.read((read) => findService(read, reader.accountId, serviceId)) : null
  if (service === null || serviceId === null) throw refuse('services.not_found')
  return { companyId: reader.accountId, id: serviceId }
}

export async function locateDataClient(needs: ClientsNeeds, reader: ServiceReader, id: string): Promise<Client> {
  const service = await locateService(needs, reader, id)
  const client = await needs.database.read((read) => findDataClient(read, service.companyId, service.id))
  if (client === null) throw notFound()
  return client
}

export async function createDataClient(
  needs: ClientsNeeds,
  actor: Actor,
  service: OwnService,
  body: { readonly redirect_uri?: unknown },
  storeAnswer: StoreAnswer<NewDataClientShown>,
): Promise<NewDataClientShown> {
  const redirectUris = readRedirect(body.redirect_uri ?? null)
  const created = await createClient(needs, wishFor(service, redirectUris), {
    async onLive(tx, { client, secret }) {
      await recordClientAct(tx, needs, actor, 'services.create_client', client)
      await storeAnswer(tx, showNew(client, secret))
    },
  })
  return showNew(created.client, created.secret)
}

/** For seeds, with credentials that are known beforehand: putting the same client twice changes nothing. */
export async function putDataClient(needs: ClientsNeeds, service: OwnService, chosen: IssuedClient): Promise<void> {
  const { companyId, id: serviceId } = service
  const name = { companyId, clientId: chosen.clientId }
  const known = await needs.database.read((read) => findClient(read, name))
  if (known?.state === 'live') {
    await adopt(needs, name)
    if ((await needs.database.read((read) => findDataClient(read, companyId, serviceId))) !== null) return
  } else if (known !== null) {
    await removeEverywhere(needs, name)
  }
  await createClient(needs, { ...wishFor(service, []), chosen })
}

export async function changeDataClient(
  needs: ClientsNeeds,
  actor: Actor,
  client: Client,
  body: { readonly redirect_uri?: unknown },
): Promise<DataClientShown> {
  const redirectUris = readRedirect(body.redirect_uri)
  const changed = await changeClient(
    needs,
    client,
    { redirectUris },
    {
      notFound,
      inTransaction: (tx) => recordClientAct(tx, needs, actor, 'services.change_client', client),
    },
  )
  return showDataClient(changed)
}

export async function regenerateDataClientSecret(
  needs: ClientsNeeds,
  actor: Actor,
  client: Client,
  storeAnswer: StoreAnswer<SecretShown>,
): Promise<SecretShown> {
  const secret = await regenerateSecret(needs, client, {
    notFound,
    async inTransaction(tx, changed, fresh) {
      await recordClientAct(tx, needs, actor, 'services.regenerate_client_secret', client)
      await storeAnswer(tx, showSecret(changed, fresh))
    },
  })
  return showSecret(client, secret)
}

export async function deleteDataClient(needs: ClientsNeeds, actor: Actor, client: Client): Promise<void> {
  await deleteClientForGood(needs, client, {
    notFound,
    inTransaction: (tx) => recordClientAct(tx, needs, actor, 'services.delete_client', client),
  })
}

export function showDataClient({ clientId, redirectUris }: Client): DataClientShown {
  return {
    client_id: clientId,
    grant_types: [...grantTypesOf('svc', redirectUris)],
    redirect_uri: redirectUris[0] ?? null,
  }
}

const notFound = () => refuse('services.client_not_found')

const MESSAGES = {
  'services.create_client': 'The data client was registered',
  'services.change_client': 'The redirect URI of the data client was changed',
  'services.regenerate_client_secret': 'The data client has a new secret',
  'services.delete_client': 'The data client was deleted',
} as const

/** Both logs: the company's, of who did what, and that of the service. */
async function recordClientAct(
  tx: Tx,
  needs: Pick<ClientsNeeds, 'clock' | 'ids'>,
  actor: Actor,
  action: keyof typeof MESSAGES,
  client: Client,
): Promise<void> {
  await recordAct(tx, needs, actor, action, client)
  const { companyId, serviceId, clientId } = client
  if (serviceId === null) return
  const metadata = { action, actor_id: actor.actorId, client_id: clientId }
  await logService(tx, needs, { companyId, serviceId }, { type: 'client', message: MESSAGES[action], metadata })
}

function wishFor({ companyId, id: serviceId }: OwnService, redirectUris: readonly string[]) {
  return {
    companyId,
    kind: 'svc',
    serviceId,
    name: 'Data client',
    purpose: null,
    capabilities: [],
    redirectUris,
    isConfidential: true,
  } as const
}

function readRedirect(value: unknown): readonly string[] {
  if (value !== null && !isSafeRedirect(value)) throw refuse('services.client_redirect_uri_invalid')
  return listOf(value)
}

function showNew(client: Client, secret: Secret<string> | null): NewDataClientShown {
  return { ...showDataClient(client), client_secret: secret?.reveal() ?? null }
}
