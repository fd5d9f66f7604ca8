import { accept, decline, type Result } from '@sealpost/kernel'
import { RE2JS } from 're2js'
import type { RowReason } from '../registry/row-reasons.ts'
import { translatePattern } from './pattern-syntax.ts'

/** A compiled regex that is matched against whole values, in time linear in their length. */
export interface Pattern {
  readonly steps: number
  matches(text: string): boolean
}

export type PatternReason = Extract<RowReason, `pattern_${string}`>

const LENGTH_MAX = 200
const TEXT_MAX = 65_536
const STEPS_MAX = 4096
const CACHE_MAX = 128

// [Note: step budget] Linear is not enough: `(?:[ab]{0,999}…)*` compiles to 30,000 instructions, each of which may be
// alive at every character, and takes minutes on 50,000 of them. So one judgement may cost instructions × characters up
// to this, about a second at worst; a pattern of up to 256 instructions (an e-mail address has 12) is never cut short.
const BUDGET = TEXT_MAX * 256

/** What the regexes of one judgement may still cost. */
export interface StepBudget {
  left: number
}

export function stepBudget(): StepBudget {
  return { left: BUDGET }
}

/** A regex that does not compile passes: a reader must not refuse values for a row it does not understand. */
export function judgePattern(source: string, text: string, budget: StepBudget): 'pattern_mismatch' | 'too_long' | null {
  const compiled = compilePattern(source)
  if (!compiled.ok) return null
  const pattern = compiled.value
  budget.left -= pattern.steps * text.length
  if (text.length > TEXT_MAX || budget.left < 0) return 'too_long'
  return pattern.matches(text) ? null : 'pattern_mismatch'
}

const cache = new Map<string, Result<Pattern, PatternReason>>()

export function compilePattern(source: string): Result<Pattern, PatternReason> {
  const cached = cache.get(source)
  if (cached !== undefined) return cached
  const compiled = compile(source)
  // Bounded, since each compiled pattern may come to hold megabytes of automaton states.
  if (cache.size >= CACHE_MAX) forgetOldest()
  cache.set(source, compiled)
  return compiled
}

function compile(source: string): Result<Pattern, PatternReason> {
  // oxlint-disable-next-line typescript/no-misused-spread -- code points are what the limit counts, not what readers see
  if (source.length > 2 * LENGTH_MAX || [...source].length > LENGTH_MAX) return decline('pattern_too_long')
  try {
    // Only parsed, never run: native matching backtracks.
    RegExp(source, 'u')
    const translated = translatePattern(source)
    if (translated === null) return decline('pattern_outside_subset')
    const machine = RE2JS.compile(`^(?:${translated})$`)
    const steps = machine.programSize()
    return steps > STEPS_MAX
      ? decline('pattern_too_large')
      : accept({ steps, matches: (text) => machine.matches(text) })
  } catch {
    return decline('pattern_outside_subset')
  }
}

function forgetOldest(): void {
  for (const oldest of cache.keys()) {
    cache.delete(oldest)
    return
  }
}
