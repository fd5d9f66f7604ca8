import { Secret } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { ApiError, type DirectoryClient, type ErrorKey, refuse } from '@sealpost/protocol'
import { awaitGuards, findClientState, patternsFor } from '../../access/index.ts'
import type { Client, ClientName } from '../client.ts'
import type { ChangeClient } from '../directory.ts'
import type { ClientsNeeds } from '../needs.ts'
import { sealForRecovery } from '../recovery.ts'
import { deleteAct, insertAct, lockClient } from '../store/clients.ts'
import { announce, removeReplica, takeOver } from './replica.ts'
import { adopt } from './settle.ts'

export type Changes = Pick<ChangeClient, 'name' | 'serviceId' | 'redirectUris' | 'ifRev'> &
  Partial<Pick<Client, 'capabilities'>>

/** `notFound` makes the refusal for a client that turns out to be gone. */
export interface Beside {
  readonly notFound: () => ApiError
  readonly inTransaction?: (tx: Tx, client: Client) => Promise<void>
}

export interface BesideSecret extends Pick<Beside, 'notFound'> {
  readonly inTransaction: (tx: Tx, client: Client, secret: Secret<string>) => Promise<void>
}

/** Changes what a client may do and where it is returned to; answers the client as it is then. */
export async function changeClient(
  needs: ClientsNeeds,
  client: Client,
  changes: Changes,
  beside: Beside,
): Promise<Client> {
  const act = await beginAct(needs, client, null, beside)
  const { capabilities } = changes
  const patterns = capabilities === undefined ? undefined : patternsFor(client.kind, capabilities)
  const { companyId, clientId } = client
  const shown = await atDirectory(needs, client, beside, () =>
    needs.directory.change({ ...changes, ...act, companyId, clientId, patterns }),
  )
  return finish(needs, client, { ...act, shown }, beside)
}

/**
 * [Note: one act for secret and tokens] The directory replaces the secret and ends all older tokens in one step, so
 * there is no moment at which the old secret is dead and its tokens live on, or the other way round. Cut off after that
 * step, the owner has not seen the new secret: its sealed copy is kept when the act is settled, and another call makes
 * another secret.
 */
export async function regenerateSecret(
  needs: ClientsNeeds,
  client: Client,
  beside: BesideSecret,
): Promise<Secret<string>> {
  const secret = new Secret(needs.ids.clientSecret())
  const done = await replaceSecret(needs, client, secret, beside)
  const inTransaction = (tx: Tx, changed: Client): Promise<void> => beside.inTransaction(tx, changed, secret)
  await finish(needs, client, done, { notFound: beside.notFound, inTransaction })
  return secret
}

const TRIES = 10

/**
 * Only on top of what is known here: an ask that the directory comes to late, when its asker was long told that nothing
 * happened, must not end the secret that somebody was shown since. Whoever was overtaken catches up and asks anew.
 */
async function replaceSecret(
  needs: ClientsNeeds,
  { companyId, clientId }: ClientName,
  secret: Secret<string>,
  beside: Pick<Beside, 'notFound'>,
): Promise<{ readonly actId: string; readonly shown: DirectoryClient }> {
  const name = { companyId, clientId }
  const sealed = await sealForRecovery(needs, companyId, secret)
  for (let tries = 0; tries < TRIES; tries += 1) {
    const act = await beginAct(needs, name, sealed, beside)
    try {
      const shown = await needs.directory.change({ ...act, ...name, secret, ifRev: act.least.rev })
      return { actId: act.actId, shown }
    } catch (error) {
      if (!isGone(error)) throw error
      await adopt(needs, name)
    }
  }
  throw refuse('region.unreachable')
}

/** The directory first: away, nothing has happened; and when this resolves, no process accepts a token of the client. */
export async function deleteClientForGood(needs: ClientsNeeds, client: Client, beside: Beside): Promise<void> {
  const { database, directory } = needs
  await beginAct(needs, client, null, beside)
  await directory.remove(client)
  const revision = await database.transaction(async (tx) => {
    await beside.inTransaction?.(tx, client)
    return removeReplica(tx, needs, client)
  })
  await awaitGuards(database, revision)
}

type BegunAct = Pick<ChangeClient, 'actId' | 'least'>

async function beginAct(
  { database, clock, ids }: ClientsNeeds,
  { companyId, clientId }: ClientName,
  sealedSecret: string | null,
  { notFound }: Pick<Beside, 'notFound'>,
): Promise<BegunAct> {
  const id = ids.uuid()
  return database.transaction(async (tx) => {
    const known = await lockClient(tx, { companyId, clientId })
    if (known?.state !== 'live') throw notFound()
    await insertAct(tx, { companyId, clientId, id, since: clock.now(), sealedSecret })
    const state = await findClientState(tx, clientId)
    return { actId: id, least: { rev: known.rev, epoch: state?.epoch ?? 0 } }
  })
}

/** Gone at the directory means gone: a deletion was cut off, and this finishes it. */
async function atDirectory(
  needs: ClientsNeeds,
  client: ClientName,
  { notFound }: Pick<Beside, 'notFound'>,
  act: () => Promise<DirectoryClient>,
): Promise<DirectoryClient> {
  try {
    return await act()
  } catch (error) {
    if (!isGone(error)) throw error
    await adopt(needs, client)
    throw notFound()
  }
}

function isGone(error: unknown): boolean {
  const gone: ErrorKey = 'services.client_not_found'
  return error instanceof ApiError && error.key === gone
}

async function finish(
  needs: ClientsNeeds,
  name: ClientName,
  { actId, shown }: { readonly actId: string; readonly shown: DirectoryClient },
  beside: Beside,
): Promise<Client> {
  const { database } = needs
  const { changed, revision } = await database.transaction(async (tx) => {
    const before = await lockClient(tx, name)
    // Ended meanwhile, with its service or account: what the directory answered must not bring it back.
    if (before?.state !== 'live') throw beside.notFound()
    const isTaken = await takeOver(tx, needs, before, shown)
    const after = (await lockClient(tx, name)) ?? before
    await deleteAct(tx, { ...name, id: actId })
    await beside.inTransaction?.(tx, after)
    return { changed: after, revision: isTaken ? await announce(tx, needs, name) : null }
  })
  if (revision !== null) await awaitGuards(database, revision)
  return changed
}
