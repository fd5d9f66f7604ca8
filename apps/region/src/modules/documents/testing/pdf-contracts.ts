import { bodyOf, dataUri, openFileCopy, sealTo, type Service, type TestUser, underOneTimeKey } from '@sealpost/testkit'
import { expect } from 'vitest'
import { type Body, copyPath, DOCUMENTS, type Reader, sendTo, sha256 } from './documents.ts'

/** Sends a PDF to be signed, or accepted, and waits until it has arrived. */
export async function offerPdf(
  service: Service,
  reader: Reader,
  connectionId: string,
  { plain, members = {} }: { readonly plain: Uint8Array; readonly members?: Body },
) {
  const { id } = await sendTo(service, reader, connectionId, {
    payload_kind: 'file',
    plain_sha256: sha256(plain),
    ...members,
  })
  const value = await sealTo(
    reader.user.keys.publicKey,
    JSON.stringify({ file: dataUri('application/pdf', plain), original_name: 'terms.pdf' }),
  )
  await bodyOf(service.data('POST', `${DOCUMENTS}/${id}/file`, { body: { value } }))
  const path = copyPath(connectionId, id)
  await expect.poll(async () => (await reader.calls('GET', path)).status).toBe(200)
  return { id, path, contentSha256: sha256(value), plain }
}

export type PdfOffer = Awaited<ReturnType<typeof offerPdf>>

/** What a signer sends with any method, and all that an acceptance needs. */
export async function handOver({ contentSha256, plain }: PdfOffer) {
  return { content_sha256: contentSha256, plain_sha256: sha256(plain), ...(await underOneTimeKey(plain)) }
}

/** The file of the copy, once it is another than the one that was offered. */
export async function readSealed(
  reader: { readonly user: Pick<TestUser, 'keys'> } & Reader,
  { path, contentSha256 }: PdfOffer,
): Promise<Buffer> {
  const read = async () => String((await bodyOf(reader.calls('GET', `${path}/file`)))['value'])
  await expect.poll(async () => sha256(await read())).not.toBe(contentSha256)
  return openFileCopy(reader.user, await read())
}
