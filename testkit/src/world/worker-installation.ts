import { startTwoRegions, type TwoRegions } from '../two-regions.ts'
import { atWorkerEnd } from './worker-end.ts'

/** No caller is held up by limits, and webhooks reach receivers of this machine. */
export const WORLD_SETTINGS = {
  ALLOW_PRIVATE_TARGETS: '1',
  WEBHOOK_CAUSES: 'all',
  RATE_LOGIN_IP: '60000',
  RATE_LOGIN_ACCOUNT: '60000',
  RATE_TOKEN: '60000',
  RATE_DATA: '60000',
  RATE_CHANGES: '60000',
  RATE_CONNECTIONS: '60000',
  RATE_MISSES_HOUR: '60000',
  RATE_MESSAGES: '60000',
  RATE_MESSAGES_PERSON: '60000',
  RATE_BROADCAST_HOUR: '60000',
  RATE_TWOFA: '60000',
  RATE_TWOFA_PERSON: '60000',
  RATE_TWOFA_POLL: '60000',
}

/** A file that has moved the clock further leaves an installation that later files do not want. */
const LARGEST_DRIFT_MS = 12 * 3_600_000

interface Kept {
  readonly two: TwoRegions
  readonly startedAt: number
}

let kept: Promise<Kept> | null = null
let borrowers = 0

/** The installation that the files of this worker share; the first one that asks starts it. */
export async function borrowInstallation(): Promise<TwoRegions> {
  kept ??= start()
  const { two } = await kept
  borrowers += 1
  return two
}

/** For each borrowing once. The next file gets a fresh installation if this one has drifted. */
export async function returnInstallation(): Promise<void> {
  borrowers -= 1
  const present = await kept
  if (present === null || borrowers > 0) return
  if (present.two.clock.now() - present.startedAt > LARGEST_DRIFT_MS) await closeInstallation()
}

async function start(): Promise<Kept> {
  atWorkerEnd(closeInstallation)
  const two = await startTwoRegions(WORLD_SETTINGS, { withPersonas: false })
  return { two, startedAt: two.clock.now() }
}

async function closeInstallation(): Promise<void> {
  const ending = kept
  kept = null
  await (await ending)?.two.close()
}
