import { accept, createBoundedCache, decline, type Result } from '@sealpost/kernel'
import { RE2JS } from 're2js'
import type { RowReason } from '../registry/row-reasons.ts'
import { writtenOutSize } from './pattern-size.ts'
import { translatePattern } from './pattern-syntax.ts'

/** A compiled regex that is matched against whole values, in time linear in their length. */
export interface Pattern {
  readonly steps: number
  matches(text: string): boolean
}

export type PatternReason = Extract<RowReason, `pattern_${string}`>

const LENGTH_MAX = 200
const TEXT_MAX = 65_536
const WRITTEN_OUT_MAX = 2048
const CACHE_MAX = 128

// The step budget. Linear time is not enough: sixteen `[ab]{0,999}` in a row under a star compile to 30,000
// instructions, each of which may be active at every character: minutes for 50,000 characters. So counted repeats are
// limited, and all regexes of one run may together cost instructions × characters up to this, about a second at worst.
// One regex of up to 256 instructions (an e-mail address has 12) is never cut short.
const BUDGET = TEXT_MAX * 256

/** The remaining budget of the regexes of one run. */
export interface StepBudget {
  left: number
}

export function stepBudget(): StepBudget {
  return { left: BUDGET }
}

/** A regex that does not compile passes: a reader must not refuse values because of a row it does not understand. */
export function validatePattern(
  source: string,
  text: string,
  budget: StepBudget,
): 'pattern_mismatch' | 'too_long' | null {
  const compiled = compilePattern(source)
  if (!compiled.ok) return null
  const pattern = compiled.value
  budget.left -= pattern.steps * text.length
  if (text.length > TEXT_MAX || budget.left < 0) return 'too_long'
  return pattern.matches(text) ? null : 'pattern_mismatch'
}

/** Bounded, since each compiled pattern may come to hold megabytes of automaton states. */
const cache = createBoundedCache<string, Result<Pattern, PatternReason>>({ most: CACHE_MAX })

export function compilePattern(source: string): Result<Pattern, PatternReason> {
  if (isTooLong(source)) return decline('pattern_too_long')
  return cache.remember(source, () => compile(source))
}

function compile(source: string): Result<Pattern, PatternReason> {
  if (!isEcmaScript(source)) return decline('pattern_outside_subset')
  if (writtenOutSize(source) > WRITTEN_OUT_MAX) return decline('pattern_too_large')
  const machine = machineOf(translatePattern(source))
  if (machine === null) return decline('pattern_outside_subset')
  return accept({ steps: machine.programSize(), matches: (text) => machine.matches(text) })
}

/** Counted in code points, which are at most two units long. */
function isTooLong(source: string): boolean {
  return source.length > 2 * LENGTH_MAX || Array.from(source).length > LENGTH_MAX
}

/** Only parsed, never run: native matching backtracks. */
function isEcmaScript(source: string): boolean {
  try {
    return RegExp(source, 'u').unicode
  } catch {
    return false
  }
}

function machineOf(translated: string | null): RE2JS | null {
  if (translated === null) return null
  try {
    return RE2JS.compile(`^(?:${translated})$`)
  } catch {
    return null
  }
}
