import { Secret } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { ApiError, type DirectoryClient, type ErrorKey, refuse } from '@sealpost/protocol'
import { awaitGuards, findClientState, patternsFor } from '../../../access/index.ts'
import type { ClientsContext } from '../../context.ts'
import type { ChangeClient, Client, ClientName, RegeneratedSecret } from '../../model.ts'
import { lockClient } from '../../store/clients.ts'
import { deletePendingChange, insertPendingChange } from '../store/pending-changes.ts'
import { pullFromDirectory } from './reconcile.ts'
import { sealForRecovery } from './recovery-copies.ts'
import { announce, applyDirectoryState, removeReplica } from './replica.ts'

export type Changes = Pick<ChangeClient, 'name' | 'serviceId' | 'redirectUris' | 'allowsDetached' | 'ifRev'> &
  Partial<Pick<Client, 'capabilities'>>

interface Refusals {
  /** Makes the refusal for a client that turns out to be deleted. */
  readonly notFound: () => ApiError
}

export interface ChangeHooks extends Refusals {
  /** Runs in the transaction that applies the change. */
  readonly inTransaction?: (tx: Tx) => Promise<void>
}

export interface RegenerationHooks extends Refusals {
  /** Runs in the transaction that applies the change. */
  readonly inTransaction: (tx: Tx, regenerated: RegeneratedSecret) => Promise<void>
}

/** Changes the capabilities, name, service or redirect URIs of a client; answers the changed client. */
export async function changeClient(
  clients: ClientsContext,
  client: Client,
  changes: Changes,
  hooks: ChangeHooks,
): Promise<Client> {
  const begun = await beginChange(clients, client, null, hooks)
  const { capabilities } = changes
  const patterns = capabilities === undefined ? undefined : patternsFor(client.kind, capabilities)
  const { companyId, clientId } = client
  const entry = await askDirectory(clients, client, hooks, () =>
    clients.directory.change({ ...changes, ...begun, companyId, clientId, patterns }),
  )
  return completeChange(clients, client, { ...begun, entry }, hooks)
}

/**
 * [Note: secret and tokens in one step] The directory replaces the secret and ends all older tokens in one transaction,
 * so at no moment is the old secret invalid while its tokens are valid, or the other way round. If the process stops
 * after that step, the owner has not got the new secret: its sealed copy becomes the recovery copy when the pending
 * change is reconciled, and another call makes another secret.
 */
export async function regenerateSecret(
  clients: ClientsContext,
  client: Client,
  hooks: RegenerationHooks,
): Promise<RegeneratedSecret> {
  const { clientId } = client
  const secret = new Secret(clients.ids.clientSecret())
  const asked = await replaceSecret(clients, client, secret, hooks)
  await completeChange(clients, client, asked, {
    notFound: hooks.notFound,
    inTransaction: (tx) => hooks.inTransaction(tx, { clientId, secret }),
  })
  return { clientId, secret }
}

const ATTEMPTS = 10

/**
 * Only on top of the revision known here: an ask that reaches the directory late, after its caller was answered 503,
 * must not replace a secret that was issued since. When the directory has a newer revision, it is applied and asked
 * again.
 */
async function replaceSecret(
  clients: ClientsContext,
  { companyId, clientId }: ClientName,
  secret: Secret<string>,
  hooks: Refusals,
): Promise<AskedChange> {
  const name = { companyId, clientId }
  const sealed = await sealForRecovery(clients, companyId, secret)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const begun = await beginChange(clients, name, sealed, hooks)
    try {
      const entry = await clients.directory.change({ ...begun, ...name, secret, ifRev: begun.least.rev })
      return { changeId: begun.changeId, entry }
    } catch (error) {
      if (!isNotFound(error)) throw error
      await pullFromDirectory(clients, name)
    }
  }
  throw refuse('region.unreachable')
}

/**
 * The directory first: if it is unreachable, nothing has changed. When this resolves, no process accepts a token of it.
 */
export async function deleteClient(clients: ClientsContext, client: Client, hooks: ChangeHooks): Promise<void> {
  const { database, directory } = clients
  await beginChange(clients, client, null, hooks)
  await directory.remove(client)
  const revision = await database.transaction(async (tx) => {
    await hooks.inTransaction?.(tx)
    return removeReplica(clients, tx, client)
  })
  await awaitGuards(database, revision)
}

type BegunChange = Pick<ChangeClient, 'changeId' | 'least'>

interface AskedChange {
  readonly changeId: string
  readonly entry: DirectoryClient
}

async function beginChange(
  { database, clock, ids }: ClientsContext,
  { companyId, clientId }: ClientName,
  sealedSecret: string | null,
  { notFound }: Refusals,
): Promise<BegunChange> {
  const changeId = ids.uuid()
  return database.transaction(async (tx) => {
    const known = await lockClient(tx, { companyId, clientId })
    if (known?.state !== 'live') throw notFound()
    await insertPendingChange(tx, { companyId, clientId, id: changeId, startedAt: clock.now(), sealedSecret })
    const state = await findClientState(tx, clientId)
    return { changeId, least: { rev: known.rev, epoch: state?.epoch ?? 0 } }
  })
}

/**
 * A client that the directory does not have was deleted by a call that stopped halfway: this completes the deletion.
 */
async function askDirectory(
  clients: ClientsContext,
  client: ClientName,
  { notFound }: Refusals,
  ask: () => Promise<DirectoryClient>,
): Promise<DirectoryClient> {
  try {
    return await ask()
  } catch (error) {
    if (!isNotFound(error)) throw error
    await pullFromDirectory(clients, client)
    throw notFound()
  }
}

function isNotFound(error: unknown): boolean {
  const key: ErrorKey = 'services.client_not_found'
  return error instanceof ApiError && error.key === key
}

async function completeChange(
  clients: ClientsContext,
  name: ClientName,
  { changeId, entry }: AskedChange,
  hooks: ChangeHooks,
): Promise<Client> {
  const { database } = clients
  const { changed, revision } = await database.transaction(async (tx) => {
    const before = await lockClient(tx, name)
    // Ended meanwhile, with its service or account: the answer of the directory must not restore it.
    if (before?.state !== 'live') throw hooks.notFound()
    const isApplied = await applyDirectoryState(clients, tx, before, entry)
    const after = (await lockClient(tx, name)) ?? before
    await deletePendingChange(tx, { ...name, id: changeId })
    await hooks.inTransaction?.(tx)
    return { changed: after, revision: isApplied ? await announce(clients, tx, name) : null }
  })
  if (revision !== null) await awaitGuards(database, revision)
  return changed
}
