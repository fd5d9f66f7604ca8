import { answer, bindRoute, type Gates, type HttpServer } from '@sealpost/http'
import { Secret } from '@sealpost/kernel'
import {
  closeSession,
  confirmRegistration,
  openSession,
  readSessionParams,
  refreshSession,
  refuse,
  registerAccount,
} from '@sealpost/protocol'
import { clearedSessionCookie, deviceCookie, readDeviceCookies, readSessionCookie, sessionCookie } from './cookies.ts'
import { checkOrigin } from './guards.ts'
import { findAddressee } from './homes.ts'
import type { SessionNeeds } from './needs.ts'
import { logIn, logOut, type Opened, refresh } from './operations.ts'
import { confirm, register } from './registration.ts'

export function bindSessions<Caller>(server: HttpServer, gates: Gates<Caller>, needs: SessionNeeds): void {
  bindRoute(server, gates, {
    operation: readSessionParams,
    async handle({ query }) {
      const { kdf } = await findAddressee(needs, query.email)
      return { kdf }
    },
  })
  bindRoute(server, gates, {
    operation: openSession,
    locate: ({ call }) => checkOrigin(needs, call),
    async handle({ call, body }) {
      const opened = await logIn(needs, {
        email: body.email,
        verifier: new Secret(body.auth_verifier),
        otp: body.otp ?? null,
        trustDevice: body.trust_device ?? false,
        deviceTokens: readDeviceCookies(call),
        deviceName: call.userAgent ?? '',
      })
      return answerOf(opened)
    },
  })
  bindRoute(server, gates, {
    operation: refreshSession,
    locate: ({ call }) => checkOrigin(needs, call),
    async handle({ call, body }) {
      const token = readSessionCookie(call, body.user_type)
      if (token === null) throw refuse('session.expired')
      return answerOf(await refresh(needs, token, body.user_type, body.acting_for ?? null))
    },
  })
  bindRoute(server, gates, {
    operation: closeSession,
    locate: ({ call }) => checkOrigin(needs, call),
    async handle({ call, query }) {
      const token = readSessionCookie(call, query.user_type)
      if (token !== null) await logOut(needs, token, query.user_type)
      return answer(undefined, { headers: { 'set-cookie': clearedSessionCookie(query.user_type) } })
    },
  })
}

export function bindRegistration<Caller>(server: HttpServer, gates: Gates<Caller>, needs: SessionNeeds): void {
  bindRoute(server, gates, {
    operation: registerAccount,
    async handle({ body }) {
      await register(needs, body)
      return { status: 'mail_sent' as const }
    },
  })
  bindRoute(server, gates, {
    operation: confirmRegistration,
    handle: ({ body }) => confirm(needs, body.email, body.code),
  })
}

function answerOf({ answer: body, userType, refresh: kept, device }: Opened) {
  const cookies = [sessionCookie(userType, kept.token, kept.seconds)]
  if (device !== null) cookies.push(deviceCookie(userType, device.token, device.seconds))
  return answer(body, { headers: { 'set-cookie': cookies } })
}
