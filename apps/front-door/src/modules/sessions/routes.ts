import { addressName, answer, type Call, shortAddress } from '@sealpost/http'
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
import type { RouteBinder } from '../../platform/bind-route.ts'
import type { Platform } from '../../platform/module.ts'
import { findAddressee } from '../directory/index.ts'
import { confirm } from './operations/confirm.ts'
import { logIn } from './operations/log-in.ts'
import { logOut } from './operations/log-out.ts'
import { refresh } from './operations/refresh.ts'
import { register } from './operations/register.ts'
import { clearedSessionCookie, readDeviceCookies, readKnownCookies, readSessionCookie, toWire } from './wire.ts'

export function bindSessions({ bind }: RouteBinder, platform: Platform): void {
  const checkOrigin = ({ call }: { readonly call: Call }) => requireAppOrigin(platform, call)
  bind({
    operation: readSessionParams,
    async handle({ query }) {
      const { kdf } = await findAddressee(platform, query.email)
      return { kdf }
    },
  })
  bind({
    operation: openSession,
    locate: checkOrigin,
    async handle({ call, body }) {
      const opened = await logIn(platform, {
        email: body.email,
        verifier: new Secret(body.auth_verifier),
        otp: body.otp ?? null,
        trustDevice: body.trust_device ?? false,
        deviceTokens: readDeviceCookies(call),
        deviceName: call.userAgent ?? '',
        deviceId: body.device_id ?? null,
        from: { address: addressName(call.ip), knownDevices: readKnownCookies(call) },
        network: shortAddress(call.ip),
      })
      return toWire(opened)
    },
  })
  bind({
    operation: refreshSession,
    locate: checkOrigin,
    async handle({ call, body }) {
      const token = readSessionCookie(call, body.user_type)
      if (token === null) throw refuse('session.expired')
      const { user_type: userType, acting_for: actingFor = null } = body
      return toWire(await refresh(platform, { token, userType, actingFor, network: shortAddress(call.ip) }))
    },
  })
  bind({
    operation: closeSession,
    locate: checkOrigin,
    async handle({ call, query }) {
      const token = readSessionCookie(call, query.user_type)
      if (token !== null) await logOut(platform, token, query.user_type)
      return answer(undefined, { headers: { 'set-cookie': clearedSessionCookie(query.user_type) } })
    },
  })
}

export function bindRegistration({ bind }: RouteBinder, platform: Platform): void {
  bind({
    operation: registerAccount,
    async handle({ call, body }) {
      const token = await register(platform, body, addressName(call.ip))
      return { registration_token: token.reveal() }
    },
  })
  bind({
    operation: confirmRegistration,
    handle: ({ body: { email, code, registration_token: token } }) =>
      confirm(platform, { email, code, token: new Secret(token) }),
  })
}

/** Browsers attach the cookies whatever page makes the call: only pages of the web apps may use the session routes. */
function requireAppOrigin({ settings }: Platform, { origin }: Call): void {
  if (origin !== null && settings.APP_ORIGINS.includes(origin)) return
  throw refuse(
    'auth.client_endpoint_forbidden',
    {},
    {
      sentence: 'Only pages of the web apps may use sessions',
    },
  )
}
