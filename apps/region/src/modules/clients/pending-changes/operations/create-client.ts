import { type ClientId, instant, Secret, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { ApiError, type DirectoryClient, refuse } from '@sealpost/protocol'
import { awaitGuards, patternsFor } from '../../../access/index.ts'
import { lockAccountForShare } from '../../../account/index.ts'
import type { ClientsContext } from '../../context.ts'
import type { Client, ClientName, CreatedClient, IssuedClient, PutClient } from '../../model.ts'
import {
  deleteClientRow,
  findClient,
  findDataClient,
  insertClient,
  isPurposeTaken,
  lockClient,
  setState,
  takePurpose,
} from '../../store/clients.ts'
import { deletePendingChange, hasStartedAfter, insertPendingChange } from '../store/pending-changes.ts'
import { IN_PROGRESS_MS, removeEverywhere } from './reconcile.ts'
import { sealForRecovery } from './recovery-copies.ts'
import { announce, applyDirectoryState } from './replica.ts'

export interface WantedClient extends Omit<Client, 'id' | 'clientId' | 'rev' | 'state' | 'createdAt'> {
  /** For seeds; random otherwise. */
  readonly chosen?: IssuedClient | undefined
}

/** Work in the two transactions of a creation. */
export interface CreationHooks {
  /** Runs where the row is inserted, which no route answers yet. */
  readonly onBegun?: (tx: Tx, name: ClientName) => Promise<void>
  /** Runs where the client becomes live: stores the answer and the audit entry. */
  readonly onLive?: (tx: Tx, created: CreatedClient) => Promise<void>
}

/**
 * [Note: creation of a client] The region inserts a row that no route answers; the directory takes the client; then it
 * becomes live here, in one transaction with its patterns, the recovery copy of its secret and the stored answer. A
 * creation that stops before the last step leaves no client: nothing was answered, and `reconcile.ts` removes the rest.
 * Each attempt has a client id of its own, so two attempts never mix their secrets.
 */
export async function createClient(
  clients: ClientsContext,
  wanted: WantedClient,
  hooks: CreationHooks = {},
): Promise<CreatedClient> {
  const attempt = await begin(clients, wanted, hooks)
  const entry = await putOrAbandon(clients, attempt)
  const { created, revision } = await makeLive(clients, attempt, entry, hooks)
  await awaitGuards(clients.database, revision)
  return created
}

interface Attempt {
  readonly client: Client
  readonly changeId: string
  readonly secret: Secret<string> | null
}

async function begin(clients: ClientsContext, wanted: WantedClient, hooks: CreationHooks): Promise<Attempt> {
  const { database, clock, ids } = clients
  const { chosen, ...facts } = wanted
  const { companyId } = wanted
  const changeId = ids.uuid()
  const secret = wanted.isConfidential ? (chosen?.secret ?? new Secret(ids.clientSecret())) : null
  const sealedSecret = secret === null ? null : await sealForRecovery(clients, companyId, secret)
  const clientId = chosen?.clientId ?? ids.clientId(wanted.kind)
  const client: Client = { ...facts, id: ids.uuid(), clientId, rev: 0, state: 'begun', createdAt: clock.now() }
  await database.transaction(async (tx) => {
    if (!(await lockAccountForShare(tx, companyId))) throw refuse('auth.token_invalid')
    await refuseDuplicate(tx, client)
    await insertClient(tx, client)
    await insertPendingChange(tx, { companyId, clientId, id: changeId, startedAt: clock.now(), sealedSecret })
    await hooks.onBegun?.(tx, client)
  })
  return { client, changeId, secret }
}

/** An early refusal; concurrent creations are decided when one becomes live. */
async function refuseDuplicate(tx: Tx, { companyId, serviceId, kind, purpose }: Client): Promise<void> {
  if (purpose !== null && (await isPurposeTaken(tx, companyId, purpose))) throw refuse('account_clients.purpose_taken')
  if (kind !== 'svc' || serviceId === null) return
  if ((await findDataClient(tx, companyId, serviceId)) !== null) throw refuse('services.client_exists')
}

async function putOrAbandon(clients: ClientsContext, attempt: Attempt): Promise<DirectoryClient> {
  try {
    return await put(clients, attempt)
  } catch (error) {
    await abandon(clients, attempt.client, isRefusal(error))
    throw error
  }
}

/**
 * When the service has a data client at the directory, it is either a live one or the rest of an attempt that stopped.
 */
async function put(clients: ClientsContext, attempt: Attempt): Promise<DirectoryClient> {
  const { directory } = clients
  try {
    return await directory.put(putOf(attempt))
  } catch (error) {
    const isRefused = error instanceof ApiError && error.key === 'services.client_exists'
    const { serviceId, companyId } = attempt.client
    if (!isRefused || serviceId === null) throw error
    const holder = await directory.findOfService(serviceId)
    if (holder !== null) await removeStopped(clients, companyId, holder)
    return directory.put(putOf(attempt))
  }
}

async function removeStopped(clients: ClientsContext, companyId: UserId, holder: DirectoryClient): Promise<void> {
  const { database, clock } = clients
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the directory's own id, which parsed there
  const name = { companyId, clientId: holder.client_id as ClientId }
  if (holder.user_id !== companyId) throw refuse('services.client_exists')
  const known = await database.read((read) => findClient(read, name))
  if (known?.state === 'live') throw refuse('services.client_exists')
  const since = instant(clock.now() - IN_PROGRESS_MS)
  const isInProgress = known?.state === 'begun' && (await database.read((read) => hasStartedAfter(read, name, since)))
  if (isInProgress) throw refuse('idempotency.in_progress')
  await removeEverywhere(clients, name)
}

function putOf({ client, changeId, secret }: Attempt): PutClient {
  return {
    ...client,
    patterns: patternsFor(client.kind, client.capabilities),
    secret: secret === null ? null : { id: changeId, value: secret },
  }
}

async function makeLive(
  clients: ClientsContext,
  { client, changeId, secret }: Attempt,
  entry: DirectoryClient,
  hooks: CreationHooks,
): Promise<{ readonly created: CreatedClient; readonly revision: number }> {
  const outcome = await clients.database.transaction(async (tx) => {
    const begun = await lockClient(tx, client)
    if (begun?.state !== 'begun') return 'idempotency.in_progress'
    if (client.purpose !== null && !(await takePurpose(tx, client, client.purpose)))
      return 'account_clients.purpose_taken'
    await setState(tx, client, 'live')
    const isApplied = await applyDirectoryState(clients, tx, begun, entry)
    if (!isApplied) throw new Error('the directory answered a new client with an old revision')
    await deletePendingChange(tx, { ...client, id: changeId })
    const created = { client: { ...begun, state: 'live', rev: entry.rev } as const, secret }
    await hooks.onLive?.(tx, created)
    return { created, revision: await announce(clients, tx, client) }
  })
  if (typeof outcome === 'object') return outcome
  // A concurrent call won. The entry of this attempt at the directory is removed with the next reconciliation.
  await abandon(clients, client, false)
  throw refuse(outcome)
}

/** Gives the attempt up. `isRefused`: the directory has no entry of it, so the row is deleted at once. */
async function abandon({ database, ids }: ClientsContext, client: Client, isRefused: boolean): Promise<void> {
  const { companyId, clientId } = client
  await database.transaction(async (tx) => {
    if (isRefused) return deleteClientRow(tx, client)
    if ((await lockClient(tx, client)) === null) return
    await setState(tx, client, 'ending')
    await insertPendingChange(tx, { companyId, clientId, id: ids.uuid(), startedAt: instant(0), sealedSecret: null })
  })
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500
}
