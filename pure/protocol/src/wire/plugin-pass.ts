import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { Uuid } from './scalars.ts'

/** The header `typ`: no other token of the same keys is a pass, and a pass is no other token. */
export const PASS_TYPE = 'plugin-pass+jwt'
export const PASS_ALGORITHM = 'ES256'
export const PASS_SECONDS = 600
export const passKinds = ['flow', 'registry', 'field', 'claim'] as const
export type PassKind = (typeof passKinds)[number]

/**
 * The claims of a pass besides `iat`, `exp`, `jti` and `aud`, which is the address of the forwarder. `rgn` is the home of
 * the company `cid` whose plugins are in `pid`: that region is asked about them, and its keys verify the pass.
 */
export const PassClaims = Type.Object({
  kind: Type.Enum([...passKinds]),
  pid: Type.Array(Uuid, { maxItems: 100 }),
  cid: Uuid,
  rgn: Type.String(),
  run: Type.Optional(Uuid),
  node: Type.Optional(Type.String()),
  pty: Type.Optional(Type.String()),
})
export type PassClaims = Static<typeof PassClaims>

export function isPassClaims(value: unknown): value is PassClaims {
  return Value.Check(PassClaims, value)
}
