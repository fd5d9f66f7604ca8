import { nearest } from './nearest.ts'

/**
 * The members that an object, or each object of a list, may have: a tree for objects below, null for any other content,
 * false for a member that is ignored on purpose, such as one that an answer shows and a write does not change.
 */
export interface MemberTree {
  readonly [name: string]: MemberTree | null | false
}

export interface UnknownMember {
  /** `decisions[0].knd`, in visible ASCII, not longer than some hundred characters. */
  readonly path: string
  /** The member that was probably meant; null when none is alike. */
  readonly meant: string | null
}

/** At most `most` of them, in the order of the value. */
export function findUnknownMembers(tree: MemberTree, value: unknown, most: number): readonly UnknownMember[] {
  const found: UnknownMember[] = []
  collect({ found, most }, tree, value, '')
  return found
}

/** `unknown member "evnts", did you mean "events"?` */
export function describeUnknownMember({ path, meant }: UnknownMember): string {
  return meant === null ? `unknown member "${path}"` : `unknown member "${path}", did you mean "${meant}"?`
}

interface Search {
  readonly found: UnknownMember[]
  readonly most: number
}

function collect(search: Search, tree: MemberTree, value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && search.found.length < search.most; at += 1)
      collect(search, tree, value[at], `${path}[${at}]`)
    return
  }
  for (const [name, member] of Object.entries(value)) {
    if (search.found.length >= search.most) return
    // JSON has no such members.
    if (member === undefined) continue
    const at = path === '' ? shown(name) : `${path}.${shown(name)}`
    const below = Object.hasOwn(tree, name) ? tree[name] : undefined
    if (below === undefined) search.found.push({ path: at, meant: meantBy(tree, name) })
    else if (below !== null && below !== false) collect(search, below, member, at)
  }
}

function meantBy(tree: MemberTree, name: string): string | null {
  if (name.length > LONGEST_NAME) return null
  const known = Object.keys(tree).filter((each) => tree[each] !== false)
  return nearest(name, known)
}

const LONGEST_NAME = 40

/** The caller chose the name: it must fit into a header and into a line of a log. */
function shown(name: string): string {
  const start = name.slice(0, LONGEST_NAME).replaceAll(/[^\w.-]/g, escapeOf)
  return name.length > LONGEST_NAME ? `${start}...` : start
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
