import type { Bus } from '@sealpost/bus'
import type { Egress } from '@sealpost/egress'
import type { Jobs } from '@sealpost/jobs'
import type { Clock, Ids, Random, RegionCode, UserId } from '@sealpost/kernel'
import type { Objects } from '@sealpost/objects'
import type { Database } from '@sealpost/postgres'
import type { Log, Telemetry } from '@sealpost/telemetry'
import type { RegionSettings } from '../settings.ts'
import type { BindRoute } from './bind-route.ts'
import type { Downloads } from './downloads.ts'

/** The engines and ports that every module may use. A module's context extends it. */
export interface Platform {
  readonly region: RegionCode
  readonly settings: RegionSettings
  readonly database: Database
  readonly bus: Bus
  /** Work that a transaction causes and that happens after it. */
  readonly jobs: Jobs
  readonly objects: Objects
  readonly downloads: Downloads
  /** Calls to peers of this installation. */
  readonly egress: Egress
  /** Calls to addresses that customers configured: webhook endpoints. */
  readonly webhookEgress: Egress
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly telemetry: Telemetry
  readonly log: Log
  /** Milliseconds that never jump: leases and freshness are measured on it. */
  readonly monotonicMs: () => number
  /** True while an operator paused writes: no job or delivery starts then. */
  readonly isPaused: () => Promise<boolean>
  /** Calls `wake` with the payload at each NOTIFY of the channel, and with null after each reconnect. */
  readonly onNotify: (channel: string, wake: (payload: string | null) => void) => Promise<Closable>
  /** Null where nothing is served: on the command line. */
  readonly access: AccessWatch | null
}

/** For answers that last: says when the token that opened them is no longer good. The guard of `access` is one. */
export interface AccessWatch {
  isRevoked(sessionId: string): boolean | Promise<boolean>
  /** Null for an account that is gone. */
  findAccount(id: UserId): object | null | Promise<object | null>
  /** Called when this process learns of changes, before a revocation among them has answered. */
  onNews(watcher: (news: AccessNews) => void): void
}

export interface AccessNews {
  /** Clients and accounts whose state changed. */
  readonly subjects: readonly string[]
  readonly revokedSessions: readonly { readonly sessionId: string }[]
  readonly switches: { readonly outOfOrder: boolean }
}

export interface Closable {
  close(): Promise<void>
}

/** A periodic task of the worker role. It is idempotent, so several workers may run it at once. */
export interface Chore {
  /** Completes the log line "… could not be tidied up". */
  readonly what: string
  readonly run: () => Promise<unknown>
}

/** The parts of an opened module that the region runs: see the loops in `region.ts` and `api.ts`. */
export interface Module {
  readonly name: string
  readonly routes?: (bind: BindRoute) => void
  /** Registers the handlers of asks and tells. */
  readonly onBus?: (bus: Bus) => void
  /** Registers the handlers of jobs, which the worker role runs. */
  readonly onJobs?: (jobs: Jobs) => void
  readonly chores?: readonly Chore[]
  /** Starts the module's share of the worker role. */
  readonly start?: () => Closable | Promise<Closable>
  /** Ends answers that last: the process is about to end, and others take their readers. */
  readonly drain?: () => void
  /** Runs at shutdown, before the engines close. */
  readonly close?: () => Promise<void>
}
