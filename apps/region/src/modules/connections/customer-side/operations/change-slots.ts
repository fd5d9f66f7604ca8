import { formatInstant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { type CustomerConnection, type Decision, refuse, type SlotChange } from '@sealpost/protocol'
import { holdAccount } from '../../../account/index.ts'
import { keepObject } from '../../../vault/index.ts'
import type { ConnectionName, KnownConnection } from '../connection.ts'
import { findKnown } from '../known.ts'
import type { CustomerNeeds } from '../needs.ts'
import { showConnection } from '../record.ts'
import type { Planned } from '../rules/decisions.ts'
import { type Cause, isAnswered, planConsent, planRemap, type Remap } from '../rules/remap.ts'
import { pendingRows, rowsFor } from '../rules/rows.ts'
import { lockConnection, takeRevs } from '../store/connections.ts'
import { deleteMappings, putMapping } from '../store/mappings.ts'
import { type MadeFile, makeFile } from './files.ts'
import { answerOf, holdSources, judge, mappingOf, requestFieldId } from './prepare.ts'
import { connectionNotFound, invalid } from './refusals.ts'
import { showDrop, tellChanges, type Told } from './tell-changes.ts'

/** How often a connection or value may change between being judged and being held before the caller hears of it. */
const ROUNDS = 5

/** See [Note: what a re-map replaces]. */
export function changeMappings(
  needs: CustomerNeeds,
  name: ConnectionName,
  decisions: readonly Decision[],
): Promise<CustomerConnection> {
  return change(needs, name, decisions, ({ connection, card, mappings }, planned) => {
    // What is not asked of this customer any more can be named by no decision, so it need not stay.
    const remap = planRemap(rowsFor(card.facts.rows, connection.userType), mappings, planned)
    if (remap.missing.length > 0) throw refuse('company_connections.mandatory_missing', { slugs: [...remap.missing] })
    return remap
  })
}

export function provideConsent(
  needs: CustomerNeeds,
  name: ConnectionName,
  decisions: readonly Decision[],
): Promise<CustomerConnection> {
  return change(needs, name, decisions, ({ mappings }, planned) => planConsent(mappings, planned))
}

type Plan = (known: KnownConnection, planned: readonly Planned[]) => Remap

/** Files are stored before the transaction that names them; what it finds changed since it was judged is judged again. */
async function change(
  needs: CustomerNeeds,
  name: ConnectionName,
  decisions: readonly Decision[],
  plan: Plan,
): Promise<CustomerConnection> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const known = await demandKnown(needs, name)
    const { connection, card, mappings } = known
    const { registry, planned } = await judge(needs, connection, { rows: card.facts.rows, mappings }, decisions)
    const remap = plan(known, planned)
    const sets: FiledSet[] = []
    for (const set of remap.sets) sets.push({ ...set, file: await makeFile(needs, registry, set.planned) })
    const isDone = await needs.database.transaction((tx) => apply(needs, tx, known, { ...remap, sets }, planned))
    if (isDone) return showConnection(await demandKnown(needs, name))
  }
  throw new Error('a connection could not be changed: what it shares kept changing')
}

interface FiledSet {
  readonly planned: Planned
  readonly cause: Cause
  readonly file: MadeFile | null
}

/** False when something is not what it was when it was judged. */
async function apply(
  needs: CustomerNeeds,
  tx: Tx,
  { connection, card }: KnownConnection,
  { sets, drops }: { readonly sets: readonly FiledSet[]; readonly drops: Remap['drops'] },
  planned: readonly Planned[],
): Promise<boolean> {
  // Before anything of it, as an erasure does.
  if (!(await holdAccount(tx, connection.accountId))) throw refuse('auth.token_invalid')
  if (!(await holdSources(tx, connection, planned))) return false
  const held = await lockConnection(tx, connection)
  if (held === null) throw connectionNotFound()
  const present = await findKnown(tx, connection)
  if (present === null) throw connectionNotFound()
  if (held.rev !== connection.rev || present.card.rev !== card.rev) return false
  const count = sets.length + drops.length
  if (count === 0) return true
  const at = needs.clock.now()
  let rev = (await takeRevs(tx, held, count, at)) - count
  const dropped = drops.map(({ requestFieldId: id }) => ({ id, rev: (rev += 1) }))
  const numbered = sets.map((set) => ({ ...set, number: { rev: (rev += 1), at } }))
  await deleteMappings(
    tx,
    held,
    dropped.map(({ id }) => id),
  )
  for (const { planned: each, number } of numbered) await putMapping(tx, held, mappingOf(each, number))
  const changes: readonly Told[] = [
    ...dropped.map((drop): Told => ({ change: showDrop(drop.id, drop.rev, formatInstant(at)), file: null })),
    ...numbered.map(({ planned: each, cause, file, number }): Told => {
      return { change: { act: 'set', cause, answer: answerOf(each, file, number) }, file }
    }),
  ]
  for (const { file } of sets) if (file !== null) await keepObject(tx, file.objectKey)
  await tellChanges(needs, tx, held, changes)
  return true
}

/** `rows`: which ones; all that are pending when it is null. Declined ones stay declined. */
export async function declineConsent(
  needs: CustomerNeeds,
  name: ConnectionName,
  rows: readonly string[] | null,
): Promise<CustomerConnection> {
  await needs.database.transaction(async (tx) => {
    const held = await lockConnection(tx, name)
    const known = held === null ? null : await findKnown(tx, name)
    if (held === null || known === null) throw connectionNotFound()
    const declined = chooseDeclined(known, rows)
    if (declined.length === 0) return
    const at = needs.clock.now()
    let rev = (await takeRevs(tx, held, declined.length, at)) - declined.length
    const numbered = declined.map((id) => ({ id, rev: (rev += 1) }))
    for (const row of numbered) {
      await putMapping(tx, held, { state: 'declined', requestFieldId: row.id, rev: row.rev, providedAt: at })
    }
    const changes = numbered.map(({ id, rev: number }): SlotChange => {
      return { act: 'decline', request_field_id: id, rev: number, at: formatInstant(at) }
    })
    await needs.wire.tellSlots(tx, held, changes)
  })
  return showConnection(await demandKnown(needs, name))
}

function chooseDeclined({ connection, card, mappings }: KnownConnection, rows: readonly string[] | null) {
  const pending = pendingRows(card.facts.rows, connection.userType, mappings)
  if (rows === null) return pending.map(requestFieldId)
  const answered = new Set<string>(mappings.filter(isAnswered).map(({ requestFieldId: id }) => id))
  const known = new Set(rowsFor(card.facts.rows, connection.userType).map(({ id }) => id))
  for (const [index, id] of rows.entries()) {
    const place = `/body/request_field_ids/${index}`
    if (!known.has(id)) throw invalid(place, 'is not a field that this service asks of you')
    if (answered.has(id)) throw invalid(place, 'is provided already: withdraw it with a re-map')
  }
  return pending.filter(({ id }) => rows.includes(id)).map(requestFieldId)
}

export async function demandKnown({ database }: CustomerNeeds, name: ConnectionName): Promise<KnownConnection> {
  const known = await database.read((read) => findKnown(read, name))
  if (known === null) throw connectionNotFound()
  return known
}
