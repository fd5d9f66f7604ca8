import type { Static, TSchema } from 'typebox'
import { parseAs } from './ask.ts'

/** Definition of a durable message between parties, shared by both ends; `io/bus` carries it. */
export interface TellDefinition<Body> {
  /** Module and occurrence: `account.erased`. */
  readonly kind: string
  readonly version: number
  parse(value: unknown): Body
}

interface TellShape<Body extends TSchema> {
  readonly kind: string
  readonly version: number
  readonly body: Body
}

export function defineTell<Body extends TSchema>({
  kind,
  version,
  body,
}: TellShape<Body>): TellDefinition<Static<Body>> {
  return { kind, version, parse: (value) => parseAs<Body>(body, value, kind) }
}
