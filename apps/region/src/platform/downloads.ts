import { Readable } from 'node:stream'
import { type Answer, answer } from '@sealpost/http'
import type { ObjectKey, Objects, Sha256 } from '@sealpost/objects'
import { refuse } from '@sealpost/protocol'
import type { Telemetry } from '@sealpost/telemetry'
import { digestHeader, type RegionSettings } from '../settings.ts'
import type { Caller } from './caller.ts'
import { reportMissing } from './missing-object.ts'

/** The downloads that this process is sending, by caller. */
export interface Downloads {
  /** Refuses a caller that has too many; call the result when the download is over. */
  begin(caller: Caller): () => void
}

/** A download holds a connection to the file store until its reader has it, so one caller may have only a few. */
export function openDownloads(mostPerCaller: number): Downloads {
  const sending = new Map<string, number>()
  return {
    begin(caller) {
      const name = nameOf(caller)
      const before = sending.get(name) ?? 0
      if (before >= mostPerCaller) throw tooMany(before)
      sending.set(name, before + 1)
      return () => {
        const left = (sending.get(name) ?? 0) - 1
        if (left > 0) sending.set(name, left)
        else sending.delete(name)
      }
    },
  }
}

function tooMany(count: number): Error {
  const sentence = `${count} downloads of this caller are not finished; finish or close one first`
  return refuse('rate.limited', undefined, { retryAfterSeconds: 1, sentence })
}

/** All clients of a service count together, as they do for limits of rates. */
function nameOf({ client, userId, accountId }: Caller): string {
  if (client === null) return `user:${accountId}:${userId}`
  return client.serviceId === null ? `client:${client.clientId}` : `service:${client.serviceId}`
}

interface Stored {
  readonly objectKey: ObjectKey
  readonly sha256: Sha256
}

interface Sending {
  readonly objects: Objects
  readonly downloads: Downloads
  readonly telemetry: Telemetry
}

/** Of files whose bytes are a wrapper. */
export const SEALED_TYPE = 'application/json; charset=utf-8'

/** A file that its reader checks against the digest; refuses when the store does not have it. */
export async function sendDownload(
  platform: Sending & { readonly settings: RegionSettings },
  caller: Caller,
  stored: Stored,
  contentType = SEALED_TYPE,
): Promise<Answer<Readable>> {
  const sent = await sendFile(platform, caller, stored, {
    'content-type': contentType,
    [digestHeader(platform.settings)]: stored.sha256,
    // A customer may have made this file: no browser may render it as a page of this site.
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
    // The digest covers these bytes, so no proxy may compress them.
    'cache-control': 'private, no-store, no-transform',
  })
  if (sent === null) throw refuse('company_data.file_not_found')
  return sent
}

/** The file as an answer; null when the store does not have it. */
export async function sendFile(
  platform: Sending,
  caller: Caller,
  { objectKey, sha256 }: Stored,
  headers: Readonly<Record<string, string>>,
): Promise<Answer<Readable> | null> {
  const { objects, downloads } = platform
  const end = downloads.begin(caller)
  try {
    const opened = await objects.open(objectKey, sha256)
    if (opened.ok) {
      const { bytes, sizeBytes } = opened.value
      const body = Readable.from(bytes, { objectMode: false })
      return answer(body, { headers: { ...headers, 'content-length': sizeBytes }, onClosed: end })
    }
  } catch (error) {
    end()
    throw error
  }
  end()
  reportMissing(platform, objectKey)
  return null
}
