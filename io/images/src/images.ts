import { decline, type Result } from '@sealpost/kernel'
import type { Layer, Sandbox } from '@sealpost/process/sandbox'
import { decodeApart, findDecoderSandbox } from './decoder/process.ts'
import { readHeader } from './header/header.ts'
import type { DrawnPhoto } from './photo.ts'
import type { ImageRefusal } from './refusal.ts'

/** Turns an uploaded photo into one that may be shown to others. */
export interface Images {
  /**
   * A JPEG for a page and one for a card, upright and without metadata; or why the bytes are refused. Faults of the
   * file's structure are refused without decoding.
   */
  redrawPhoto(bytes: Uint8Array, limits: { readonly maxBytes: number }): Promise<Result<DrawnPhoto, ImageRefusal>>
}

export interface ImagesOptions {
  /** Photos that wait while another is decoded; 16 by default. */
  readonly maxWaiting?: number
  /** 20 s by default: a busy, slow machine still draws the largest photo. */
  readonly timeLimitMs?: number
  /** Called before the first photo: what separates the decoder from settings and network; empty if nothing does. */
  readonly onSandbox?: (layers: readonly Layer[]) => void
}

/** One photo at a time: the memory of decoding is bounded for the whole process, not per call. */
export function openImages({ maxWaiting = 16, timeLimitMs = 20_000, onSandbox }: ImagesOptions = {}): Images {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  let sandbox: Promise<Sandbox> | null = null
  return {
    async redrawPhoto(bytes, { maxBytes }) {
      if (bytes.length > maxBytes) return decline('too_large')
      const header = readHeader(bytes)
      if (!header.ok) return header
      if (waiting > maxWaiting) return decline('busy')
      waiting += 1
      const drawn = last.then(async () => decodeApart(await (sandbox ??= enterSandbox(onSandbox)), bytes, timeLimitMs))
      last = drawn.catch(() => {})
      return drawn.finally(() => {
        waiting -= 1
      })
    },
  }
}

async function enterSandbox(onSandbox: ImagesOptions['onSandbox']): Promise<Sandbox> {
  const sandbox = await findDecoderSandbox()
  onSandbox?.(sandbox.layers)
  return sandbox
}
