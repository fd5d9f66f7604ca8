import { type Instant, instant } from '@sealpost/kernel'
import type { HintKind } from '@sealpost/protocol'

export interface PushPolicy {
  readonly urgency: 'normal' | 'high'
  /** For how long a device that is away gets it later, unless the hint has an end of its own. */
  readonly lifeSeconds: number
}

const NOW: PushPolicy = { urgency: 'high', lifeSeconds: 300 }
const TODAY: PushPolicy = { urgency: 'normal', lifeSeconds: 86_400 }

/** Null: nothing to show and no card to take away, so no device is woken; open apps learn it from their stream. */
const POLICIES = {
  challenge_raised: NOW,
  challenge_closed: NOW,
  connection_created: null,
  connection_deleted: TODAY,
  connect_request_received: TODAY,
  connect_request_closed: TODAY,
  document_created: TODAY,
  document_updated: null,
  document_status_changed: TODAY,
  document_deleted: TODAY,
  message_received: TODAY,
  consent_requested: TODAY,
  flow_run_turn: TODAY,
  flow_completed: TODAY,
  flow_cancelled: TODAY,
  value_changed: null,
  answers_changed: null,
  message_sent: null,
  messages_read: null,
} as const satisfies Record<HintKind, PushPolicy | null>

export function policyOf(kind: HintKind): PushPolicy | null {
  return POLICIES[kind]
}

export function endOf({ lifeSeconds }: PushPolicy, now: Instant, expiresAt: Instant | undefined): Instant {
  return expiresAt ?? instant(now + lifeSeconds * 1000)
}

/** A topic has at most 32 characters: a UUID without its hyphens. Messages about one object replace each other. */
export function topicOf(id: string): string {
  return id.replaceAll('-', '')
}
