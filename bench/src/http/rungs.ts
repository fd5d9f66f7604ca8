/** The ladder: each rung is a server process that does everything the one before does, and one thing more. */
export const rungs = {
  bare: 'Fastify alone, answering the same body',
  bound: 'our HTTP adapter: request id, headers, steps, compiled answer; gates that let everybody through',
  logged: '+ one log line per request and the metrics',
  traced: '+ the trace, at the default share of sampled requests',
  guarded: '+ token, revocation guard and patterns, with the real client behind them',
  region: '+ the rate limit shared through Redis: a whole region process',
} as const

export type Rung = keyof typeof rungs
/** What `rung-server.ts` can be; the last rung is the product itself. */
export type BuiltRung = Exclude<Rung, 'region'>

export const BUILT: readonly BuiltRung[] = ['bare', 'bound', 'logged', 'traced', 'guarded']

export const BODY = {
  company_user_id: '019a0000-0000-7000-8000-0000000000e1',
  service_id: '019a0000-0000-7000-8000-0000000000e2',
}
