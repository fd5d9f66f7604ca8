import { randomBytes } from 'node:crypto'
import { bodyOf, type Calls, connectNewUser, northwind, softDeviceKey, type TestUser } from '@sealpost/testkit'
import type { Site } from './site.ts'

/** A person in us who approves logins at the company in eu. */
export interface Approver {
  readonly user: TestUser
  readonly calls: Calls
  /** Signs with the person's device. */
  readonly sign: (text: string) => object
}

const DEVICES = '/api/account/trusted-devices'

export async function openApprover({ installation }: Site): Promise<Approver> {
  const wanted = { userType: 'person', region: 'us' } as const
  const { user, token, calls } = await connectNewUser(installation, wanted, northwind)
  await enroll(installation.frontDoor.url, token)
  return { user, calls, sign: await addDevice(user, calls) }
}

async function enroll(frontDoor: string, token: string): Promise<void> {
  const state = randomBytes(16).toString('hex')
  const query = { client_id: northwind.clientId, mode: '2fa_enroll', response_mode: 'detached', state }
  const answer = await fetch(`${frontDoor}/oauth2/authorize`, {
    method: 'POST',
    body: JSON.stringify({ ...query, decision: 'approve' }),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  })
  if (answer.status !== 200) throw new Error(`not enrolled: ${await answer.text()}`)
}

async function addDevice({ authVerifier }: TestUser, calls: Calls): Promise<Approver['sign']> {
  const key = softDeviceKey()
  const { challenge } = await bodyOf(calls('POST', `${DEVICES}/options`, { body: { kind: 'device_key' } }))
  const about = { auth_verifier: authVerifier, kind: 'device_key', name: 'A phone', challenge }
  const body = { ...about, public_key: key.publicKey, signature: key.sign(String(challenge)) }
  const { id } = await bodyOf(calls('POST', DEVICES, { body }), 201)
  return (text) => ({ device_id: String(id), signature: key.sign(text) })
}
