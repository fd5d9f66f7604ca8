import type { JobKind, Jobs, StepOutcome } from '@sealpost/jobs'
import { type Instant, instant, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { HintKind } from '@sealpost/protocol'
import type { PushOutcome } from '@sealpost/push'
import type { DevicesContext } from '../../context.ts'
import type { NewHint, SubscriptionId } from '../../model.ts'
import { deleteSubscriptions, findSubscription, listSubscriptions, lockHead } from '../../store/subscriptions.ts'
import { endOf, policyOf, topicOf } from '../rules/policy.ts'

interface Push {
  readonly accountId: UserId
  readonly subscriptionId: SubscriptionId
  readonly kind: HintKind
  readonly id: string
  readonly until: Instant
}

const MAX_ATTEMPTS = 8

/** A push that cannot be sent is given up by the handler: nothing is left for an operator to do. */
const sendPush: JobKind<Push> = {
  name: 'devices.push',
  queue: { name: 'push', concurrency: 16, perTenant: 4 },
  maxAttempts: Infinity,
  backoff: { firstMs: 1000, longestMs: 60_000 },
}

/** In the transaction of the hints: one job for each hint and subscription, those of one subscription in order. */
export async function enqueuePushes(
  { jobs, clock, push }: Pick<DevicesContext, 'jobs' | 'clock' | 'push'>,
  tx: Tx,
  hints: readonly NewHint[],
): Promise<void> {
  const pushed = hints.flatMap((hint) => {
    const policy = policyOf(hint.kind)
    return policy === null ? [] : [{ ...hint, until: endOf(policy, clock.now(), hint.expiresAt) }]
  })
  if (push === null || pushed.length === 0) return
  const accounts = [...new Set(pushed.map(({ accountId }) => accountId))]
  const subscriptions = Map.groupBy(await listSubscriptions(tx, accounts), ({ accountId }) => accountId)
  await jobs.enqueue(
    tx,
    sendPush,
    pushed.flatMap(({ accountId, kind, id, until }) =>
      (subscriptions.get(accountId) ?? []).map(({ id: subscriptionId }) => ({
        payload: { accountId, subscriptionId, kind, id, until },
        tenantId: accountId,
        key: subscriptionId,
      })),
    ),
  )
}

export function handlePushes(context: DevicesContext, jobs: Jobs): void {
  const { clock, log } = context
  const outcomes = context.telemetry.counter('push_messages', 'Push messages by what became of them')
  jobs.handle<Push, never, PushOutcome | null>(sendPush, {
    async prepare({ payload, attempts }, signal) {
      const outcome = await attempt(context, payload, signal)
      const isWorthRepeating = outcome?.kind === 'failed' && outcome.retryAfterSeconds === null
      if (isWorthRepeating && attempts < MAX_ATTEMPTS) throw new Error(`a push message was not sent: ${outcome.reason}`)
      return outcome
    },
    async step(tx, { payload }, outcome): Promise<StepOutcome<never>> {
      if (outcome?.kind === 'failed' && outcome.retryAfterSeconds !== null) {
        const at = instant(clock.now() + outcome.retryAfterSeconds * 1000)
        if (at < payload.until) return { next: 'later', at }
      }
      outcomes.add(1, { outcome: outcome?.kind ?? 'expired' })
      if (outcome?.kind === 'gone') await removeGone(tx, payload)
      if (outcome?.kind === 'refused' || outcome?.kind === 'failed') {
        log.warn({ reason: outcome.reason, kind: payload.kind }, 'a push message was given up')
      }
      return { next: 'done' }
    },
  })
}

/** Null when it is not wanted any more: its time or its subscription has ended. */
async function attempt(
  { database, clock, push }: DevicesContext,
  { accountId, subscriptionId, kind, id, until }: Push,
  signal: AbortSignal,
): Promise<PushOutcome | null> {
  const policy = policyOf(kind)
  const ttlSeconds = Math.ceil((until - clock.now()) / 1000)
  if (push === null || policy === null || ttlSeconds <= 0) return null
  const target = await database.read((read) => findSubscription(read, accountId, subscriptionId))
  if (target === null) return null
  const message = { text: JSON.stringify({ kind, id }), ttlSeconds, urgency: policy.urgency, topic: topicOf(id) }
  return push.send(target, message, signal)
}

async function removeGone(tx: Tx, { accountId, subscriptionId }: Push): Promise<void> {
  await lockHead(tx, accountId)
  await deleteSubscriptions(tx, accountId, { id: subscriptionId })
}
