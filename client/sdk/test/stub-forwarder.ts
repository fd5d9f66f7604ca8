import type { Plugin } from '@sealpost/plugin-kit'
import { type Received, type Reply, type StubServer, startServer } from './stub-server.ts'

export const PLUGIN = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607200'

/** Carries calls to one plugin, as the forwarder does; the test decides which passes are valid. */
export interface StubForwarder extends AsyncDisposable {
  readonly url: string
  readonly received: readonly Received[]
  /** Passes that are accepted. */
  readonly passes: Set<string>
  /** Answers the next calls in the place of the plugin, one each. */
  readonly refusals: Reply[]
}

export async function startForwarder(plugin: Plugin): Promise<StubForwarder> {
  const passes = new Set(['pass-1'])
  const refusals: Reply[] = []
  const server: StubServer = await startServer(async ({ method, path, body }) => {
    if (method !== 'POST' || path !== '/call') return refusal(404, 'http.not_found')
    const { pass, plugin_id: id, request } = callOf(body)
    const planned = refusals.shift()
    if (planned !== undefined) return planned
    if (!passes.has(String(pass))) return refusal(401, 'plugin.pass_invalid')
    if (id !== PLUGIN) return refusal(403, 'plugin.not_in_pass')
    const answer = await plugin.handle({ method, path, authorization: undefined, body: { request } })
    if (answer.status === 409) return refusal(409, 'plugin.key_changed', keyMembers(plugin))
    return answer.status === 200 ? { status: 200, json: answer.body } : refusal(502, 'plugin.not_responding')
  })
  return {
    url: server.url,
    received: server.received,
    passes,
    refusals,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** The present key, as passes and refusals have it. */
export function keyMembers(plugin: Plugin) {
  const { public_key, key_rollovers } = plugin.manifest()
  return { public_key, key_rollovers }
}

function callOf(body: string): Readonly<Record<string, unknown>> {
  const call: unknown = JSON.parse(body)
  return typeof call === 'object' ? { ...call } : {}
}

export function refusal(status: number, key: string, members: object = {}): Reply {
  return { status, json: { error: `refused: ${key}`, error_key: key, ...members } }
}
