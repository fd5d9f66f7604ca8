import { isDeepStrictEqual } from 'node:util'
import { listOf, membersOf, waitUntil } from '@sealpost/testkit'
import { bindingsOf, primaryOf, userOf } from './cast.ts'
import { type Json, mustSucceed } from './doors/door.ts'
import { Mismatch } from './mismatch.ts'
import { definitionAsRead, type Running } from './play.ts'
import { type ModelCopy, privateSlugs } from './reference.ts'
import type { LaneCustomer } from './site.ts'
import { arrivedAtCustomer, revAtOwner } from './stored-rows.ts'
import type { ModelUser } from './user.ts'

const ARRIVAL_MS = 30_000

/** The company's view of the run must be the model's. */
export async function checkOwnerView(play: Running, given?: Json): Promise<void> {
  const view = given ?? mustSucceed(await play.door.owner(play.lane.service).read(play.runId))
  const { connectionId } = primaryOf(play.cast, play.flow)
  compare('the run of the owner', view, {
    ...expectedRun(play),
    connection_id: connectionId,
    participants: participantsOf(play, ({ connectionId: own }) => own),
    tag_values: tagEntry(play, 'company'),
    source_files: sourcesOf(play, play.cast.company),
  })
  compare('its number', { rev: await revAtOwner(play) }, { rev: play.state.rev })
  await checkAnswers(play, play.cast.company, view)
}

/** The customer's, as soon as its region has heard of the present state. */
export async function checkCustomerView(play: Running, customer: LaneCustomer, given?: Json): Promise<void> {
  const { userId, region } = customer.account
  if (given === undefined)
    await waitUntil(`${userId} has heard of state ${play.state.rev} of run ${play.runId}`, ARRIVAL_MS, async () => {
      const arrived = await arrivedAtCustomer(play, { userId, region })
      // The reply to an own act may be here before the messages about earlier turns, which bring their answers.
      return arrived?.rev === play.state.rev && arrived.answers === play.state.answers.length
    })
  const view = given ?? mustSucceed(await play.door.customer(customer).read(play.runId))
  compare('the run of a customer', view, {
    ...expectedRun(play),
    connection_id: customer.connectionId,
    participants: participantsOf(play, (one) => (one === customer ? one.connectionId : null)),
    tag_values: tagEntry(play, userId),
    source_files: sourcesOf(play, customer.user),
  })
  await checkAnswers(play, customer.user, view)
}

/** The members that all readers see alike. */
function expectedRun({ flow, flowId, runId, definition, cast, lane, state, start, today }: Running): Json {
  return {
    id: runId,
    flow_id: flowId,
    flow_version: 1,
    service_id: lane.service.serviceId,
    company_user_id: cast.company.userId,
    bindings: bindingsOf(cast, flow),
    status: state.status,
    current_node: state.node,
    output_mode: flow.output_mode,
    parties: flow.parties.map(({ key, label }) => ({ key, label })),
    definition: definitionAsRead(definition),
    reference_date: today,
    private_slugs: privateSlugs(state),
    owner_tag_values: start.ownerTagValues,
    cancelled_by: state.cancelledBy,
    cancel_reason: state.cancelReason,
    data_deleted_at: null,
  }
}

function participantsOf(
  { flow, cast, state }: Running,
  connectionOf: (customer: LaneCustomer) => string | null,
): readonly Json[] {
  const documentsOf = (party: string) => inLine(state.copies.filter((copy) => copy.party === party))
  const parties = flow.parties.toSorted(
    (one, other) => firstPlace(documentsOf(one.key)) - firstPlace(documentsOf(other.key)),
  )
  return parties.map(({ key }) => {
    const customer = cast.customers.get(key)
    return {
      party_key: key,
      person_user_id: userOf(cast, key).userId,
      connection_id: customer === undefined ? null : connectionOf(customer),
      documents: documentsOf(key).map(copyToWire),
    }
  })
}

/** Copies without a place come last, in the order in which they were made. */
function inLine(copies: readonly ModelCopy[]): readonly ModelCopy[] {
  return copies.toSorted((one, other) => placeOf(one) - placeOf(other))
}

const LAST = Number.MAX_SAFE_INTEGER

function placeOf({ position }: ModelCopy): number {
  return position ?? LAST
}

function firstPlace([first]: readonly ModelCopy[]): number {
  return first === undefined ? LAST : placeOf(first)
}

function copyToWire({ documentId, outputKey, name, position, action, status, actedAt }: ModelCopy): Json {
  const done = action === 'sign' ? 'signed' : 'accepted'
  return {
    output_key: outputKey,
    name,
    document_id: documentId,
    document_status: status,
    requires_signature: action === 'sign',
    requires_acceptance: action === 'accept',
    position,
    action: actedAt === null ? null : done,
    acted_at: actedAt,
  }
}

function tagEntry({ start }: Running, recipient: string): Json | null {
  const entry = start.tagValues?.[recipient]
  return entry === undefined ? null : { public: entry.public, public_tags: entry.public_tags, private: entry.private }
}

function sourcesOf({ start }: Running, { userId }: ModelUser): Json {
  const own = start.sources.filter(({ for_user_id }) => for_user_id === userId)
  return Object.fromEntries(own.map(({ source_key, file }) => [source_key, file]))
}

/** The reader's own copy of every answer, in the clear the same for all; nothing of another reader. */
async function checkAnswers({ state, reader }: Running, user: ModelUser, view: Json): Promise<void> {
  const answers = listOf(view['answers'])
  const slugs = answers.map(({ slug }) => String(slug)).toSorted()
  compare('its answers', { slugs }, { slugs: state.answers.map(({ slug }) => slug).toSorted() })
  for (const { slug, for_user_id, value } of answers) {
    if (for_user_id !== user.userId) throw new Mismatch(`${String(slug)} is a copy for ${String(for_user_id)}`)
    const known = state.answers.find((one) => one.slug === slug)
    if (known?.isFile !== true) {
      const text = await reader.open(user, String(value))
      if (text !== known?.text) throw new Mismatch(`${String(slug)} opens to ${text}, not ${known?.text}`)
    } else if (handleIn(value) === null) throw new Mismatch(`${String(slug)} names no file: ${String(value)}`)
  }
}

/** The handle in the value of a file answer. */
export function handleIn(value: unknown): string | null {
  const parsed: unknown = typeof value === 'string' && value.startsWith('{"_enc_file"') ? JSON.parse(value) : null
  const { _enc_file: file } = membersOf(parsed)
  return typeof file === 'string' ? file : null
}

/** Only the members that are expected. */
export function compare(what: string, given: Json, expected: Json): void {
  for (const [member, wanted] of Object.entries(expected)) {
    const found = given[member]
    if (isDeepStrictEqual(plain(found), plain(wanted))) continue
    throw new Mismatch(`${what}: ${member} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`)
  }
}

/** As JSON carries it: without undefined members and prototypes. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
