import { formatInstant, type RequestFieldId } from '@sealpost/kernel'
import type { CustomerConnection, SlotChange } from '@sealpost/protocol'
import type { CustomerContext } from '../context.ts'
import type { ConnectionName, KnownConnection } from '../model.ts'
import { connectionNotFound, invalid } from '../rules/refusals.ts'
import { isAnswered } from '../rules/remap.ts'
import { pendingRows, rowIdOf, rowsFor } from '../rules/rows.ts'
import { lockConnection, takeRevs } from '../store/connections.ts'
import { putMapping } from '../store/mappings.ts'
import { connectionToWire } from '../wire.ts'
import { hintAnswers } from './append-events.ts'
import { findKnown, requireKnown } from './read-connections.ts'

/** `rows`: the ids of the rows to decline; null for all pending ones. Rows declined before stay declined. */
export async function declineConsent(
  context: CustomerContext,
  name: ConnectionName,
  rows: readonly string[] | null,
): Promise<CustomerConnection> {
  await context.database.transaction(async (tx) => {
    const locked = await lockConnection(tx, name)
    const known = locked === null ? null : await findKnown(tx, name)
    if (locked === null || known === null) throw connectionNotFound()
    const declined = chooseDeclined(known, rows)
    if (declined.length === 0) return
    const at = context.clock.now()
    const first = (await takeRevs(tx, locked, declined.length, at)) - declined.length + 1
    for (const [index, id] of declined.entries()) {
      await putMapping(tx, locked, { state: 'declined', requestFieldId: id, rev: first + index, providedAt: at })
    }
    const changes = declined.map((id, index): SlotChange => {
      return { act: 'decline', request_field_id: id, rev: first + index, at: formatInstant(at) }
    })
    await context.messages.tellSlots(tx, locked, changes)
    await hintAnswers(context, tx, known.connection)
  })
  return connectionToWire(await requireKnown(context, name))
}

function chooseDeclined(
  { connection, card, mappings }: KnownConnection,
  rows: readonly string[] | null,
): readonly RequestFieldId[] {
  const pending = pendingRows(card.facts.rows, connection.userType, mappings)
  if (rows === null) return pending.map(rowIdOf)
  const answered = new Set<string>(mappings.filter(isAnswered).map(({ requestFieldId: id }) => id))
  const known = new Set(rowsFor(card.facts.rows, connection.userType).map(({ id }) => id))
  for (const [index, id] of rows.entries()) {
    const place = `/body/request_field_ids/${index}`
    if (!known.has(id)) throw invalid(place, 'is not a field that this service asks of you')
    if (answered.has(id)) throw invalid(place, 'is provided already: withdraw it with a re-map')
  }
  return pending.filter(({ id }) => rows.includes(id)).map(rowIdOf)
}
