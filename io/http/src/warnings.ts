import { describeUnknownMember } from '@sealpost/kernel'
import type { Served } from './exchange.ts'

/** Named in a header; the rest is only mentioned. */
export const MOST_WARNINGS = 5

const SEPARATOR = '; '

/** The warnings of the handler, and the unknown members of a body that was accepted without them. */
export function setWarnings(exchange: Served, status: number, warnings: readonly string[] = []): void {
  const { reply, options, unknownMembers } = exchange
  const named = unknownMembers.slice(0, MOST_WARNINGS).map(describeUnknownMember)
  const more = unknownMembers.length > MOST_WARNINGS ? ['more unknown members'] : []
  const all = [...warnings, ...named, ...more]
  if (all.length === 0 || status < 200 || status > 299) return
  reply.header(nameOf(options), all.join(SEPARATOR))
}

/** As a header that is stored with the answer; unknown members are named anew by each call. */
export function warningHeaders(
  { options }: Pick<Served, 'options'>,
  warnings: readonly string[] = [],
): Readonly<Record<string, string>> {
  return warnings.length === 0 ? {} : { [nameOf(options)]: warnings.join(SEPARATOR) }
}

export function keptWarnings(
  { options }: Pick<Served, 'options'>,
  headers: Readonly<Record<string, string>>,
): readonly string[] {
  const kept = headers[nameOf(options)]
  return kept === undefined ? [] : [kept]
}

/** The answer could not be sent, and a refusal takes its place. */
export function withdrawWarnings({ reply, options }: Served): void {
  reply.removeHeader(nameOf(options))
}

function nameOf({ headerVendor }: Served['options']): string {
  return `x-${headerVendor.toLowerCase()}-warning`
}
