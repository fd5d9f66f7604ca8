import type { Call } from '@sealpost/http'
import { Secret } from '@sealpost/kernel'

export type UserType = 'person' | 'company'

const USER_TYPES: readonly UserType[] = ['person', 'company']
/** Out of reach for scripts and for other sites, sent over TLS only and to the session routes only. */
const MANNERS = 'HttpOnly; Secure; SameSite=Strict; Path=/api/session'

export function sessionCookie(userType: UserType, token: Secret<string>, maxAgeSeconds: number): string {
  return cookie(sessionName(userType), token.reveal(), maxAgeSeconds)
}

export function clearedSessionCookie(userType: UserType): string {
  return cookie(sessionName(userType), '', 0)
}

/** Stands in for the one-time code; one per user type, like the sessions. */
export function deviceCookie(userType: UserType, token: Secret<string>, maxAgeSeconds: number): string {
  return cookie(deviceName(userType), token.reveal(), maxAgeSeconds)
}

export function readSessionCookie(call: Call, userType: UserType): Secret<string> | null {
  const text = call.cookie(sessionName(userType))
  return text === null || text === '' ? null : new Secret(text)
}

export function readDeviceCookies(call: Call): readonly Secret<string>[] {
  const found = USER_TYPES.map((userType) => call.cookie(deviceName(userType)))
  return found.filter((text) => text !== null && text !== '').map((text) => new Secret(String(text)))
}

function sessionName(userType: UserType): string {
  return `__Secure-session-${userType}`
}

function deviceName(userType: UserType): string {
  return `__Secure-device-${userType}`
}

function cookie(name: string, value: string, maxAgeSeconds: number): string {
  return `${name}=${value}; Max-Age=${maxAgeSeconds}; ${MANNERS}`
}
