import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { HttpServer } from '@sealpost/http'

/** A file of a page. Such files are not part of the API, so they are no operations. */
export interface Asset {
  readonly path: string
  readonly mediaType: string
  readonly bytes: Buffer
}

/** `file` as an absolute path. */
export function readAsset(path: string, mediaType: string, file: string): Asset {
  return { path, mediaType, bytes: readFileSync(file) }
}

/** With the content's hash, so that a browser never uses a cached file of an older page. */
export function addressOf({ path, bytes }: Asset): string {
  return `${path}?v=${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}`
}

export function bindAssets({ fastify }: HttpServer, assets: readonly Asset[]): void {
  for (const { path, mediaType, bytes } of assets) {
    fastify.get(path, (_request, reply) =>
      reply
        .headers({
          'content-type': mediaType,
          'cache-control': 'public, max-age=86400, immutable',
          'x-content-type-options': 'nosniff',
        })
        .send(bytes),
    )
  }
}
