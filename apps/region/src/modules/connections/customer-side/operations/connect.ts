import type { ConnectionId } from '@sealpost/kernel'
import { type CustomerConnection, type Decision, refuse } from '@sealpost/protocol'
import { type Account, findAccount, lockAccountForShare } from '../../../account/index.ts'
import type { CustomerContext, DeviceApproval } from '../context.ts'
import type { Connection, Customer, FoundService, MadeFile, Opening } from '../model.ts'
import type { Planned } from '../rules/decisions.ts'
import { alreadyConnected, invalid } from '../rules/refusals.ts'
import { mappingOf } from '../rules/remap.ts'
import { missingAtConnect } from '../rules/rows.ts'
import { findOpenConnection, insertConnection } from '../store/connections.ts'
import { putMapping } from '../store/mappings.ts'
import { answerToWire, connectionToWire } from '../wire.ts'
import { completeConnect } from './complete-connect.ts'
import { requireAudience } from './find-service.ts'
import { learnFacts } from './learn-facts.ts'
import { makeFile } from './make-file.ts'
import { lockSources, type PreparedDecisions, prepareDecisions } from './prepare-decisions.ts'
import { findKnown } from './read-connections.ts'

export interface ConnectInput {
  readonly decisions: readonly Decision[]
  readonly deviceRecord: string | null
  /** The connect request that the call accepts. */
  readonly requestId: string | null
  /** Identifies the call, so that a repetition is recognised; null without an Idempotency-Key. */
  readonly openedBy: string | null
  readonly sessionId: string
  readonly approval: DeviceApproval | null
  /** The front door has verified a second factor for this consent. */
  readonly isConfirmed?: boolean
}

/** Each attempt validates again; it fails when a value changed before the transaction locked it. */
const ATTEMPTS = 5
const LINK_SECONDS = 300

/**
 * [Note: opening a connection] The row is written as `opening` before the service is asked. A lost reply is made up by the
 * service's tell, which opens the row; a refusal deletes it; if neither arrives, it is removed after a week. A repeated
 * call asks with a new id, and the service replies with the connection that it has.
 */
export async function connect(
  context: CustomerContext,
  customer: Customer,
  service: FoundService,
  input: ConnectInput,
): Promise<CustomerConnection> {
  requireAudience(service.facts, customer)
  if (service.companyId === customer.accountId) throw invalid('/body/code', 'is a service of your own account')
  const earlier = await findEarlier(context, customer, service, input)
  if (earlier !== null) return earlier
  await requireSecondFactor(context, customer, service, input)
  const account = await requireAccount(context, customer)
  const opening = await writeOpening(context, account, customer, service, input)
  const reply = await context.messages.askToConnect(service, opening)
  const name = { accountId: customer.accountId, id: opening.connectionId }
  return completeConnect(context, { customer, service, input, name }, reply)
}

/** The connection that an earlier attempt of the same call made; any other connection is a refusal. */
async function findEarlier(
  { database }: CustomerContext,
  { accountId }: Customer,
  { serviceId }: FoundService,
  { openedBy }: ConnectInput,
): Promise<CustomerConnection | null> {
  const known = await database.read(async (read) => {
    const connection = await findOpenConnection(read, accountId, serviceId)
    return connection === null ? null : findKnown(read, connection)
  })
  if (known === null) return null
  if (openedBy === null || known.connection.openedBy !== openedBy) throw alreadyConnected()
  return connectionToWire(known)
}

/** Only persons prove one: what acts for a company was let in by its portal. */
async function requireSecondFactor(
  { secondFactor }: CustomerContext,
  { accountId, userType }: Customer,
  { facts }: FoundService,
  { sessionId, approval, isConfirmed = false }: ConnectInput,
): Promise<void> {
  if (facts.require_2fa !== true || userType !== 'person' || isConfirmed) return
  if (await secondFactor.ofSession(accountId, sessionId)) return
  const isApproved = approval !== null && (await secondFactor.byDevice(accountId, approval))
  if (!isApproved) throw refuse('services.second_factor_required')
}

async function requireAccount({ database }: CustomerContext, { accountId }: Customer): Promise<KeyedAccount> {
  const account = await database.read((read) => findAccount(read, accountId))
  if (account === null) throw refuse('auth.token_invalid')
  if (account.publicKey === null) {
    throw refuse('keys.not_found', undefined, { sentence: 'Your account has no keys yet: store a key bundle first' })
  }
  return { ...account, publicKey: account.publicKey }
}

type KeyedAccount = Account & { readonly publicKey: string }

async function writeOpening(
  context: CustomerContext,
  account: KeyedAccount,
  customer: Customer,
  service: FoundService,
  input: ConnectInput,
): Promise<Opening> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const decided = await prepareDecisions(
      context,
      customer,
      { rows: service.facts.rows, mappings: [] },
      input.decisions,
    )
    requireComplete(service, customer, decided)
    const files = await offerFiles(context, service, decided)
    const at = context.clock.now()
    const connection: Connection = {
      ...customer,
      id: context.ids.uuid<ConnectionId>(),
      state: 'opening',
      companyId: service.companyId,
      companyRegion: service.companyRegion,
      serviceId: service.serviceId,
      companyPublicKey: service.companyPublicKey,
      servicePublicKey: service.facts.public_key,
      displayName: account.displayName,
      openedBy: input.openedBy,
      requestId: input.requestId,
      deviceRecord: input.deviceRecord,
      rev: at,
      createdAt: at,
      connectedAt: null,
    }
    if (await storeOpening(context, connection, service, decided.planned)) {
      return openingOf(context, account, connection, decided.planned, files)
    }
  }
  throw new Error(`connect to service ${service.serviceId}: values changed during each of ${ATTEMPTS} attempts`)
}

function requireComplete({ facts }: FoundService, { userType }: Customer, { planned }: PreparedDecisions): void {
  const missing = missingAtConnect(facts.rows, userType, new Set(planned.map(({ row }) => row.id)))
  if (missing.length > 0) throw refuse('company_connections.mandatory_missing', { slugs: [...missing] })
}

interface CopiedFile {
  readonly file: MadeFile
  /** The service side's name of its copy. */
  readonly copy: string
}

/** One file at a time. The objects here stay garbage: the service copies them before it is asked to connect. */
async function offerFiles(
  context: CustomerContext,
  service: FoundService,
  { registry, planned }: PreparedDecisions,
): Promise<ReadonlyMap<string, CopiedFile>> {
  const offered = new Map<string, CopiedFile>()
  for (const each of planned) {
    const file = await makeFile(context, registry, each)
    if (file === null) continue
    const url = await context.objects.presignGet(file.objectKey, LINK_SECONDS)
    const copy = await context.messages.askToTakeFile(service, { url, sha256: file.sha256, bytes: file.bytes })
    if (copy === null) throw refuse('region.unreachable')
    offered.set(each.row.id, { file, copy })
  }
  return offered
}

/** False when a value changed since validation. */
async function storeOpening(
  context: CustomerContext,
  connection: Connection,
  service: FoundService,
  planned: readonly Planned[],
): Promise<boolean> {
  return context.database.transaction(async (tx) => {
    if (!(await lockAccountForShare(tx, connection.accountId))) throw refuse('auth.token_invalid')
    if (!(await lockSources(tx, connection, planned))) return false
    await insertConnection(tx, connection)
    for (const each of planned) {
      await putMapping(tx, connection, mappingOf(each, { rev: connection.rev, at: connection.createdAt }, null))
    }
    await learnFacts(context, tx, service, service.facts)
    return true
  })
}

function openingOf(
  { region }: CustomerContext,
  account: KeyedAccount,
  { id: connectionId, displayName, userType, requestId, rev, createdAt: at }: Connection,
  planned: readonly Planned[],
  files: ReadonlyMap<string, CopiedFile>,
): Opening {
  const { id, shareCode, publicKey } = account
  return {
    connectionId,
    customer: {
      user_id: id,
      user_type: userType,
      region,
      share_code: shareCode,
      display_name: displayName,
      public_key: publicKey,
    },
    answers: planned.map((each) => answerToWire(each, files.get(each.row.id)?.file ?? null, { rev, at })),
    files: Object.fromEntries([...files].map(([row, { copy }]) => [row, copy])),
    requestId,
  }
}
