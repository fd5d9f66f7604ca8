import { type Account, bodyOf, type Service, softDeviceKey } from '@sealpost/testkit'
import { expect } from 'vitest'
import { type Body, copyPath, sendTo } from './documents.ts'

/** Registers a device of the account; the answer signs texts with it. */
export async function addDeviceKey(owner: Account) {
  const key = softDeviceKey()
  const path = '/api/account/trusted-devices'
  const { challenge } = await bodyOf(owner.calls('POST', `${path}/options`, { body: { kind: 'device_key' } }))
  const body = {
    auth_verifier: owner.authVerifier,
    kind: 'device_key',
    name: 'A phone',
    challenge,
    public_key: key.publicKey,
    signature: key.sign(String(challenge)),
  }
  const { id } = await bodyOf(owner.calls('POST', path, { body }), 201)
  return (text: string) => ({ device_id: String(id), signature: key.sign(text) })
}

/** Sends a document to a person and waits until it has arrived. `device` signs its content. */
export async function offerTo(
  service: Service,
  signer: Account,
  connectionId: string,
  { device, members = {} }: { readonly device: Device; readonly members?: Body },
) {
  const { id } = await sendTo(service, signer, connectionId, members)
  const path = copyPath(connectionId, id)
  await expect.poll(async () => (await signer.calls('GET', path)).status).toBe(200)
  const copy = await bodyOf(signer.calls('GET', path))
  const content_sha256 = String(copy['content_sha256'])
  return {
    id,
    path,
    copy,
    content_sha256,
    signature: { method: 'biometric', content_sha256, assertion: device(content_sha256) },
  }
}

type Device = Awaited<ReturnType<typeof addDeviceKey>>
