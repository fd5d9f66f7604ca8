import { randomBytes } from 'node:crypto'
import type { Random } from '@sealpost/kernel'
import type { Objects, ObjectsPlace, Patience } from '@sealpost/objects'
import { onTestFinished } from 'vitest'
import { startTamperingProxy, type Tampering } from './tampering-proxy.ts'

/** The storage under test, as the parts of the suite see it. */
export interface Storage {
  readonly objects: Objects
  readonly place: ObjectsPlace
  readonly open: OpenObjects
}

export type OpenObjects = (place: ObjectsPlace, patience?: Partial<Patience>) => Objects

export const random: Random = { bytes: (length) => randomBytes(length) }

export const contentType = 'application/octet-stream'

/** The same storage by way of a bad wire. */
export async function openTampered({ place, open }: Storage, tampering: Tampering): Promise<Objects> {
  const proxy = await startTamperingProxy(place.endpoint, tampering)
  const tampered = open({ ...place, endpoint: proxy.url }, { attempts: 1 })
  onTestFinished(async () => {
    tampered.close()
    await proxy.close()
  })
  return tampered
}

export async function* inChunks(bytes: Uint8Array, chunkBytes = 16_384): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

export async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks)
}
