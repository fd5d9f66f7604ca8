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

/** A user with a second factor who is idle while keys change: only `keys:rewrap` moves this user's secrets to the new key. */
export interface IdleUser {
  readonly user: TestUser
  readonly secret: string
  /** The time step whose code was used. */
  readonly step: number
}

const OPERATE = fileURLToPath(new URL('../../../apps/region/src/commands/operate/main.ts', import.meta.url))
const STEP_MS = 30_000

export async function createIdleUser(cluster: Cluster): Promise<IdleUser> {
  const place = placeOf(cluster)
  const user = await signUp(place, { userType: 'company', region: 'eu' })
  const session = await logIn(place, user)
  const nowMs = Date.now()
  const secret = await enableCodes(session, user.authVerifier, nowMs)
  return { user, secret, step: Math.floor(nowMs / STEP_MS) }
}

/** Whether the password and a one-time code still open a session. */
export async function canLogIn(cluster: Cluster, { user, secret, step }: IdleUser): Promise<boolean> {
  // A code is accepted once.
  await waitUntil('the next one-time code is valid', 2 * STEP_MS, () => Math.floor(Date.now() / STEP_MS) > step)
  const { status } = await tryLogIn(placeOf(cluster), user, { otp: oneTimeCode(secret, Date.now()) })
  return status === 200
}

/** Runs the operator's command in its own process with the settings of a serving one. */
export async function rewrapKeys([serving]: readonly AppProcess[]): Promise<void> {
  if (serving === undefined) return
  await promisify(execFile)(process.execPath, [OPERATE, 'keys:rewrap'], {
    env: { PATH: process.env['PATH'], ...serving.environment() },
  })
}

function placeOf({ frontDoorUrl, mail }: Cluster): PeoplePlace {
  return { frontDoor: { url: frontDoorUrl }, mail }
}
