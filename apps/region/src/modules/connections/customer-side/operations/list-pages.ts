import type { ConnectionId, UserId } from '@sealpost/kernel'
import type { Consent, CustomerConnection, PageQueryText, ReceivedConnectRequest } from '@sealpost/protocol'
import { pageOf, readSlice, type Slice } from '../../../../platform/page.ts'
import type { CustomerContext } from '../context.ts'
import { countConnections } from '../store/customers.ts'
import { listRequests } from '../store/requests.ts'
import { connectionToWire, consentToWire, requestToWire } from '../wire.ts'
import { listKnown } from './read-connections.ts'

const CONNECTIONS = 'connections'
const CONSENTS = 'consents'
const REQUESTS = 'requests'

/** Rows that are in wire form already. */
function listOf<Item extends { readonly id: string }>(name: string) {
  return { name, idOf: ({ id }: Item) => id, toWire: (item: Item) => item }
}

interface Paged {
  readonly total: number
  readonly next_cursor: string | null
}

export async function listConnectionPage(
  { database }: CustomerContext,
  accountId: UserId,
  query: PageQueryText,
): Promise<Paged & { readonly connections: CustomerConnection[] }> {
  const slice = readSlice<ConnectionId>(query, CONNECTIONS)
  const { known, total } = await database.read(async (read) => ({
    known: await listKnown(read, accountId, { ...slice, limit: slice.limit + 1 }),
    total: await countConnections(read, accountId),
  }))
  const { items, next_cursor } = pageOf(listOf<CustomerConnection>(CONNECTIONS), slice, known.map(connectionToWire))
  return { connections: items, total, next_cursor }
}

/** Connections per read in the scan for pending consents. */
const SCANNED_AT_ONCE = 200

export async function listConsentPage(
  context: CustomerContext,
  accountId: UserId,
  query: PageQueryText,
): Promise<Paged & { readonly consents: Consent[] }> {
  const slice = readSlice<ConnectionId>(query, CONSENTS)
  const found = await findConsents(context, accountId, slice)
  const { items, ...page } = pageOf(listOf<Consent>(CONSENTS), slice, found.slice(slice.offset))
  return { consents: items, ...page }
}

/** Scans until it has one consent more than the slice. */
async function findConsents(
  { database }: CustomerContext,
  accountId: UserId,
  { after: start, offset, limit }: Slice<ConnectionId>,
): Promise<readonly Consent[]> {
  const found: Consent[] = []
  let after = start
  for (;;) {
    const from = { after, offset: 0, limit: SCANNED_AT_ONCE }
    const known = await database.read((read) => listKnown(read, accountId, from))
    found.push(...known.flatMap((each) => consentToWire(each) ?? []))
    after = known.at(-1)?.connection.id ?? null
    if (after === null || known.length < SCANNED_AT_ONCE || found.length > offset + limit) return found
  }
}

export async function listRequestPage(
  { database, clock }: CustomerContext,
  accountId: UserId,
  query: PageQueryText,
): Promise<Paged & { readonly connect_requests: ReceivedConnectRequest[] }> {
  const slice = readSlice(query, REQUESTS)
  const more = { ...slice, limit: slice.limit + 1, now: clock.now() }
  const found = await database.read((read) => listRequests(read, accountId, more))
  const { items, ...page } = pageOf(listOf<ReceivedConnectRequest>(REQUESTS), slice, found.map(requestToWire))
  return { connect_requests: items, ...page }
}
