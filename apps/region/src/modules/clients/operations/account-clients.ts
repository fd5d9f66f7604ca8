import type { ListAnswer } from '@sealpost/http'
import type { UserId } from '@sealpost/kernel'
import { type PageQueryText, refuse } from '@sealpost/protocol'
import { listPage, type Page } from '../../../platform/page.ts'
import { findAccount } from '../../account/index.ts'
import type { ClientsContext } from '../context.ts'
import { type Actor, type Client, type CreatedClient, parseClientName, type RegeneratedSecret } from '../model.ts'
import { changeClient, createClient, deleteClient, regenerateSecret } from '../pending-changes/index.ts'
import {
  isManaged,
  validateAccountClient,
  validateCapabilities,
  type WantedAccountClient,
} from '../rules/account-client.ts'
import { countClients, findClient, listClients } from '../store/clients.ts'
import { accountClientToWire, newAccountClientToWire, secretToWire } from '../wire.ts'
import { auditClient } from './audit.ts'

/** Another company's client is refused like an unknown id. */
export async function locateAccountClient(
  { database }: ClientsContext,
  companyId: UserId,
  id: string,
): Promise<Client> {
  const name = parseClientName(companyId, id)
  const found = name === null ? null : await database.read((read) => findClient(read, name, 'acct'))
  if (found?.state !== 'live') throw notFound()
  return found
}

export async function createAccountClient(
  clients: ClientsContext,
  actor: Actor,
  body: Parameters<typeof validateAccountClient>[0],
): Promise<CreatedClient> {
  const validated = validateAccountClient(body)
  if (!validated.ok) throw refuse(validated.refusal)
  return createValidated(clients, actor, validated.value)
}

/** For the operator: clients of a reserved purpose, which their owner may only list and delete. */
export async function createManagedClient(
  clients: ClientsContext,
  companyId: UserId,
  body: Parameters<typeof validateAccountClient>[0],
): Promise<CreatedClient> {
  const owner = await clients.database.read((read) => findAccount(read, companyId))
  if (owner?.userType !== 'company') throw new Error(`no company ${companyId} lives here: run this in its home region`)
  const validated = validateAccountClient(body, true)
  if (!validated.ok) throw refuse(validated.refusal)
  return createValidated(clients, { companyId, actorId: 'operator' }, validated.value)
}

function createValidated(
  clients: ClientsContext,
  actor: Actor,
  { redirectUri, ...wanted }: WantedAccountClient,
): Promise<CreatedClient> {
  const { companyId } = actor
  const facts = {
    ...wanted,
    companyId,
    kind: 'acct',
    serviceId: null,
    redirectUris: uriList(redirectUri),
    isConfidential: true,
    allowsDetached: false,
  } as const
  return createClient(clients, facts, {
    async onLive(tx, created) {
      await auditClient(clients, tx, actor, 'account_clients.create', created.client)
      await tx.storeAnswer(newAccountClientToWire(created))
    },
  })
}

const accountClients = { name: 'account-clients', idOf: ({ id }: Client) => id, toWire: accountClientToWire }

/** Live clients, oldest first. */
export function listAccountClients(
  { database }: ClientsContext,
  companyId: UserId,
  query: PageQueryText,
): Promise<ListAnswer<Page<ReturnType<typeof accountClientToWire>>>> {
  return listPage(
    accountClients,
    query,
    (slice) => database.read((read) => listClients(read, companyId, 'acct', slice)),
    () => database.read((read) => countClients(read, companyId, 'acct')),
  )
}

export async function changeAccountClient(
  clients: ClientsContext,
  actor: Actor,
  client: Client,
  body: Parameters<typeof validateCapabilities>[0],
): Promise<Client> {
  const validated = validateCapabilities(body)
  if (!validated.ok) throw refuse(validated.refusal)
  refuseManaged(client)
  const { capabilities, redirectUri } = validated.value
  const redirectUris = redirectUri === undefined ? undefined : uriList(redirectUri)
  return changeClient(
    clients,
    client,
    { capabilities, redirectUris },
    {
      notFound,
      inTransaction: (tx) => auditClient(clients, tx, actor, 'account_clients.change_capabilities', client),
    },
  )
}

export async function regenerateAccountClientSecret(
  clients: ClientsContext,
  actor: Actor,
  client: Client,
): Promise<RegeneratedSecret> {
  refuseManaged(client)
  return regenerateSecret(clients, client, {
    notFound,
    async inTransaction(tx, regenerated) {
      await auditClient(clients, tx, actor, 'account_clients.regenerate_secret', client)
      await tx.storeAnswer(secretToWire(regenerated))
    },
  })
}

export async function deleteAccountClient(clients: ClientsContext, actor: Actor, client: Client): Promise<void> {
  await deleteClient(clients, client, {
    notFound,
    inTransaction: (tx) => auditClient(clients, tx, actor, 'account_clients.delete', client),
  })
}

function uriList(redirectUri: string | null): readonly string[] {
  return redirectUri === null ? [] : [redirectUri]
}

function refuseManaged(client: Client): void {
  if (isManaged(client)) throw refuse('account_clients.purpose_managed')
}

const notFound = () => refuse('account_clients.not_found')
