import type { Link } from '../parties.ts'
import type { Lives } from '../session/rules.ts'
import type { Notices } from '../wire.ts'
import type { Flight } from './flight.ts'

/** What a relay remembers between its rounds. All of it may be lost: the tables know the rest. */
export interface RelayState {
  readonly link: Link
  readonly flight: Flight
  /** Distinguishes this process's sendings from those of the one before it, which the carrier may remember. */
  readonly run: string
  readonly heard: Notices[]
  /** The session that the flight belongs to. */
  lives: Lives | null
  /** Pending lanes are taken up in rounds by key, so that each gets its turn. */
  scannedKey: string
  lastNoticeAtMs: number
  greetAtMs: number
  pausedUntilMs: number
  isRewindDue: boolean
  wake(): void
}
