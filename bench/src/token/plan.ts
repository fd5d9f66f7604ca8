import type { JWKS } from 'oidc-provider'

/** Instructions for the bare engine, passed as JSON in the variable `BARE_PLAN`. */
export interface BarePlan {
  readonly port: number
  readonly clientIds: readonly string[]
  /** The same for all of them. */
  readonly clientSecret: string
  readonly signingKeys: JWKS
}

export function readPlan(text: string | undefined): BarePlan {
  if (text === undefined) throw new Error('BARE_PLAN is not set: this program is started by `npm run bench -- token`')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the scenario from this type
  return JSON.parse(text) as BarePlan
}
