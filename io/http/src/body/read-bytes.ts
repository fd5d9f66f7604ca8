import type { IncomingMessage } from 'node:http'
import { paceBody } from '../intake.ts'

export class BodyTooLarge extends Error {}

const NOTHING = Buffer.alloc(0)

export interface Reading {
  readonly limit: number
  /** Told of bytes before they are kept; may throw. */
  readonly onBytes: (count: number) => void
  /** Told of bytes that were read; for so many milliseconds no more are to be read. */
  readonly onRead: (count: number) => number
}

/**
 * The declared length counts as arrived: a caller who declares 64 MiB gets the room, or a refusal, at once. What is left
 * of the body after a refusal is discarded, see `discardBody`.
 */
export function readBytes(raw: IncomingMessage, { limit, onBytes, onRead }: Reading): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  if (encoding === undefined && (length === undefined || length === '0')) return Promise.resolve(NOTHING)
  const declared = encoding === undefined ? Number(length) : null
  if (declared !== null && declared > limit) return Promise.reject(new BodyTooLarge())
  // The caller may have left while a gate was waiting; no further event would come.
  if (raw.destroyed) return Promise.reject(new Error('the body was cut off'))
  if (declared === null) return collect(raw, openList(limit, onBytes), onRead)
  return fill(raw, declared, { onBytes, onRead })
}

/** Where arriving bytes are kept. */
interface Vessel {
  add(chunk: Buffer): void
  whole(): Buffer
}

async function fill(
  raw: IncomingMessage,
  length: number,
  { onBytes, onRead }: Omit<Reading, 'limit'>,
): Promise<Buffer> {
  onBytes(length)
  return collect(raw, openBlock(length), onRead)
}

/** One block of the declared length: joining chunks at the end would hold the body twice. */
function openBlock(length: number): Vessel {
  // Not zeroed, so that memory is taken as bytes arrive; each is overwritten before the block is read.
  const block = Buffer.allocUnsafeSlow(length)
  let size = 0
  return {
    add: (chunk) => void (size += chunk.copy(block, size)),
    whole: () => block.subarray(0, size),
  }
}

/** For a body of unknown length. */
function openList(limit: number, onBytes: (count: number) => void): Vessel {
  const chunks: Buffer[] = []
  let size = 0
  return {
    add(chunk) {
      size += chunk.length
      if (size > limit) throw new BodyTooLarge()
      onBytes(chunk.length)
      chunks.push(chunk)
    },
    whole: () => Buffer.concat(chunks),
  }
}

function collect(raw: IncomingMessage, vessel: Vessel, onRead: Reading['onRead']): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const onData = (chunk: Buffer): void => {
    try {
      vessel.add(chunk)
      paceBody(raw, onRead(chunk.length))
    } catch (error) {
      stop(() => reject(error))
    }
  }
  const onEnd = (): void => stop(() => resolve(vessel.whole()))
  const onCut = (): void => stop(() => reject(new Error('the body was cut off')))
  const stop = (finish: () => void): void => {
    raw.off('data', onData).off('end', onEnd).off('close', onCut)
    raw.pause()
    finish()
  }
  raw.on('data', onData).on('end', onEnd).on('close', onCut).on('error', onCut)
  return promise
}
