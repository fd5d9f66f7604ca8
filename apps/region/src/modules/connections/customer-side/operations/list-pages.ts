import type { ListAnswer } from '@sealpost/http'
import type { ConnectionId, UserId } from '@sealpost/kernel'
import type { Consent, CustomerConnection, PageQueryText, ReceivedConnectRequest } from '@sealpost/protocol'
import { listBatches, listPage, type Page, type Slice } from '../../../../platform/page.ts'
import type { CustomerContext, RecordDocuments } from '../context.ts'
import type { KnownConnection } from '../model.ts'
import { countConnections } from '../store/customers.ts'
import { listRequests } from '../store/requests.ts'
import { connectionToWire, consentToWire, requestToWire } from '../wire.ts'
import { listKnown } from './read-connections.ts'

const connections = {
  name: 'connections',
  member: 'connections',
  idOf: ({ known }: ListedConnection) => known.connection.id,
  toWire: ({ known, documents }: ListedConnection) => connectionToWire(known, documents),
} as const

/** Records per read. */
const RECORDS_AT_ONCE = 100

interface ListedConnection {
  readonly known: KnownConnection
  readonly documents: RecordDocuments
}

export function listConnectionPage(
  { database, hooks }: CustomerContext,
  accountId: UserId,
  query: PageQueryText,
): Promise<ListAnswer<Page<CustomerConnection, 'connections'>>> {
  return listBatches(
    connections,
    query,
    (slice: Slice<ConnectionId>) =>
      database.read(async (read) => {
        const limit = Math.min(slice.limit, RECORDS_AT_ONCE)
        const found = await listKnown(read, accountId, { ...slice, limit: limit + 1 })
        const wanted = found.slice(0, limit)
        const documents = await hooks.listDocuments(
          read,
          accountId,
          wanted.map(({ connection }) => connection),
        )
        const rows = wanted.flatMap((known) => {
          const ofRecord = documents.get(known.connection.id)
          return ofRecord === undefined ? [] : [{ known, documents: ofRecord }]
        })
        return { rows, next: rows.length < found.length ? (rows.at(-1)?.known.connection.id ?? null) : null }
      }),
    () => database.read((read) => countConnections(read, accountId)),
  )
}

const consents = {
  name: 'consents',
  member: 'consents',
  idOf: ({ id }: Consent) => id,
  toWire: (consent: Consent) => consent,
} as const

/** Connections per read in the scan for pending consents. */
const SCANNED_AT_ONCE = 200

export function listConsentPage(
  context: CustomerContext,
  accountId: UserId,
  query: PageQueryText,
): Promise<ListAnswer<Page<Consent, 'consents'>>> {
  return listPage(consents, query, (slice: Slice<ConnectionId>) => findConsents(context, accountId, slice))
}

/** Scans until it has the consents of the slice. */
async function findConsents(
  { database }: CustomerContext,
  accountId: UserId,
  { after: start, offset, limit }: Slice<ConnectionId>,
): Promise<readonly Consent[]> {
  const found: Consent[] = []
  let after = start
  let skipped = 0
  for (;;) {
    const from = { after, offset: 0, limit: SCANNED_AT_ONCE }
    const known = await database.read((read) => listKnown(read, accountId, from))
    for (const consent of known.flatMap((each) => consentToWire(each) ?? [])) {
      if (skipped < offset) skipped += 1
      else if (found.length < limit) found.push(consent)
    }
    after = known.at(-1)?.connection.id ?? null
    if (after === null || known.length < SCANNED_AT_ONCE || found.length === limit) return found
  }
}

const requests = {
  name: 'requests',
  member: 'connect_requests',
  idOf: ({ id }: ReceivedConnectRequest) => id,
  toWire: (request: ReceivedConnectRequest) => request,
} as const

export function listRequestPage(
  { database, clock }: CustomerContext,
  accountId: UserId,
  query: PageQueryText,
): Promise<ListAnswer<Page<ReceivedConnectRequest, 'connect_requests'>>> {
  return listPage(requests, query, async (slice) => {
    const found = await database.read((read) => listRequests(read, accountId, { ...slice, now: clock.now() }))
    return found.map(requestToWire)
  })
}
