import type { Answers } from './answers.ts'
import { formatValue } from './format-value.ts'
import { finite } from './numbers.ts'
import { isRawObject, rawList, type RawObject } from './raw.ts'

const PART_KEY = /^[a-z][a-z0-9_]{0,39}$/

/**
 * Expands the answers of the named plugin elements: the slug reads as its block values, and `slug.block`,
 * `slug.block.id` and `slug.output` exist. An answer without outputs is unfinished and ignored; other text stays.
 */
export function expandPluginAnswers(answers: Answers, pluginSlugs: Iterable<string>): Answers {
  const expanded = new Map(answers)
  for (const slug of pluginSlugs) {
    const answer = readAnswer(answers.get(slug))
    if (answer === null) continue
    if (!Array.isArray(answer['outputs'])) expanded.delete(slug)
    else for (const [key, value] of entriesOf(slug, answer)) expanded.set(key, value)
  }
  return expanded
}

function entriesOf(slug: string, answer: RawObject): readonly (readonly [string, unknown])[] {
  const blocks = rawList(answer['blocks']).filter(isRawObject)
  const outputs = rawList(answer['outputs']).filter(isRawObject)
  const shown = blocks.map((block) => plainValue(block['value'])).filter((value) => value !== null)
  const parts = [...blocks, ...outputs].flatMap((part) => partEntries(slug, part))
  return [[slug, shown.map(formatValue).join(' / ')], ...parts]
}

/** `id` as a key would collide with the id of a pick. */
function partEntries(slug: string, { key, id, value }: RawObject): readonly (readonly [string, unknown])[] {
  if (typeof key !== 'string' || !PART_KEY.test(key) || key === 'id') return []
  const entries: readonly (readonly [string, unknown])[] = [
    [`${slug}.${key}`, plainValue(value)],
    [`${slug}.${key}.id`, plainValue(id)],
  ]
  return entries.filter(([, found]) => found !== null)
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'number') return finite(value)
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}

function readAnswer(answer: unknown): RawObject | null {
  if (typeof answer !== 'string') return null
  try {
    const parsed: unknown = JSON.parse(answer)
    return isRawObject(parsed) ? parsed : null
  } catch {
    return null
  }
}
