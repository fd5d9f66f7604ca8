import { describeUnknownMember } from '@sealpost/kernel'
import type { Served } from './exchange.ts'

/** Named in a header; the rest is only mentioned. */
export const MOST_WARNINGS = 5

const SEPARATOR = '; '

/** Names the unknown members of a body that was accepted without them. */
export function setWarnings({ reply, options, unknownMembers }: Served, status: number): void {
  if (unknownMembers.length === 0 || status < 200 || status > 299) return
  const named = unknownMembers.slice(0, MOST_WARNINGS).map(describeUnknownMember)
  const more = unknownMembers.length > MOST_WARNINGS ? ['more unknown members'] : []
  reply.header(nameOf(options), [...named, ...more].join(SEPARATOR))
}

/** The answer could not be sent, and a refusal takes its place. */
export function withdrawWarnings({ reply, options }: Served): void {
  reply.removeHeader(nameOf(options))
}

function nameOf({ headerVendor }: Served['options']): string {
  return `x-${headerVendor.toLowerCase()}-warning`
}
