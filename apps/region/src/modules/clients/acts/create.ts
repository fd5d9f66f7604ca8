import { type ClientId, type ClientKind, instant, Secret, type ServiceId, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { ApiError, type Capability, type DirectoryClient, refuse } from '@sealpost/protocol'
import { awaitGuards, patternsFor } from '../../access/index.ts'
import { holdAccount } from '../../account/index.ts'
import type { Client, ClientName, IssuedClient } from '../client.ts'
import type { NewSecret } from '../directory.ts'
import type { ClientsNeeds } from '../needs.ts'
import { sealForRecovery } from '../recovery.ts'
import {
  deleteAct,
  deleteClient,
  findClient,
  findDataClient,
  hasActSince,
  insertAct,
  insertClient,
  isPurposeTaken,
  lockClient,
  setState,
  takePurpose,
} from '../store/clients.ts'
import { announce, takeOver } from './replica.ts'
import { BUSY_MS, removeEverywhere } from './settle.ts'

export interface ClientWish {
  readonly companyId: UserId
  readonly kind: ClientKind
  readonly serviceId: ServiceId | null
  readonly name: string
  readonly purpose: string | null
  readonly capabilities: readonly Capability[]
  readonly redirectUris: readonly string[]
  readonly isConfidential: boolean
  /** For seeds; made up otherwise. */
  readonly chosen?: IssuedClient | undefined
}

/** What else happens in the two transactions of a creation. */
export interface Company {
  /** With the row that nobody sees yet. */
  readonly onBegun?: (tx: Tx, name: ClientName) => Promise<void>
  /** With the client's coming to life: what is answered, and the line in the audit log. */
  readonly onLive?: (tx: Tx, created: Created) => Promise<void>
}

export interface Created {
  readonly client: Client
  /** Null for a public app. */
  readonly secret: Secret<string> | null
}

/**
 * [Note: a client comes to life] The region writes it down first, seen by nobody; then the directory takes it in; then
 * it becomes live here, in one transaction with its patterns, the copy of its secret and the answer. Cut off before the
 * last step there is no client: nobody was told of it, and the rest is tidied up (settle.ts). Each attempt has an id of
 * its own, so that two of them can never mix their secrets.
 */
export async function createClient(needs: ClientsNeeds, wish: ClientWish, beside: Company = {}): Promise<Created> {
  const attempt = await begin(needs, wish, beside)
  const shown = await putOrAbandon(needs, attempt)
  const { created, revision } = await comeToLife(needs, attempt, shown, beside)
  await awaitGuards(needs.database, revision)
  return created
}

interface Attempt {
  readonly client: Client
  readonly actId: string
  readonly secret: Secret<string> | null
}

async function begin(needs: ClientsNeeds, wish: ClientWish, beside: Company): Promise<Attempt> {
  const { database, clock, ids } = needs
  const { chosen, ...facts } = wish
  const actId = ids.uuid()
  const secret = wish.isConfidential ? (chosen?.secret ?? new Secret(ids.clientSecret())) : null
  const sealedSecret = secret === null ? null : await sealForRecovery(needs, wish.companyId, secret)
  const clientId = chosen?.clientId ?? ids.clientId(wish.kind)
  const client: Client = { ...facts, id: ids.uuid(), clientId, rev: 0, state: 'begun', createdAt: clock.now() }
  await database.transaction(async (tx) => {
    if (!(await holdAccount(tx, wish.companyId))) throw refuse('auth.token_invalid')
    await refuseSecond(tx, client)
    await insertClient(tx, client)
    await insertAct(tx, { companyId: wish.companyId, clientId, id: actId, since: clock.now(), sealedSecret })
    await beside.onBegun?.(tx, client)
  })
  return { client, actId, secret }
}

/** Known before anything is asked; what slips through here is decided when the client comes to life. */
async function refuseSecond(tx: Tx, { companyId, serviceId, kind, purpose }: Client): Promise<void> {
  if (purpose !== null && (await isPurposeTaken(tx, companyId, purpose))) throw refuse('account_clients.purpose_taken')
  if (kind !== 'svc' || serviceId === null) return
  if ((await findDataClient(tx, companyId, serviceId)) !== null) throw refuse('services.client_exists')
}

async function putOrAbandon(needs: ClientsNeeds, attempt: Attempt): Promise<DirectoryClient> {
  try {
    return await put(needs, attempt)
  } catch (error) {
    await abandon(needs, attempt.client, isRefusal(error))
    throw error
  }
}

/** A data client that stands in the way is somebody's, or what is left of an attempt that nobody works on any more. */
async function put(needs: ClientsNeeds, attempt: Attempt): Promise<DirectoryClient> {
  try {
    return await needs.directory.put(putOf(attempt))
  } catch (error) {
    const isHeld = error instanceof ApiError && error.key === 'services.client_exists'
    const { serviceId } = attempt.client
    if (!isHeld || serviceId === null) throw error
    const holder = await needs.directory.findOfService(serviceId)
    if (holder !== null) await clearAway(needs, attempt.client.companyId, holder)
    return needs.directory.put(putOf(attempt))
  }
}

async function clearAway(needs: ClientsNeeds, companyId: UserId, holder: DirectoryClient): Promise<void> {
  const { database, clock } = needs
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the directory's own id, which parsed there
  const name = { companyId, clientId: holder.client_id as ClientId }
  if (holder.user_id !== companyId) throw refuse('services.client_exists')
  const known = await database.read((read) => findClient(read, name))
  if (known?.state === 'live') throw refuse('services.client_exists')
  const busySince = instant(clock.now() - BUSY_MS)
  const isBusy = known?.state === 'begun' && (await database.read((read) => hasActSince(read, name, busySince)))
  if (isBusy) throw refuse('idempotency.in_progress')
  await removeEverywhere(needs, name)
}

function putOf({ client, actId, secret }: Attempt) {
  const sent: NewSecret | null = secret === null ? null : { id: actId, value: secret }
  return { ...client, patterns: patternsFor(client.kind, client.capabilities), secret: sent }
}

async function comeToLife(
  needs: ClientsNeeds,
  { client, actId, secret }: Attempt,
  shown: DirectoryClient,
  beside: Company,
): Promise<{ readonly created: Created; readonly revision: number }> {
  const { database } = needs
  const outcome = await database.transaction(async (tx) => {
    const begun = await lockClient(tx, client)
    if (begun?.state !== 'begun') return 'idempotency.in_progress'
    if (client.purpose !== null && !(await takePurpose(tx, client, client.purpose)))
      return 'account_clients.purpose_taken'
    await setState(tx, client, 'live')
    const isTaken = await takeOver(tx, needs, begun, shown)
    if (!isTaken) throw new Error('the directory answered a new client with an old revision')
    await deleteAct(tx, { ...client, id: actId })
    const created = { client: { ...begun, state: 'live', rev: shown.rev } as const, secret }
    await beside.onLive?.(tx, created)
    return { created, revision: await announce(tx, needs, client) }
  })
  if (typeof outcome === 'object') return outcome
  // Somebody was faster. What the directory has of this attempt goes, at once or a little later.
  await abandon(needs, client, false)
  throw refuse(outcome)
}

/** The attempt says that it will do no more; `isRefused` when the directory is known to have nothing of it. */
async function abandon({ database, ids }: ClientsNeeds, client: Client, isRefused: boolean): Promise<void> {
  const { companyId, clientId } = client
  await database.transaction(async (tx) => {
    if (isRefused) return deleteClient(tx, client)
    const known = await lockClient(tx, client)
    if (known === null) return
    await setState(tx, client, 'ending')
    await insertAct(tx, { companyId, clientId, id: ids.uuid(), since: instant(0), sealedSecret: null })
  })
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500
}
