import { tokensOf } from './pattern-syntax.ts'

interface Group {
  /** The size of the group so far. */
  size: number
  /** The size of the part that a following repeat would multiply. */
  last: number
}

/** How many tokens a valid pattern has when its counted repeats are written out: `(a{10}b){20}` has 240. */
export function writtenOutSize(pattern: string): number {
  const open: Group[] = []
  let group: Group = { size: 0, last: 0 }
  for (const token of tokensOf(pattern)) {
    if (token.startsWith('(')) {
      open.push(group)
      group = { size: 0, last: 0 }
    } else if (token === ')') {
      group = grow(open.pop(), group.size + 1)
    } else if (token.length > 1 && token.startsWith('{')) {
      group = repeat(group, token)
    } else {
      group = grow(group, 1)
    }
  }
  return group.size
}

function grow(group: Group | undefined, last: number): Group {
  return { size: (group?.size ?? 0) + last, last }
}

function repeat({ size, last }: Group, token: string): Group {
  const times = Math.max(1, ...(token.match(/[0-9]+/g) ?? []).map(Number))
  return { size: size + last * (times - 1), last: last * times }
}
