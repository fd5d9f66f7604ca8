import type { EventId, Instant, ServiceId, UserId, WebhookId } from '@sealpost/kernel'
import type { ServiceEventKind } from '@sealpost/protocol'
import type { StoredEvent } from '../model.ts'
import type { Progress } from '../rules/ranges.ts'

export interface WebhookName {
  readonly companyId: UserId
  readonly serviceId: ServiceId
  readonly webhookId: WebhookId
}

/** Of the endpoint: `bad` after a failed delivery, `unknown` while it is probed. */
export type QueueState = 'running' | 'bad' | 'unknown'
/** Paused: events are queued and not sent. Disabled: they are not queued. */
export type QueueFlow = 'open' | 'paused' | 'disabled'
export type SendKind = 'live' | 'replay' | 'probe'

export interface QueueSwitches {
  readonly isEnabled: boolean
  readonly isPaused: boolean
  /** The level of the account has no webhooks: the queue behaves as disabled. */
  readonly isSuspended: boolean
}

/**
 * [Note: webhook queues] The state of a webhook's queue; the events themselves are in the log. Numbers up to `cursor` and
 * in `gone` are done. Numbers up to `parkedTo` are backlog: collapsed by key and sent under durable ids; later numbers are
 * live. Numbers up to `replayTo` were requested by a replay and are not collapsed.
 */
export interface WebhookQueue extends Progress, QueueSwitches {
  readonly parkedTo: number
  readonly replayTo: number
  readonly state: QueueState
  readonly since: Instant
  /** When a worker should claim it; null without work or while a worker holds it. */
  readonly dueAt: Instant | null
  readonly isLeased: boolean
  /** Rises with every claim. */
  readonly token: number
  /** Rises with every change that is not made by the worker that holds the queue. */
  readonly epoch: number
  /** The epoch of the last requested retry: the outcome of a POST from an earlier epoch says nothing about the endpoint. */
  readonly retryEpoch: number
  /** When the age of the backlog is checked next; null without parked events. */
  readonly alertAt: Instant | null
  /** When a loss was last reported since the queue ran; null without one. */
  readonly purgedAt: Instant | null
}

export function flowOf({ isEnabled, isSuspended, isPaused }: QueueSwitches): QueueFlow {
  if (!isEnabled || isSuspended) return 'disabled'
  return isPaused ? 'paused' : 'open'
}

export interface QueueTransition {
  readonly from: QueueState
  readonly to: QueueState
}

export function transitionOf(before: WebhookQueue, after: WebhookQueue): QueueTransition | null {
  return before.state === after.state ? null : { from: before.state, to: after.state }
}

export interface NewQueue {
  /** Null subscribes to every kind. */
  readonly kinds: readonly ServiceEventKind[] | null
  readonly isEnabled: boolean
  readonly isSuspended: boolean
}

export type QueueChange =
  | { readonly command: 'subscribe'; readonly kinds: readonly ServiceEventKind[] | null }
  | { readonly command: 'enable' }
  | { readonly command: 'disable' }
  | { readonly command: 'pause' }
  | { readonly command: 'resume' }
  /** The URL changed: the health of the old endpoint says nothing about the new one. */
  | { readonly command: 'retarget' }
  | { readonly command: 'probe' }
  /** Without `since`: the parked events, now. */
  | { readonly command: 'replay'; readonly since: Instant | null }
  /** Another setting of the endpoint changed: workers load it again. */
  | { readonly command: 'touch' }

export interface QueueChanged {
  /** The number of queued events after a replay, otherwise 0. */
  readonly queued: number
  readonly transition: QueueTransition | null
}

export interface QueueHealth extends QueueSwitches {
  readonly state: QueueState
  readonly since: Instant
  readonly flow: QueueFlow
  /** The next probe of a bad queue; null when none is planned. */
  readonly dueAt: Instant | null
  readonly backlogCount: number
  readonly backlogOldestAt: Instant | null
}

/** A queue that a worker holds. */
export interface ClaimedQueue {
  readonly name: WebhookName
  readonly channel: number
  /** Rises with every claim: reports of an earlier holder change nothing. */
  readonly token: number
  /** When it rises, the worker reads the endpoint and the events again. */
  readonly epoch: number
  readonly state: QueueState
  /** No other worker sends to this endpoint for at least this long, counted from before the call. */
  readonly leasedForMs: number
  /** Made by the claim itself: a bad queue that is due becomes unknown. */
  readonly transition: QueueTransition | null
}

export interface PendingEvent extends StoredEvent {
  /** Part of the backlog: sent under its durable id. */
  readonly isParked: boolean
}

export interface PendingBatch {
  readonly events: readonly PendingEvent[]
  /** Every number up to here is among the events or is never sent. */
  readonly scannedTo: number
  /** How long at most the next event is leased to a manual drain; null when it is not. */
  readonly blockedForMs: number | null
}

/** The outcome of one event, or the end of an empty batch. */
export interface OutcomeReport {
  readonly name: WebhookName
  readonly channel: number
  readonly token: number
  /** The epoch under which the event was read. */
  readonly epoch: number
  /** Null when the batch was empty. */
  readonly sent: {
    readonly no: number
    /** Skipped: its resolver left it out, or it became a kind that the webhook does not list. */
    readonly outcome: 'delivered' | 'failed' | 'skipped'
  } | null
  /** The end of the batch, with its last event or without any; null before that. */
  readonly end: Pick<PendingBatch, 'scannedTo' | 'blockedForMs'> | null
  /** The worker releases the queue even if events are left. */
  readonly isRelease: boolean
}

export interface RecordedOutcome {
  readonly name: WebhookName
  /** False when another worker holds the queue or it was deleted: nothing was written, and the worker stops. */
  readonly isMine: boolean
  readonly epoch: number
  readonly state: QueueState
  readonly transition: QueueTransition | null
  /** Still held: continue the batch, or read the next one at its end or when the epoch has risen. */
  readonly mayGoOn: boolean
  readonly leasedForMs: number
}

export interface StaleQueue {
  readonly name: WebhookName
  readonly alert: 'daily' | 'hourly' | 'purged'
  readonly backlogCount: number
  /** The oldest remaining event; null when none is left. */
  readonly oldestAt: Instant | null
  readonly state: QueueState
  readonly since: Instant
  readonly flow: QueueFlow
  /** Events that expired since the last check. */
  readonly purgedCount: number
}

/** All facts that explain why the events of a webhook wait. */
export interface QueueExplanation extends QueueHealth {
  readonly name: WebhookName
  readonly cursor: number
  readonly lastNo: number
  /** All numbers up to here are backlog; null: all, including future ones. */
  readonly parkedTo: number | null
  /** Numbers up to here are not collapsed; 0 without a replay. */
  readonly replayTo: number
  readonly isLeased: boolean
  /** By the clock of the database, like `leasedPage`. */
  readonly leaseUntil: Instant | null
  /** The page of a manual drain. */
  readonly leasedPage: { readonly until: Instant } | null
  readonly alertAt: Instant | null
  readonly purgedAt: Instant | null
  readonly token: number
  readonly epoch: number
  readonly kinds: readonly string[] | null
}

/** The first POST to an endpoint that may be broken is a probe. */
export function sendKind(state: QueueState, { isParked }: Pick<PendingEvent, 'isParked'>): SendKind {
  if (state !== 'running') return 'probe'
  return isParked ? 'replay' : 'live'
}

/** Events that their resolver left out are missing. */
export type RenderedEvents<Event> = ReadonlyMap<EventId, Event>
