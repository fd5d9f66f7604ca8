import { isDeepStrictEqual } from 'node:util'
import type { Instant, RequestFieldId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { AskedRow, ServiceFacts } from '@sealpost/protocol'
import type { ServiceAddress, ServiceCard } from '../connection.ts'
import { endCard, findCard, insertCard, lockCard, updateCard } from '../store/cards.ts'
import { insertFanOut } from '../store/fan-outs.ts'
import { deleteRequestsOfService } from '../store/requests.ts'
import { requestFieldId } from './prepare.ts'

/**
 * Keeps what is newest about a service, whoever brought it: an answer or a tell. What the customers here have to learn of
 * it is written down with it, so that it is done once however often the same facts come.
 */
export async function learnFacts(tx: Tx, address: ServiceAddress, facts: ServiceFacts, at: Instant): Promise<void> {
  const known = await findCard(tx, address.serviceId)
  if (known === null) {
    const fresh = { ...address, rev: facts.rev, facts, rowsAt: at, isEnded: false }
    if (await insertCard(tx, fresh)) return
  }
  // Most of the time nothing is new, and all who connect to a service would queue for its row.
  if (known !== null && isOld(known, address, facts)) return
  const held = await lockCard(tx, address.serviceId)
  if (held !== null && !isOld(held, address, facts)) await replaceFacts(tx, held, facts, at)
}

/** The tell: only a region that already stands behind the card may change it. */
export async function hearFacts(tx: Tx, address: ServiceAddress, facts: ServiceFacts, at: Instant): Promise<void> {
  if ((await findCard(tx, address.serviceId)) !== null) await learnFacts(tx, address, facts, at)
}

/** Every connection of the service is over. Reads hide them at once; the rows go some hundreds at a time. */
export async function hearServiceEnded(tx: Tx, address: ServiceAddress): Promise<void> {
  await deleteRequestsOfService(tx, address)
  const card = await endCard(tx, address)
  if (card === null) return
  const { serviceId, rev } = card
  await insertFanOut(tx, { serviceId, rev, kind: 'end', isCardChanged: false, newRows: [], goneRows: [] })
}

function isOld(known: ServiceCard, { companyId, companyRegion }: ServiceAddress, { rev }: ServiceFacts): boolean {
  const isStranger = known.companyId !== companyId || known.companyRegion !== companyRegion
  return known.isEnded || isStranger || known.rev >= rev
}

async function replaceFacts(
  tx: Tx,
  { serviceId, ...known }: ServiceCard,
  facts: ServiceFacts,
  at: Instant,
): Promise<void> {
  const newRows = missingFrom(known.facts.rows, facts.rows)
  const goneRows = missingFrom(facts.rows, known.facts.rows)
  const isCardChanged = !isDeepStrictEqual(shownOf(known.facts), shownOf(facts))
  await updateCard(tx, serviceId, { rev: facts.rev, facts, rowsAt: newRows.length > 0 ? at : known.rowsAt })
  if (!isCardChanged && newRows.length === 0 && goneRows.length === 0) return
  await insertFanOut(tx, { serviceId, rev: facts.rev, kind: 'facts', isCardChanged, newRows, goneRows })
}

function missingFrom(known: readonly AskedRow[], rows: readonly AskedRow[]): readonly RequestFieldId[] {
  const ids = new Set(known.map(({ id }) => id))
  return rows.filter(({ id }) => !ids.has(id)).map(requestFieldId)
}

function shownOf({ card, photo_ids: photoIds }: ServiceFacts) {
  return { card, photoIds }
}
