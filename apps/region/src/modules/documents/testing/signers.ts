import { type Account, bodyOf, type Service, type TrustedDevice } from '@sealpost/testkit'
import { expect } from 'vitest'
import { type Body, copyPath, sendTo } from './documents.ts'

/** Sends a document to a person and waits until it has arrived. `device` signs its content. */
export async function offerTo(
  service: Service,
  signer: Account,
  connectionId: string,
  { device, members = {} }: { readonly device: TrustedDevice; readonly members?: Body },
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
    signature: { method: 'biometric', content_sha256, assertion: device.sign(content_sha256) },
  }
}
