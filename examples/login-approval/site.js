import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { memoryPins, ServiceClient } from '@sealpost/sdk'
import { Approvals } from './approvals.js'

const { FRONT_DOOR, CLIENT_ID, CLIENT_SECRET, USERS = '{}' } = process.env

const client = new ServiceClient({
  frontDoorUrl: FRONT_DOOR,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  pins: memoryPins(),
})
/** Your users, and the share code of each: it comes with `connection_created`. */
const users = new Map(Object.entries(JSON.parse(USERS)))
const approvals = new Approvals(client)
const sessions = new Map()

/** Also the page of a user who is logged in: the script asks `/me`. */
export const page = readFileSync(new URL('page.html', import.meta.url), 'utf8')

/** The browser has the attempt as a cookie, which its scripts cannot read and other sites cannot send. */
export const COOKIE = { httpOnly: true, sameSite: 'strict', path: '/' }

/** Check the password before this: the approval is the second step. */
export async function beginLogin(name) {
  const shareCode = users.get(name)
  if (shareCode === undefined) return { id: '', state: 'refused', digits: null }
  return approvals.begin({ user: name, shareCode, context: 'Login to the example shop' })
}

/** Answers `session`, the value of the session's cookie, once. */
export function readLogin(attemptId) {
  const { state, user } = approvals.read(attemptId)
  if (state !== 'approved') return { state }
  const session = randomBytes(32).toString('base64url')
  sessions.set(session, user)
  return { state, session }
}

export function userOf(session) {
  return sessions.get(session) ?? null
}
