import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  type AppProcess,
  type Cluster,
  logIn,
  enableCodes,
  oneTimeCode,
  type PeoplePlace,
  signUp,
  type TestUser,
  tryLogIn,
  waitUntil,
} from '@sealpost/testkit'

/** A user with a second factor who does nothing while the keys change: only the operator's command can carry them over. */
export interface Sleeper {
  readonly user: TestUser
  readonly secret: string
  /** The time step whose code was used. */
  readonly step: number
}

const OPERATE = fileURLToPath(new URL('../../../apps/region/src/operate.ts', import.meta.url))
const STEP_MS = 30_000

export async function putToSleep(cluster: Cluster): Promise<Sleeper> {
  const place = placeOf(cluster)
  const user = await signUp(place, { userType: 'company', region: 'eu' })
  const session = await logIn(place, user)
  const nowMs = Date.now()
  const secret = await enableCodes(session, user.authVerifier, nowMs)
  return { user, secret, step: Math.floor(nowMs / STEP_MS) }
}

/** True when the password and a one-time code still open a session. */
export async function wakeUp(cluster: Cluster, { user, secret, step }: Sleeper): Promise<boolean> {
  // A code is taken once.
  await waitUntil('there is another one-time code', 2 * STEP_MS, () => Math.floor(Date.now() / STEP_MS) > step)
  const { status } = await tryLogIn(placeOf(cluster), user, { otp: oneTimeCode(secret, Date.now()) })
  return status === 200
}

/** The operator's command, as a process of its own beside those that serve, with their settings. */
export async function rewrapKeys([serving]: readonly AppProcess[]): Promise<void> {
  if (serving === undefined) return
  await promisify(execFile)(process.execPath, [OPERATE, 'keys:rewrap'], {
    env: { PATH: process.env['PATH'], ...serving.environment() },
  })
}

function placeOf({ frontDoorUrl, mail }: Cluster): PeoplePlace {
  return { frontDoor: { url: frontDoorUrl }, mail }
}
