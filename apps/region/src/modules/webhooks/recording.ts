import type { Tx } from '@sealpost/postgres'
import type { Caller } from '../../caller.ts'
import { recordAudit } from '../account/index.ts'
import type { OutletName } from '../feed/index.ts'
import { logService } from '../services/index.ts'
import type { WebhooksNeeds } from './needs.ts'

/** Who acts on a webhook: a user, or the client id of a machine. */
export interface Actor {
  readonly actorId: string
}

export function actorOf({ userId, client }: Pick<Caller, 'userId' | 'client'>): Actor {
  return { actorId: client?.clientId ?? userId }
}

const MESSAGES = {
  'webhooks.create': 'A webhook was made',
  'webhooks.change': 'The configuration of a webhook was changed',
  'webhooks.delete': 'A webhook was deleted with its backlog',
  'webhooks.regenerate_hmac_secret': 'A webhook has a new signing secret',
  'webhooks.pause': 'A webhook was paused: its events are queued and not sent',
  'webhooks.resume': 'A paused webhook is sent to again',
  'webhooks.probe': 'A probe of a webhook was asked for',
  'webhooks.test': 'A test event was sent to a webhook',
  'webhooks.replay': 'A replay to a webhook was asked for',
} as const
export type Action = keyof typeof MESSAGES

/** Both logs: the company's, of who did what, and the service's own. Of what was set only the names, never a value. */
export async function recordAct(
  tx: Tx,
  needs: Pick<WebhooksNeeds, 'clock' | 'ids'>,
  { actorId }: Actor,
  action: Action,
  { companyId, serviceId, webhookId }: OutletName,
  about: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await recordAudit(tx, { companyId, actorId, action, ref: webhookId, at: needs.clock.now() })
  await logService(
    tx,
    needs,
    { companyId, serviceId },
    {
      type: 'webhook',
      message: MESSAGES[action],
      metadata: { webhook_id: webhookId, action, actor_id: actorId, ...about },
    },
  )
}
