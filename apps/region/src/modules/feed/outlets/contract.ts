import type { EventId, Instant, ServiceId, UserId, WebhookId } from '@sealpost/kernel'
import type { ServiceEventKind } from '@sealpost/protocol'
import type { StoredEvent } from '../event.ts'

/** An outlet is the feed's half of a webhook: how far it has come, what it takes, and whether its endpoint answers. */
export interface OutletName {
  readonly companyId: UserId
  readonly serviceId: ServiceId
  readonly webhookId: WebhookId
}

export type OutletState = 'running' | 'bad' | 'unknown'
/** Paused: queued and not sent. Disabled: not even queued. */
export type OutletFlow = 'open' | 'paused' | 'disabled'
export type SendKind = 'live' | 'replay' | 'probe'

export interface OutletTransition {
  readonly from: OutletState
  readonly to: OutletState
}

export interface NewOutlet {
  /** Null takes every kind. */
  readonly kinds: readonly ServiceEventKind[] | null
  readonly isEnabled: boolean
  /** The account's level has no webhooks. */
  readonly isSuspended: boolean
}

export type OutletChange =
  | { readonly act: 'subscribe'; readonly kinds: readonly ServiceEventKind[] | null }
  | { readonly act: 'enable' }
  | { readonly act: 'disable' }
  | { readonly act: 'pause' }
  | { readonly act: 'resume' }
  /** The endpoint has another address: what is known of its health is worth nothing. */
  | { readonly act: 'retarget' }
  | { readonly act: 'probe' }
  /** Without `since`: what is parked, now. */
  | { readonly act: 'replay'; readonly since: Instant | null }
  /** Something else about the endpoint is different: workers read it again. */
  | { readonly act: 'touch' }

export interface OutletChanged {
  /** How many events wait; counted for a replay only, otherwise 0. */
  readonly queued: number
  readonly transition: OutletTransition | null
}

export interface OutletHealth {
  readonly state: OutletState
  readonly since: Instant
  readonly flow: OutletFlow
  readonly isPaused: boolean
  readonly isEnabled: boolean
  readonly isSuspended: boolean
  /** When a bad one is tried again; null when nothing is planned. */
  readonly dueAt: Instant | null
  readonly backlogCount: number
  readonly backlogOldestAt: Instant | null
}

/** An outlet that a worker holds. */
export interface ClaimedOutlet {
  readonly name: OutletName
  readonly channel: number
  /** Rises with every claim: what an earlier holder reports changes nothing. */
  readonly token: number
  /** Rises with every change from outside: read the endpoint and the events again when it did. */
  readonly epoch: number
  readonly state: OutletState
  /** At least this long, counted from before the call, nobody else sends to this endpoint. */
  readonly leasedForMs: number
  /** What the claim itself has changed: a bad outlet whose time has come is unknown. */
  readonly transition: OutletTransition | null
}

export interface OutletEvent extends StoredEvent {
  /** Part of the backlog: told under its durable id. */
  readonly isParked: boolean
}

export interface OutletBatch {
  readonly events: readonly OutletEvent[]
  /** Every number up to here is among the events or will never be sent. */
  readonly lookedTo: number
  /** The next event is on its way to somebody who drains by hand, for at most so long; null when nothing is. */
  readonly blockedForMs: number | null
}

/** What became of one event of an outlet, or that there was none. */
export interface OutletReport {
  readonly name: OutletName
  readonly channel: number
  readonly token: number
  /** Of the claim or settle after which the event was read. */
  readonly epoch: number
  /** Null when the batch was empty. */
  readonly sent: {
    readonly no: number
    /** Skipped: there is nothing to tell of it any more. */
    readonly outcome: 'delivered' | 'failed' | 'skipped'
  } | null
  /** With the last event of a batch, or without any: the end of the batch. Null in its midst. */
  readonly end: Pick<OutletBatch, 'lookedTo' | 'blockedForMs'> | null
  /** The worker lets go whatever is left, for others to go on. */
  readonly isRelease: boolean
}

export interface SettledOutlet {
  readonly name: OutletName
  /** False when somebody else holds it by now, or it is gone: nothing was written, stop. */
  readonly isMine: boolean
  readonly epoch: number
  readonly state: OutletState
  readonly transition: OutletTransition | null
  /** Still held: go on with the batch, or read the next one if it is at its end or the epoch has risen. */
  readonly mayGoOn: boolean
  readonly leasedForMs: number
}

export interface StaleOutlet {
  readonly name: OutletName
  readonly alert: 'daily' | 'hourly' | 'purged'
  readonly backlogCount: number
  /** Of what is left; null when nothing is. */
  readonly oldestAt: Instant | null
  readonly state: OutletState
  readonly since: Instant
  readonly flow: OutletFlow
  /** Lost since the last look: older than 7 days. */
  readonly purgedCount: number
}

export interface OutletExplained extends OutletHealth {
  readonly name: OutletName
  readonly cursor: number
  readonly lastNo: number
  /** Everything up to here is backlog; null is everything, also what is still to come. */
  readonly parkedTo: number | null
  /** Up to here nothing is collapsed; 0 when no replay was asked for. */
  readonly replayTo: number
  readonly isLeased: boolean
  /** By the clock of the database, like the next one. */
  readonly leaseUntil: Instant | null
  readonly heldPage: { readonly until: Instant } | null
  readonly alertAt: Instant | null
  readonly purgedAt: Instant | null
  readonly token: number
  readonly epoch: number
  readonly kinds: readonly string[] | null
}

/** The kind of the next POST: the first one to an endpoint that may be broken is a probe. */
export function sendKind(state: OutletState, { isParked }: Pick<OutletEvent, 'isParked'>): SendKind {
  if (state !== 'running') return 'probe'
  return isParked ? 'replay' : 'live'
}

/** What each event tells now; those that tell nothing any more are missing. */
export type ToldEvents<Event> = ReadonlyMap<EventId, Event>
