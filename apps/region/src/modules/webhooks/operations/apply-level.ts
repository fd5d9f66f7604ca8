import type { UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { Level } from '@sealpost/protocol'
import { resumeQueuesOf, suspendQueuesOf } from '../../feed/index.ts'
import type { WebhooksContext } from '../context.ts'
import { recordTransitions } from './record-transitions.ts'

/** At the level free the webhooks of a company are suspended; their own settings stay. */
export async function applyLevel(
  webhooks: Pick<WebhooksContext, 'clock' | 'ids'>,
  tx: Tx,
  companyId: UserId,
  level: Level,
): Promise<void> {
  if (level === 'free') {
    await suspendQueuesOf(webhooks, tx, companyId)
    return
  }
  const changed = await resumeQueuesOf(webhooks, tx, companyId)
  const at = webhooks.clock.now()
  const transitions = changed.flatMap(({ name, transition }) =>
    transition === null ? [] : [{ name, ...transition, at, lastError: null }],
  )
  await recordTransitions(webhooks, tx, transitions)
}
