import { Secret } from '@sealpost/kernel'
import { openSessionAsk } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import { findAddressee, openParty } from '../../directory/index.ts'
import type { Login, OpenedSession } from '../model.ts'
import { countFailures } from './count-failures.ts'
import { makeKnownDevice } from './known-device.ts'
import { toSession } from './sign-session.ts'

/** As long as browsers keep a cookie; each login renews it. */
const KNOWN_SECONDS = 400 * 86_400

/** The home region checks the login, also that of an address without an account: see [Note: pretended accounts]. */
export async function logIn(platform: Platform, login: Login): Promise<OpenedSession> {
  const addressee = await findAddressee(platform, login.email)
  const { userId, region } = addressee
  const reply = await countFailures(platform, addressee, login.from, async () =>
    platform.bus.ask(openSessionAsk, {
      to: await openParty(platform, region),
      body: {
        user_id: userId,
        auth_verifier: login.verifier.reveal(),
        otp: login.otp,
        device_tokens: login.deviceTokens.map((token) => token.reveal()),
        trust_device: login.trustDevice,
        device_name: login.deviceName,
        device_id: login.deviceId,
        address: login.network,
      },
    }),
  )
  const { device_token: token, device_seconds: seconds } = reply
  const device = token === null ? null : { token: new Secret(token), seconds }
  const known = { token: makeKnownDevice(platform, userId, login.from.knownDevices), seconds: KNOWN_SECONDS }
  return { ...(await toSession(platform, reply, region, null)), device, known }
}
