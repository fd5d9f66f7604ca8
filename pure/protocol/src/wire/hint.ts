import Type, { type Static } from 'typebox'

/** What changed, and whose id the hint carries; the words are those of the company accounts' feed where that has one. */
export const hintKinds = {
  challenge_raised: 'a challenge waits for an answer; its id',
  challenge_closed: 'a challenge was answered, expired or was revoked: take its card away; its id',
  connection_created: 'a connection was made; its id',
  connection_deleted: 'a connection has ended; its id',
  connect_request_received: 'a service asks to connect; the id of the request',
  connect_request_closed: 'a request to connect was answered or withdrawn; its id',
  document_created: 'a document arrived; its id',
  document_updated: 'a document has changed; its id',
  document_status_changed: 'a document was signed, accepted, cancelled or ended; its id',
  document_deleted: 'a document is gone; its id',
  message_received: 'a service wrote, to you or to all its customers; the id of the connection',
  consent_requested: 'a service asks for new fields; the id of the connection',
  flow_run_turn: 'a run began or awaits another party; its id',
  flow_completed: 'a run has completed; its id',
  flow_cancelled: 'a run was cancelled; its id',
  value_changed: 'a value of the own data was changed or deleted on a device; the id of the field',
  answers_changed: 'what a service gets was changed on a device; the id of the connection',
  message_sent: 'a device wrote to a service; the id of the connection',
  messages_read: 'messages were acknowledged, on a device or by the service; the id of the connection',
} as const

export type HintKind = keyof typeof hintKinds

export function isHintKind(text: string): text is HintKind {
  return Object.hasOwn(hintKinds, text)
}

/** The data of a `hint` event, and the text of a push message. */
export const Hint = Type.Object(
  {
    kind: Type.Enum(Object.keys(hintKinds).filter(isHintKind), {
      description: Object.entries(hintKinds)
        .map(([kind, about]) => `\`${kind}\`: ${about}.`)
        .join(' '),
    }),
    id: Type.String({ format: 'uuid' }),
  },
  { title: 'Hint', description: 'A change that the app reads again; a hint has no content.' },
)
export type Hint = Static<typeof Hint>
