import type { Tx } from '@sealpost/postgres'
import type { QueueState } from '../../feed/index.ts'
import { logServices } from '../../services/index.ts'
import type { WebhooksContext } from '../context.ts'
import type { Transition } from '../model.ts'
import { setLastErrors } from '../store/endpoints.ts'

/** Runs last in the transaction that changed the state: endpoints and the services' logs are locked after the feed's rows. */
export async function recordTransitions(
  webhooks: Pick<WebhooksContext, 'clock' | 'ids'>,
  tx: Tx,
  transitions: readonly Transition[],
): Promise<void> {
  // A probe that has only started keeps the last error.
  const decided = transitions.filter(({ to }) => to !== 'unknown')
  if (decided.length > 0) {
    await setLastErrors(
      tx,
      decided.map(({ name: { serviceId, webhookId }, to, lastError }) => ({
        serviceId,
        webhookId,
        lastError: to === 'running' ? null : lastError,
      })),
    )
  }
  await logServices(
    webhooks,
    tx,
    transitions.map(({ name: { companyId, serviceId, webhookId }, from, to, lastError }) => {
      const failure = lastError === null ? {} : { error: lastError }
      const metadata = { webhook_id: webhookId, from, to, ...failure }
      return { service: { companyId, serviceId }, entry: { type: 'webhook', message: MESSAGES[to], metadata } }
    }),
  )
}

const MESSAGES = {
  running: 'The webhook runs: its endpoint answers',
  bad: 'The webhook failed: its events wait until a probe succeeds',
  unknown: 'The webhook is being probed',
} as const satisfies Record<QueueState, string>
