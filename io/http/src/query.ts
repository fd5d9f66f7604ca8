import { accept, decline, type Result } from '@sealpost/kernel'

export interface TextMemberFault {
  readonly name: string | null
  readonly message: string
}

export type TextMembers = Readonly<Record<string, string>>

const MOST_MEMBERS = 200

/**
 * Parses `a=1&b=2` of a query or a form. A repeated name is refused: parsers disagree about which one counts. The
 * result has no prototype, so a member called `constructor` is an ordinary one.
 */
export function readTextMembers(text: string): Result<TextMembers, TextMemberFault> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object without a prototype has no other way in
  const members = Object.create(null) as Record<string, string>
  const pairs = text === '' ? [] : text.split('&')
  if (pairs.length > MOST_MEMBERS) return decline({ name: null, message: `has more than ${MOST_MEMBERS} members` })
  for (const pair of pairs) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals === -1 ? pair : pair.slice(0, equals))
    const value = decode(equals === -1 ? '' : pair.slice(equals + 1))
    if (name === null) return decline({ name: null, message: 'holds a broken percent-escape' })
    if (value === null) return decline({ name, message: 'holds a broken percent-escape' })
    if (value.includes('\0') || name.includes('\0')) return decline({ name, message: 'holds a NUL' })
    if (name in members) return decline({ name, message: 'is given more than once' })
    members[name] = value
  }
  return accept(members)
}

function decode(text: string): string | null {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return null
  }
}
