import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HttpServer } from '@sealpost/http'

interface Asset {
  readonly path: string
  readonly mediaType: string
  readonly bytes: Buffer
}

const script = readAsset('/oauth2/authorize.js', 'text/javascript; charset=utf-8', 'login-script.generated.js')
const style = readAsset('/oauth2/authorize.css', 'text/css; charset=utf-8', 'page.css')

/** With the content's hash, so that a browser never uses a cached file of an older page. */
export const SCRIPT_URL = addressOf(script)
export const STYLE_URL = addressOf(style)

/** The files of the sign-in page. They are not part of the API, so they are no operations. */
export function bindAssets({ fastify }: HttpServer): void {
  for (const { path, mediaType, bytes } of [script, style]) {
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

function readAsset(path: string, mediaType: string, file: string): Asset {
  return { path, mediaType, bytes: readFileSync(join(import.meta.dirname, file)) }
}

function addressOf({ path, bytes }: Asset): string {
  return `${path}?v=${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}`
}
