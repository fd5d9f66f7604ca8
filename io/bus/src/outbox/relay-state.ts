import type { StoredBody } from '../large-bodies.ts'
import type { Link } from '../parties.ts'
import type { Lives } from '../session/rules.ts'
import type { Notices } from '../wire.ts'
import type { Flight } from './flight.ts'

/** The memory of a relay between two iterations. All of it may be lost: it is rebuilt from the tables. */
export interface RelayState {
  readonly link: Link
  readonly flight: Flight
  /** Distinguishes this process's attempts from those of the previous one, which the carrier may remember. */
  readonly run: string
  readonly heard: Notices[]
  /** Bodies of tells in the object store, by the tell's id: a resend links to them again. */
  readonly stored: Map<string, StoredBody & { readonly atMs: number }>
  /** The session that the flight belongs to. */
  lives: Lives | null
  /** Pending lanes are scanned in the order of their keys, so that each gets its turn. */
  scannedKey: string
  lastNoticeAtMs: number
  greetAtMs: number
  pausedUntilMs: number
  isRewindDue: boolean
  wake(): void
}
