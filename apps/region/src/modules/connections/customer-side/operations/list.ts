import type { ConnectionId, UserId } from '@sealpost/kernel'
import { formatInstant } from '@sealpost/kernel'
import type { Consent, CustomerConnection, PageQueryText, ReceivedConnectRequest } from '@sealpost/protocol'
import { listKnown } from '../known.ts'
import type { CustomerNeeds } from '../needs.ts'
import { pageOf, readSlice, type Slice } from '../paging.ts'
import { showConnection, showConsent } from '../record.ts'
import { countConnections } from '../store/customers.ts'
import { type ConnectRequest, listRequests } from '../store/requests.ts'

interface Paged {
  readonly total: number
  readonly next_cursor: string | null
}

export async function listConnectionPage(
  { database }: CustomerNeeds,
  accountId: UserId,
  query: PageQueryText,
): Promise<Paged & { readonly connections: CustomerConnection[] }> {
  const slice = readSlice<ConnectionId>(query)
  const { known, total } = await database.read(async (read) => ({
    known: await listKnown(read, accountId, { ...slice, limit: slice.limit + 1 }),
    total: await countConnections(read, accountId),
  }))
  const { rows, nextCursor } = pageOf(known.map(showConnection), slice)
  return { connections: [...rows], total, next_cursor: nextCursor }
}

/** Connections that are looked at together while those with something pending are searched. */
const LOOKED_AT = 200

export async function listConsentPage(
  needs: CustomerNeeds,
  accountId: UserId,
  query: PageQueryText,
): Promise<Paged & { readonly consents: Consent[] }> {
  const slice = readSlice<ConnectionId>(query)
  const found = await findConsents(needs, accountId, slice)
  const { rows, knownTotal, nextCursor } = pageOf(found.slice(slice.offset), slice)
  return { consents: [...rows], total: knownTotal, next_cursor: nextCursor }
}

/** As many as the slice needs, and one more. */
async function findConsents(
  { database }: CustomerNeeds,
  accountId: UserId,
  { after: start, offset, limit }: Slice<ConnectionId>,
): Promise<readonly Consent[]> {
  const found: Consent[] = []
  let after = start
  for (;;) {
    const from = { after, offset: 0, limit: LOOKED_AT }
    const known = await database.read((read) => listKnown(read, accountId, from))
    found.push(...known.flatMap((each) => showConsent(each) ?? []))
    after = known.at(-1)?.connection.id ?? null
    if (after === null || known.length < LOOKED_AT || found.length > offset + limit) return found
  }
}

export async function listRequestPage(
  { database, clock }: CustomerNeeds,
  accountId: UserId,
  query: PageQueryText,
): Promise<Paged & { readonly connect_requests: ReceivedConnectRequest[] }> {
  const slice = readSlice<string>(query)
  const more = { ...slice, limit: slice.limit + 1, now: clock.now() }
  const found = await database.read((read) => listRequests(read, accountId, more))
  const { rows, knownTotal, nextCursor } = pageOf(found.map(showRequest), slice)
  return { connect_requests: [...rows], total: knownTotal, next_cursor: nextCursor }
}

function showRequest(request: ConnectRequest): ReceivedConnectRequest {
  return {
    id: request.id,
    company: { user_id: request.companyId, display_name: request.companyName, share_code: request.companyCode },
    service: { service_id: request.serviceId, name: request.serviceName, code: request.serviceCode },
    message: request.message,
    created_at: formatInstant(request.createdAt),
    expires_at: formatInstant(request.expiresAt),
  }
}
