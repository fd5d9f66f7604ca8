import { randomBytes } from 'node:crypto'
import { bodyOf, type Person, type Service, softDeviceKey, type World } from '@sealpost/testkit'

const DEVICES = '/api/account/trusted-devices'

/** The person consents to approve logins of the service. */
export async function enroll(world: World, service: Service, person: Person): Promise<void> {
  const state = randomBytes(16).toString('base64url')
  const query = { client_id: service.client.clientId, mode: '2fa_enroll', response_mode: 'detached', state }
  const answer = await fetch(`${world.frontDoor.url}/oauth2/authorize`, {
    method: 'POST',
    body: JSON.stringify({ ...query, decision: 'approve' }),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${person.token}` },
  })
  if (answer.status !== 200) throw new Error(`not enrolled: ${await answer.text()}`)
}

export interface TrustedDevice {
  readonly id: string
  /** The assertion of an approval. */
  readonly sign: (text: string) => { readonly device_id: string; readonly signature: string }
}

export async function addDevice(person: Person): Promise<TrustedDevice> {
  const key = softDeviceKey()
  const { challenge } = await bodyOf(person.calls('POST', `${DEVICES}/options`, { body: { kind: 'device_key' } }))
  const body = {
    auth_verifier: person.authVerifier,
    kind: 'device_key',
    name: 'A phone',
    challenge,
    public_key: key.publicKey,
    signature: key.sign(String(challenge)),
  }
  const id = String((await bodyOf(person.calls('POST', DEVICES, { body }), 201))['id'])
  return { id, sign: (text) => ({ device_id: id, signature: key.sign(text) }) }
}
