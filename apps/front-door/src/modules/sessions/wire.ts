import { answer, type Call } from '@sealpost/http'
import { Secret } from '@sealpost/kernel'
import type { CookieToken, OpenedSession, UserType } from './model.ts'

const USER_TYPES: readonly UserType[] = ['person', 'company']
/** Not readable for scripts, not sent from other sites, over TLS and to the session routes only. */
const ATTRIBUTES = 'HttpOnly; Secure; SameSite=Strict; Path=/api/session'

/** The access token in the body, the other tokens as cookies. */
export function toWire({ answer: body, userType, refresh, device, known }: OpenedSession) {
  const cookies = [tokenCookie(sessionName(userType), refresh)]
  if (device !== null) cookies.push(tokenCookie(deviceName(userType), device))
  if (known !== null) cookies.push(tokenCookie(knownName(userType), known))
  return answer(body, { headers: { 'set-cookie': cookies } })
}

export function clearedSessionCookie(userType: UserType): string {
  return cookie(sessionName(userType), '', 0)
}

export function readSessionCookie(call: Call, userType: UserType): Secret<string> | null {
  return readCookie(call, sessionName(userType))
}

/** A device cookie replaces the one-time code; there is one per user type, as with sessions. */
export function readDeviceCookies(call: Call): readonly Secret<string>[] {
  return readCookies(call, deviceName)
}

/** Of browsers that have logged in before; it replaces nothing. */
export function readKnownCookies(call: Call): readonly Secret<string>[] {
  return readCookies(call, knownName)
}

function readCookies(call: Call, nameFor: (userType: UserType) => string): readonly Secret<string>[] {
  return USER_TYPES.map((userType) => readCookie(call, nameFor(userType))).filter((token) => token !== null)
}

function readCookie(call: Call, name: string): Secret<string> | null {
  const text = call.cookie(name)
  return text === null || text === '' ? null : new Secret(text)
}

function sessionName(userType: UserType): string {
  return `__Secure-session-${userType}`
}

function deviceName(userType: UserType): string {
  return `__Secure-device-${userType}`
}

function knownName(userType: UserType): string {
  return `__Secure-known-${userType}`
}

function tokenCookie(name: string, { token, seconds }: CookieToken): string {
  return cookie(name, token.reveal(), seconds)
}

function cookie(name: string, value: string, maxAgeSeconds: number): string {
  return `${name}=${value}; Max-Age=${maxAgeSeconds}; ${ATTRIBUTES}`
}
