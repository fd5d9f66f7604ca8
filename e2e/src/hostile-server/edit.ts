import type { HonestAnswer, Lie } from './proxy.ts'

/** A new value, or a function of the present one. */
type Change = unknown

function isFunction(change: Change): change is (present: unknown) => unknown {
  return typeof change === 'function'
}

/** Changes members of every answer at this address. Paths are like `services.0.public_key`; `*` is every element of a list or map. */
export function answers(
  method: string,
  path: RegExp,
  changes: Readonly<Record<string, Change>> | ((body: unknown) => unknown),
): Lie {
  return ({ method: used, path: at, body }: HonestAnswer) => {
    if (used !== method || !path.test(at)) return undefined
    if (typeof changes === 'function') return changes(body)
    return Object.entries(changes).reduce((told, [member, change]) => setAt(told, member.split('.'), change), body)
  }
}

/** A copy with one member changed; a path that does not exist changes nothing but its last member. */
export function setAt(value: unknown, path: readonly string[], change: Change): unknown {
  const [step, ...rest] = path
  if (step === undefined) return isFunction(change) ? change(value) : change
  if (Array.isArray(value)) {
    return value.map((item: unknown, at) => (step === '*' || step === String(at) ? setAt(item, rest, change) : item))
  }
  if (typeof value !== 'object' || value === null) return value
  const members: Readonly<Record<string, unknown>> = { ...value }
  if (step === '*')
    return Object.fromEntries(Object.entries(members).map(([name, item]) => [name, setAt(item, rest, change)]))
  const isKnown = step in members || rest.length === 0
  return isKnown ? { ...members, [step]: setAt(members[step], rest, change) } : members
}

export function getAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, step) => {
    if (typeof found !== 'object' || found === null) return undefined
    const members: Readonly<Record<string, unknown>> = { ...found }
    return members[step]
  }, value)
}
