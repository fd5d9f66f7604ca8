import { ECDH } from 'node:crypto'
import type { ListAnswer } from '@sealpost/http'
import { ListAnswer as NewListAnswer } from '@sealpost/http'
import { formatInstant, parseUuid, type UserId } from '@sealpost/kernel'
import { type PageQueryText, refuse } from '@sealpost/protocol'
import { type Page, pageInMemory } from '../../../../platform/page.ts'
import { findTrustedDevice } from '../../../login/index.ts'
import type { DevicesContext } from '../../context.ts'
import type { Subscription, SubscriptionId } from '../../model.ts'
import { deleteSubscriptions, listOfDevice, lockHead, putSubscription } from '../../store/subscriptions.ts'

const MAX_PER_DEVICE = 10
const AUTH_BYTES = 16

export interface GivenSubscription {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

export interface SubscriptionAnswer {
  readonly id: string
  readonly origin: string
  readonly created_at: string
}

/** The account's own device; another account's answers like a missing one. */
export async function locateDevice(context: DevicesContext, accountId: UserId, text: string): Promise<string> {
  const id = parseUuid<string>(text)
  const device = id === null ? null : await findTrustedDevice(context.login, accountId, id)
  if (device === null) throw refuse('request.not_found')
  return device.id
}

export async function subscribe(
  { database, clock, ids, push }: DevicesContext,
  accountId: UserId,
  deviceId: string,
  { endpoint, keys }: GivenSubscription,
): Promise<SubscriptionAnswer> {
  if (push === null) throw refuse('account.push_not_configured')
  requireEndpoint(endpoint)
  const key = { p256dh: readPoint(keys.p256dh), auth: readAuth(keys.auth) }
  return database.transaction(async (tx) => {
    await lockHead(tx, accountId)
    const known = await listOfDevice(tx, accountId, deviceId)
    const isNew = known.every((other) => other.endpoint !== endpoint)
    if (isNew && known.length >= MAX_PER_DEVICE) {
      throw wrongMember('', `a device has at most ${MAX_PER_DEVICE} push subscriptions; remove one first`)
    }
    const fresh = { accountId, id: ids.uuid<SubscriptionId>(), deviceId, endpoint, ...key, createdAt: clock.now() }
    const answer = toWire(await putSubscription(tx, fresh))
    await tx.storeAnswer(answer)
    return answer
  })
}

export async function listSubscriptions(
  { database, push }: DevicesContext,
  accountId: UserId,
  deviceId: string,
  query: PageQueryText,
): Promise<ListAnswer<Page<SubscriptionAnswer> & { readonly application_server_key: string | null }>> {
  const all = await database.read((read) => listOfDevice(read, accountId, deviceId))
  const list = { name: 'push_subscriptions', idOf: ({ id }: Subscription) => id, toWire }
  const { source } = await pageInMemory(list, query, all)
  const further = { application_server_key: push?.publicKey ?? null }
  return new NewListAnswer({
    ...source,
    furtherMembers: further,
    rest: async (written) => ({ ...(await source.rest(written)), ...further }),
  })
}

export async function unsubscribe(
  { database }: DevicesContext,
  accountId: UserId,
  deviceId: string,
  text: string,
): Promise<void> {
  const id = parseUuid<SubscriptionId>(text)
  if (id === null) throw refuse('request.not_found')
  const deleted = await database.transaction(async (tx) => {
    await lockHead(tx, accountId)
    return deleteSubscriptions(tx, accountId, { id, deviceId })
  })
  if (deleted === 0) throw refuse('request.not_found')
}

function toWire({ id, endpoint, createdAt }: Subscription): SubscriptionAnswer {
  return { id, origin: new URL(endpoint).origin, created_at: formatInstant(createdAt) }
}

function requireEndpoint(text: string): void {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    throw wrongMember('/body/endpoint', 'must be an https address without a user name')
  }
}

function readPoint(text: string): Buffer {
  const point = Buffer.from(text, 'base64url')
  try {
    // Throws for bytes that are no point of the curve.
    ECDH.convertKey(point, 'prime256v1', undefined, undefined, 'uncompressed')
  } catch {
    throw wrongMember('/body/keys/p256dh', 'must be base64url of an uncompressed P-256 point')
  }
  if (point.length === 65) return point
  throw wrongMember('/body/keys/p256dh', 'must be base64url of an uncompressed P-256 point')
}

function readAuth(text: string): Buffer {
  const auth = Buffer.from(text, 'base64url')
  if (auth.length === AUTH_BYTES) return auth
  throw wrongMember('/body/keys/auth', `must be base64url of ${AUTH_BYTES} bytes`)
}

function wrongMember(path: string, message: string): Error {
  return refuse('request.invalid', { details: [{ path, message }] })
}
