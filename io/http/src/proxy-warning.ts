import type { IncomingMessage } from 'node:http'
import type { HttpServer } from './http-server.ts'

const REMEDY =
  'set TRUSTED_PROXIES to its address: until then all callers behind it count as one source and share one login limit'

/**
 * What to tell an operator whose settings show a proxy that is not named; null when they show none. Our servers speak
 * plain HTTP, so a public https address is served through a proxy.
 */
export function proxyAdvice(publicUrl: string, trustedProxies: readonly string[]): string | null {
  if (trustedProxies.length > 0 || !publicUrl.startsWith('https:')) return null
  return `${publicUrl} is served through a proxy and TRUSTED_PROXIES is empty; ${REMEDY}`
}

/** Logs once when a request says that it was forwarded while no proxy is trusted. */
export function warnOfProxy({ fastify, options }: HttpServer): void {
  if (options.trustedProxies.length > 0) return
  const { server } = fastify
  server.on('request', look)

  function look({ headers, socket }: IncomingMessage): void {
    if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return
    server.off('request', look)
    const peer = socket.remoteAddress ?? 'unknown'
    options.telemetry.log.warn(
      { peer },
      `a request says that a proxy has forwarded it and TRUSTED_PROXIES is empty; if there is one, ${REMEDY}`,
    )
  }
}
