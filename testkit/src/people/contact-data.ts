import { createCryptoPlatform, importSealingKey, sealWrapper } from '@sealpost/crypto'
import { expect } from 'vitest'
import type { Owner } from './owners.ts'

const platform = createCryptoPlatform(globalThis)

/** Seals as a device does, to the reader's key. */
export async function sealTo(publicKey: string, text: string): Promise<string> {
  const key = await importSealingKey(platform, publicKey)
  if (!key.ok) throw new Error(`this key cannot be sealed to: ${key.refusal}`)
  const sealed = await sealWrapper(platform, key.value, text)
  if (!sealed.ok) throw new Error(`this cannot be sealed: ${sealed.refusal}`)
  return sealed.value
}

export function sealToSelf({ user }: Owner, text: string): Promise<string> {
  return sealTo(user.keys.publicKey, text)
}

type Caller = Pick<Owner, 'call'>

/** The path of a field's value, by the slug of the field. */
export async function contactPath({ call }: Caller, slug: string): Promise<string> {
  const { items } = (await call('GET', '/api/contact-fields?limit=500')).body
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contract has checked the answer
  const fields = items as readonly { readonly id: string; readonly slug: string }[]
  const field = fields.find((known) => known.slug === slug)
  if (field === undefined) throw new Error(`there is no field ${slug}`)
  return `/api/contact-data/${field.id}`
}

/** As much of a picture as a server looks at. */
export const JPEG_START = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1])

export function dataUri(mimeType: string, bytes: Uint8Array): string {
  return `data:${mimeType};base64,${Buffer.from(bytes).toString('base64')}`
}

export function photoEnvelope(bytes: Uint8Array = JPEG_START): string {
  return JSON.stringify({ full: dataUri('image/jpeg', bytes) })
}

/** What a refusal looks like to a test. */
export function refused(status: number, key: string, details: Readonly<Record<string, unknown>> = {}) {
  return { status, body: { error_key: key, ...details } }
}

/** `details` may name other places, too. */
export function invalidAt(path: string) {
  return refused(400, 'request.invalid', { details: expect.arrayContaining([expect.objectContaining({ path })]) })
}
