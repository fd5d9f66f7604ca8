import { bodyOf } from './call.ts'
import type { Calls } from './client-calls.ts'
import { softDeviceKey } from './passkeys.ts'

export interface TrustedDevice {
  readonly id: string
  /** The assertion of an approval or a signature: the device signs the text. */
  readonly sign: (text: string) => { readonly device_id: string; readonly signature: string }
}

export const DEVICES = '/api/account/trusted-devices'

/** Registers a device of an account, with a key that an app keeps behind its passcode. */
export async function addDevice({
  authVerifier,
  calls,
}: {
  readonly authVerifier: string
  readonly calls: Calls
}): Promise<TrustedDevice> {
  const key = softDeviceKey()
  const { challenge } = await bodyOf(calls('POST', `${DEVICES}/options`, { body: { kind: 'device_key' } }))
  const body = {
    auth_verifier: authVerifier,
    kind: 'device_key',
    name: 'A phone',
    challenge,
    public_key: key.publicKey,
    signature: key.sign(String(challenge)),
  }
  const id = String((await bodyOf(calls('POST', DEVICES, { body }), 201))['id'])
  return { id, sign: (text) => ({ device_id: id, signature: key.sign(text) }) }
}
