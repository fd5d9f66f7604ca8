import { isDeepStrictEqual } from 'node:util'
import type { RequestFieldId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { AskedRow, ServiceFacts } from '@sealpost/protocol'
import type { CustomerContext } from '../context.ts'
import type { ServiceAddress, ServiceCard } from '../model.ts'
import { rowIdOf } from '../rules/rows.ts'
import { endCard, findCard, insertCard, lockCard, updateCard } from '../store/cards.ts'
import { deleteRequestsOfService } from '../store/requests.ts'
import { enqueueFanOut } from './fan-outs.ts'

type FactsContext = Pick<CustomerContext, 'clock' | 'jobs'>

/**
 * Stores the newest facts of a service, from a reply or a tell. The same transaction writes the fan-out to the customers
 * here, so that repeated facts are applied once.
 */
export async function learnFacts(
  context: FactsContext,
  tx: Tx,
  address: ServiceAddress,
  facts: ServiceFacts,
): Promise<void> {
  const at = context.clock.now()
  const known = await findCard(tx, address.serviceId)
  if (known === null) {
    const fresh = { ...address, rev: facts.rev, facts, rowsAt: at, isEnded: false }
    if (await insertCard(tx, fresh)) return
  }
  // Checked without a lock first: facts are rarely new, and concurrent connects would queue for the row.
  if (known !== null && isOld(known, address, facts)) return
  const locked = await lockCard(tx, address.serviceId)
  if (locked !== null && !isOld(locked, address, facts)) await replaceFacts(context, tx, locked, facts)
}

/** Handles the tell: it changes a known card only, and only the region named in the card may do so. */
export async function hearFacts(
  context: FactsContext,
  tx: Tx,
  address: ServiceAddress,
  facts: ServiceFacts,
): Promise<void> {
  if ((await findCard(tx, address.serviceId)) !== null) await learnFacts(context, tx, address, facts)
}

/** Ends all connections of the service. Reads hide them at once; the fan-out deletes the rows. */
export async function hearServiceEnded(
  context: Pick<CustomerContext, 'clock' | 'jobs' | 'hooks'>,
  tx: Tx,
  address: ServiceAddress,
): Promise<void> {
  await deleteRequestsOfService(tx, address)
  const card = await endCard(tx, address)
  if (card === null) return
  const { serviceId } = card
  await context.hooks.onServiceEnded(tx, serviceId)
  await enqueueFanOut(context, tx, { serviceId, kind: 'end', isCardChanged: false, newRows: [], goneRows: [] })
}

function isOld(known: ServiceCard, { companyId, companyRegion }: ServiceAddress, { rev }: ServiceFacts): boolean {
  const isOtherSender = known.companyId !== companyId || known.companyRegion !== companyRegion
  return known.isEnded || isOtherSender || known.rev >= rev
}

async function replaceFacts(
  context: FactsContext,
  tx: Tx,
  { serviceId, ...known }: ServiceCard,
  facts: ServiceFacts,
): Promise<void> {
  const newRows = missingFrom(known.facts.rows, facts.rows)
  const goneRows = missingFrom(facts.rows, known.facts.rows)
  const isCardChanged = !isDeepStrictEqual(cardOf(known.facts), cardOf(facts))
  await updateCard(tx, serviceId, {
    rev: facts.rev,
    facts,
    rowsAt: newRows.length > 0 ? context.clock.now() : known.rowsAt,
  })
  if (!isCardChanged && newRows.length === 0 && goneRows.length === 0) return
  await enqueueFanOut(context, tx, { serviceId, kind: 'facts', isCardChanged, newRows, goneRows })
}

function missingFrom(known: readonly AskedRow[], rows: readonly AskedRow[]): readonly RequestFieldId[] {
  const ids = new Set(known.map(({ id }) => id))
  return rows.filter(({ id }) => !ids.has(id)).map(rowIdOf)
}

function cardOf({ card, photo_ids: photoIds }: ServiceFacts) {
  return { card, photoIds }
}
