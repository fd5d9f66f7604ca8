/** Each layer is a server process that does everything the layer before does, and one thing more. */
export const layers = {
  bare: 'Fastify alone, answering the same body',
  bound: 'our HTTP adapter: request id, headers, steps, compiled answer; gates that pass every call',
  logged: '+ one log line per request and the metrics',
  traced: '+ the trace, at the default share of sampled requests',
  guarded: '+ token, revocation guard and patterns, with the real client behind them',
  region: '+ the rate limit shared through Redis: a whole region process',
} as const

export type Layer = keyof typeof layers
/** The layers that `layer-server.ts` serves; the last one is the product itself. */
export type ServerLayer = Exclude<Layer, 'region'>

export const SERVER_LAYERS: readonly ServerLayer[] = ['bare', 'bound', 'logged', 'traced', 'guarded']

export const BODY = {
  company_user_id: '019a0000-0000-7000-8000-0000000000e1',
  service_id: '019a0000-0000-7000-8000-0000000000e2',
}
