import type { Dice } from '@sealpost/testkit/dice'
import { type Json, hostileText, hostileValue } from './atoms.ts'

/** More costs the sender, who shares its process with the servers, the seconds that an answer may take. */
const LARGEST_CHARACTERS = 16_000_000

/** The value with one part replaced, removed, doubled or renamed. */
export function mutate(dice: Dice, value: Json, baits: readonly string[]): Json {
  if (isList(value)) return mutateList(dice, value, baits)
  if (isObject(value) && !dice.chance(0.1)) return mutateObject(dice, value, baits)
  if (typeof value === 'string' && value.length > 1 && dice.chance(0.5)) return mutateText(dice, value)
  return dice.chance(0.2) ? dice.pick(baits) : hostileValue(dice)
}

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

export function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function mutateList(dice: Dice, list: readonly Json[], baits: readonly string[]): Json {
  const at = dice.below(list.length)
  const item = list[at]
  if (item === undefined) return [hostileValue(dice)]
  switch (dice.below(5)) {
    case 0:
      return list.toSpliced(at, 1)
    case 1:
      return [...list, item]
    case 2:
      return Array.from({ length: Math.min(300, timesThatFit(item)) }, () => item)
    case 3:
      return hostileValue(dice)
    default:
      return list.with(at, mutate(dice, item, baits))
  }
}

function timesThatFit(item: Json): number {
  return Math.ceil(LARGEST_CHARACTERS / JSON.stringify(item).length)
}

function mutateObject(dice: Dice, members: Readonly<Record<string, Json>>, baits: readonly string[]): Json {
  const names = Object.keys(members)
  const name = names[dice.below(names.length)]
  if (name === undefined) return { [hostileText(dice)]: hostileValue(dice) }
  const { [name]: value = null, ...rest } = members
  switch (dice.below(6)) {
    case 0:
      return rest
    case 1:
      return { ...rest, [hostileText(dice)]: value }
    case 2:
      return { ...members, [hostileText(dice)]: hostileValue(dice) }
    default:
      return { ...rest, [name]: mutate(dice, value, baits) }
  }
}

/** One character replaced, a part removed, or the whole repeated. */
function mutateText(dice: Dice, text: string): string {
  const at = dice.below(text.length)
  switch (dice.below(4)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return `${text.slice(0, at)}${hostileText(dice)}${text.slice(at + 1)}`
    case 2:
      return text.repeat(Math.min(3, Math.ceil(60_000 / text.length)))
    default:
      return text.toUpperCase() === text ? text.toLowerCase() : text.toUpperCase()
  }
}
