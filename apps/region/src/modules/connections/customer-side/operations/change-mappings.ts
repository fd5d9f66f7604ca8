import { createHash } from 'node:crypto'
import type { Tx } from '@sealpost/postgres'
import { type CustomerConnection, type Decision, refuse } from '@sealpost/protocol'
import { lockAccountForShare } from '../../../account/index.ts'
import { keepObject } from '../../../vault/index.ts'
import type { CustomerContext } from '../context.ts'
import type { ConnectionName, KnownConnection, MadeFile } from '../model.ts'
import { type Planned, withdrawnRows } from '../rules/decisions.ts'
import { connectionNotFound } from '../rules/refusals.ts'
import { type Cause, isRepeated, mappingOf, planConsent, planRemap, type Remap } from '../rules/remap.ts'
import { rowsFor } from '../rules/rows.ts'
import { lockConnection, setDeviceRecord, takeRevs } from '../store/connections.ts'
import { deleteMappings, putMapping } from '../store/mappings.ts'
import { answerToWire, connectionToWire, withdrawalToWire } from '../wire.ts'
import { hintAnswers } from './append-events.ts'
import { makeFile } from './make-file.ts'
import { lockSources, prepareDecisions } from './prepare-decisions.ts'
import { findKnown, requireKnown } from './read-connections.ts'
import { type OutgoingChange, tellChanges } from './tell-changes.ts'

/** Each attempt validates again; it fails when the connection or a value changed before the transaction locked it. */
const ATTEMPTS = 5

export interface MappingChanges {
  readonly decisions: readonly Decision[]
  /** Replaces the present one; it stays when this is left out. */
  readonly device_record?: string
}

/** See [Note: what a re-map changes]. */
export function changeMappings(
  context: CustomerContext,
  name: ConnectionName,
  changes: MappingChanges,
): Promise<CustomerConnection> {
  return change(context, name, changes, {
    digests: new Map(),
    plan({ connection, card, mappings }, planned) {
      // A row that no longer asks this customer is not required to stay.
      const rows = rowsFor(card.facts.rows, connection.userType)
      const remap = planRemap(rows, mappings, planned, withdrawnRows(changes.decisions))
      if (remap.missing.length > 0) throw refuse('company_connections.mandatory_missing', { slugs: [...remap.missing] })
      return remap
    },
  })
}

/** See [Note: a consent is answered once]. */
export function provideConsent(
  context: CustomerContext,
  name: ConnectionName,
  changes: MappingChanges,
): Promise<CustomerConnection> {
  const digests = digestsOf(changes.decisions)
  return change(context, name, changes, {
    digests,
    plan({ mappings }, planned) {
      const consent = planConsent(mappings, planned)
      if (consent.answered.length > 0)
        throw refuse('company_connections.consent_answered', { slugs: [...consent.answered] })
      return consent
    },
  })
}

/** By row, of decisions as they were sent. */
function digestsOf(decisions: readonly Decision[]): ReadonlyMap<string, string> {
  const withdrawn = withdrawnRows(decisions)
  const given = decisions.filter(({ request_field_id: id }) => !withdrawn.has(id))
  return new Map(given.map((decision) => [decision.request_field_id, sha256(JSON.stringify(decision))]))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

interface Plan {
  /** Of the decisions by which a repeated call is recognized. */
  readonly digests: ReadonlyMap<string, string>
  readonly plan: (known: KnownConnection, planned: readonly Planned[]) => Remap
}

/** Files are stored before the transaction that refers to them. */
async function change(
  context: CustomerContext,
  name: ConnectionName,
  changes: MappingChanges,
  { digests, plan }: Plan,
): Promise<CustomerConnection> {
  const { decisions, device_record: deviceRecord = null } = changes
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const known = await requireKnown(context, name)
    const { connection, card, mappings } = known
    if (isRepeated(mappings, digests)) return connectionToWire(known)
    const asked = { rows: card.facts.rows, mappings }
    const { registry, planned } = await prepareDecisions(context, connection, asked, decisions)
    const remap = plan(known, planned)
    const sets: FiledSet[] = []
    for (const set of remap.sets) sets.push({ ...set, file: await makeFile(context, registry, set.planned) })
    const isDone = await context.database.transaction((tx) =>
      apply(context, tx, known, { ...remap, sets, deviceRecord, digests }, planned),
    )
    if (isDone) return connectionToWire(await requireKnown(context, name))
  }
  throw new Error(`connection ${name.id}: its values changed during each of ${ATTEMPTS} attempts`)
}

interface FiledSet {
  readonly planned: Planned
  readonly cause: Cause
  readonly file: MadeFile | null
}

interface Applied extends Pick<Remap, 'withdrawals'> {
  readonly sets: readonly FiledSet[]
  readonly deviceRecord: string | null
  readonly digests: ReadonlyMap<string, string>
}

/** False when the connection, the card or a value changed since validation. */
async function apply(
  context: CustomerContext,
  tx: Tx,
  { connection, card }: KnownConnection,
  { sets, withdrawals, deviceRecord, digests }: Applied,
  planned: readonly Planned[],
): Promise<boolean> {
  // The account first, as its deletion does: see the lock order in README.md.
  if (!(await lockAccountForShare(tx, connection.accountId))) throw refuse('auth.token_invalid')
  if (!(await lockSources(tx, connection, planned))) return false
  const locked = await lockConnection(tx, connection)
  if (locked === null) throw connectionNotFound()
  const present = await findKnown(tx, connection)
  if (present === null) throw connectionNotFound()
  if (locked.rev !== connection.rev || present.card.rev !== card.rev) return false
  if (deviceRecord !== null) await setDeviceRecord(tx, locked, deviceRecord)
  const count = sets.length + withdrawals.length
  if (count === 0) return true
  const at = context.clock.now()
  let rev = (await takeRevs(tx, locked, count, at)) - count
  const withdrawn = withdrawals.map(({ requestFieldId: id }) => ({ id, rev: (rev += 1) }))
  const numbered = sets.map((set) => ({ ...set, number: { rev: (rev += 1), at } }))
  await deleteMappings(
    tx,
    locked,
    withdrawn.map(({ id }) => id),
  )
  for (const { planned: each, number } of numbered)
    await putMapping(tx, locked, mappingOf(each, number, digests.get(each.row.id) ?? null))
  const changes: readonly OutgoingChange[] = [
    ...withdrawn.map((row): OutgoingChange => ({ change: withdrawalToWire(row.id, row.rev, at), file: null })),
    ...numbered.map(({ planned: each, cause, file, number }): OutgoingChange => {
      return { change: { act: 'set', cause, answer: answerToWire(each, file, number) }, file }
    }),
  ]
  for (const { file } of sets) if (file !== null) await keepObject(tx, file.objectKey)
  await tellChanges(context, tx, locked, changes)
  await hintAnswers(context, tx, connection)
  return true
}
