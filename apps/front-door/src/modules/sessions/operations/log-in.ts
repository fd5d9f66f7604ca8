import { Secret } from '@sealpost/kernel'
import { openSessionAsk } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import { findAddressee, openParty } from '../../directory/index.ts'
import type { Login, OpenedSession } from '../model.ts'
import { toSession } from './sign-session.ts'
import { takeFromAccount } from './take-from-account.ts'

/** The home region checks the login, also that of an address without an account: see [Note: pretended accounts]. */
export async function logIn(platform: Platform, login: Login): Promise<OpenedSession> {
  const { emailHash, userId, region } = await findAddressee(platform, login.email)
  await takeFromAccount(platform, emailHash)
  const reply = await platform.bus.ask(openSessionAsk, {
    to: await openParty(platform, region),
    body: {
      user_id: userId,
      auth_verifier: login.verifier.reveal(),
      otp: login.otp,
      device_tokens: login.deviceTokens.map((token) => token.reveal()),
      trust_device: login.trustDevice,
      device_name: login.deviceName,
    },
  })
  const { device_token: token, device_seconds: seconds } = reply
  const device = token === null ? null : { token: new Secret(token), seconds }
  return { ...(await toSession(platform, reply, region, null)), device }
}
