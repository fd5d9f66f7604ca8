import { createHash } from 'node:crypto'
import { type ConnectionId, instant } from '@sealpost/kernel'
import { type CustomerConnection, type Decision, refuse } from '@sealpost/protocol'
import { type Account, findAccount, holdAccount } from '../../../account/index.ts'
import type { Connection, Customer } from '../connection.ts'
import { findKnown } from '../known.ts'
import type { CustomerNeeds } from '../needs.ts'
import { showConnection } from '../record.ts'
import type { Planned } from '../rules/decisions.ts'
import { missingAtConnect } from '../rules/rows.ts'
import { ANSWERS_MAX_BYTES, INLINE_TOTAL_MAX_BYTES } from '../rules/sealed.ts'
import { findOpenConnection, insertConnection } from '../store/connections.ts'
import { putMapping } from '../store/mappings.ts'
import type { Opening } from '../wire.ts'
import { conclude, type StoreAnswer } from './conclude.ts'
import { learnFacts } from './facts.ts'
import { type MadeFile, makeFile } from './files.ts'
import { demandAudience, type FoundService } from './find-service.ts'
import { answerOf, type Decided, holdSources, judge, mappingOf } from './prepare.ts'
import { alreadyConnected, invalid } from './refusals.ts'

export interface Wish {
  readonly decisions: readonly Decision[]
  /** The connect request that this accepts. */
  readonly requestId: string | null
  /** Names the call, so that its repetition is recognised; null when nothing names it. */
  readonly openedBy: string | null
}

/** How often a value may change between being judged and being held before the caller hears of it. */
const ROUNDS = 5
const LINK_SECONDS = 300

/**
 * [Note: opening a connection] The row is written before the service is asked. If its answer is lost, its tell opens the
 * row; if it refuses, the row goes; if nothing is ever heard, the row is removed after a week. A repeated call asks with
 * an id of its own, and the service answers which connection it has.
 */
export async function connect(
  needs: CustomerNeeds,
  customer: Customer,
  service: FoundService,
  wish: Wish,
  storeAnswer: StoreAnswer,
): Promise<CustomerConnection> {
  demandAudience(service.facts, customer)
  if (service.companyId === customer.accountId) throw invalid('/body/code', 'is a service of your own account')
  const earlier = await findEarlier(needs, customer, service, wish)
  if (earlier !== null) return earlier
  const account = await demandAccount(needs, customer)
  const opening = await writeOpening(needs, account, customer, service, wish)
  const answered = await needs.wire.connect(service, opening)
  const name = { accountId: customer.accountId, id: opening.connectionId }
  return conclude(needs, { customer, service, wish, name }, answered, storeAnswer)
}

/** The mark of a call with an Idempotency-Key: the same for its repetition, and for no other call. */
export function markOf(caller: string, path: string, idempotencyKey: string | null): string | null {
  if (idempotencyKey === null) return null
  return createHash('sha256')
    .update(JSON.stringify([caller, path, idempotencyKey]))
    .digest('hex')
}

/** The connection that an earlier try of this call has made; any other one is in the way. */
async function findEarlier(
  { database }: CustomerNeeds,
  { accountId }: Customer,
  { serviceId }: FoundService,
  { openedBy }: Wish,
): Promise<CustomerConnection | null> {
  const known = await database.read(async (read) => {
    const connection = await findOpenConnection(read, accountId, serviceId)
    return connection === null ? null : findKnown(read, connection)
  })
  if (known === null) return null
  if (openedBy === null || known.connection.openedBy !== openedBy) throw alreadyConnected()
  return showConnection(known)
}

async function demandAccount({ database }: CustomerNeeds, { accountId }: Customer): Promise<KeyedAccount> {
  const account = await database.read((read) => findAccount(read, accountId))
  if (account === null) throw refuse('auth.token_invalid')
  if (account.publicKey === null) {
    throw refuse('keys.not_found', undefined, { sentence: 'Your account has no keys yet: store a key bundle first' })
  }
  return { ...account, publicKey: account.publicKey }
}

type KeyedAccount = Account & { readonly publicKey: string }

async function writeOpening(
  needs: CustomerNeeds,
  account: KeyedAccount,
  customer: Customer,
  service: FoundService,
  wish: Wish,
): Promise<Opening> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const decided = await judge(needs, customer, { rows: service.facts.rows, mappings: [] }, wish.decisions)
    demandEnough(service, customer, decided)
    const files = await offerFiles(needs, service, decided)
    const at = needs.clock.now()
    const connection: Connection = {
      ...customer,
      id: needs.ids.uuid<ConnectionId>(),
      state: 'opening',
      companyId: service.companyId,
      companyRegion: service.companyRegion,
      serviceId: service.serviceId,
      companyPublicKey: service.companyPublicKey,
      servicePublicKey: service.facts.public_key,
      displayName: account.displayName,
      openedBy: wish.openedBy,
      requestId: wish.requestId,
      rev: at,
      createdAt: at,
      connectedAt: null,
    }
    if (await storeOpening(needs, connection, service, decided.planned)) {
      return openingOf(needs, account, connection, decided.planned, files)
    }
  }
  throw new Error('a connection could not be opened: the values it shares kept changing')
}

function demandEnough({ facts }: FoundService, { userType }: Customer, { planned }: Decided): void {
  const missing = missingAtConnect(facts.rows, userType, new Set(planned.map(({ row }) => row.id)))
  if (missing.length > 0) throw refuse('company_connections.mandatory_missing', { slugs: [...missing] })
  const inline = planned.reduce(
    // As it travels: what JSON escapes takes more room there than it has characters.
    (sum, { content }) => sum + (content.from === 'wrapper' ? Buffer.byteLength(JSON.stringify(content.wrapper)) : 0),
    0,
  )
  if (inline > INLINE_TOTAL_MAX_BYTES || answersBytes(planned) > ANSWERS_MAX_BYTES) throw refuse('request.too_large')
}

/** What is said about a file, and about the copy that the service has taken of it: less than this. */
const FILE_BYTES = 512

/** As they will travel, though their files are not made yet. */
function answersBytes(planned: readonly Planned[]): number {
  const number = { rev: Number.MAX_SAFE_INTEGER, at: instant(0) }
  const answers = planned.map((each) => answerOf(each, null, number))
  const files = planned.filter(({ content }) => content.from !== 'wrapper').length
  return Buffer.byteLength(JSON.stringify(answers)) + files * FILE_BYTES
}

interface OfferedFile {
  readonly file: MadeFile
  /** What the service's side calls its copy. */
  readonly copy: string
}

/** One after the other. Our own objects stay garbage: the service has its copies before it is asked. */
async function offerFiles(
  needs: CustomerNeeds,
  service: FoundService,
  { registry, planned }: Decided,
): Promise<ReadonlyMap<string, OfferedFile>> {
  const offered = new Map<string, OfferedFile>()
  for (const each of planned) {
    const file = await makeFile(needs, registry, each)
    if (file === null) continue
    const url = await needs.objects.presignGet(file.objectKey, LINK_SECONDS)
    const copy = await needs.wire.takeFile(service, { url, sha256: file.sha256, bytes: file.bytes })
    if (copy === null) throw refuse('region.unreachable')
    offered.set(each.row.id, { file, copy })
  }
  return offered
}

/** False when a value has changed since it was judged. */
async function storeOpening(
  { database, clock }: CustomerNeeds,
  connection: Connection,
  service: FoundService,
  planned: readonly Planned[],
): Promise<boolean> {
  return database.transaction(async (tx) => {
    if (!(await holdAccount(tx, connection.accountId))) throw refuse('auth.token_invalid')
    if (!(await holdSources(tx, connection, planned))) return false
    await insertConnection(tx, connection)
    for (const each of planned) {
      await putMapping(tx, connection, mappingOf(each, { rev: connection.rev, at: connection.createdAt }))
    }
    await learnFacts(tx, service, service.facts, clock.now())
    return true
  })
}

function openingOf(
  { region }: CustomerNeeds,
  account: KeyedAccount,
  { id: connectionId, displayName, userType, requestId, rev, createdAt: at }: Connection,
  planned: readonly Planned[],
  files: ReadonlyMap<string, OfferedFile>,
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
    answers: planned.map((each) => answerOf(each, files.get(each.row.id)?.file ?? null, { rev, at })),
    files: Object.fromEntries([...files].map(([row, { copy }]) => [row, copy])),
    requestId,
  }
}
