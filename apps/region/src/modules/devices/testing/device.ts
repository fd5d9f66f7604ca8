import { bodyOf, type Person, softDeviceKey } from '@sealpost/testkit'

const PATH = '/api/account/trusted-devices'

/** A trusted device of a person; answers the path of its subscriptions. */
export async function addDevice(person: Person): Promise<{ readonly id: string; readonly path: string }> {
  const { challenge } = await bodyOf(person.calls('POST', `${PATH}/options`, { body: { kind: 'device_key' } }))
  const key = softDeviceKey()
  const body = {
    auth_verifier: person.authVerifier,
    kind: 'device_key',
    name: 'My phone',
    challenge,
    public_key: key.publicKey,
    signature: key.sign(String(challenge)),
  }
  const id = String((await bodyOf(person.calls('POST', PATH, { body }), 201))['id'])
  return { id, path: `${PATH}/${id}/push` }
}
