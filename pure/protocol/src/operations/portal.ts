import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { nullableText, Timestamp, Uuid } from '../wire/scalars.ts'

export const ATTENTION_KINDS = [
  'webhook_parked',
  'webhook_paused',
  'backlog_old',
  'run_awaits',
  'signature_awaits',
  'messages_unread',
  'event_quarantined',
] as const

export type AttentionKind = (typeof ATTENTION_KINDS)[number]

const AttentionItem = Type.Object(
  {
    kind: Type.Enum([...ATTENTION_KINDS], {
      description:
        '`webhook_parked`: deliveries fail, events wait; `webhook_paused`: by the company; `backlog_old`: events wait for more ' +
        'than a day; `run_awaits`, `signature_awaits`: the company is next; `messages_unread`: of a customer; ' +
        '`event_quarantined`: an event that missed its schema, shown to the owner only.',
    }),
    service_id: Uuid,
    ref: nullableText({
      description:
        'The webhook, run, document, connection or event; null where events wait for a data client and no webhook.',
    }),
    since: Timestamp,
  },
  { title: 'AttentionItem' },
)

export const listAttention = defineOperation({
  id: 'portal.list_attention',
  method: 'GET',
  path: '/api/portal/attention',
  document: 'account',
  summary: 'What waits for the company',
  description:
    'Oldest first, at most 50 of each kind. A delegate gets what concerns the services that it may open. Nothing is consumed ' +
    'and nothing is counted: more may wait.',
  callers: ['portal', 'delegate'],
  delegateRole: 'operator',
  rate: 'data',
  success: { status: 200, about: 'What waits', body: Type.Object({ items: Type.Array(AttentionItem) }) },
  errors: [],
})
