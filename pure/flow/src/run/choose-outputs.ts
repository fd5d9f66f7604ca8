import { evaluateCondition, type Lookup } from '@sealpost/expression'
import type { Definition, FlowNode, Output, OutputRule } from '../definition/definition.ts'
import { signersOf, type OutputSigners } from './signing-line.ts'
import { sourceOf, type RuleSource } from './sources.ts'

/** The inputs of the choice between the rules of a leaf. */
export interface GenerationFacts {
  /** All values of the run, constants included. */
  readonly values: Lookup
  /** The profile language of the language party. */
  readonly language: string
  readonly isHeld: (sourceKey: string) => boolean
}

export interface ChosenOutput extends OutputSigners {
  readonly name: string
  /** Whether a customer may cancel its copy. */
  readonly cancellable: boolean
  readonly rule: OutputRule
  readonly source: RuleSource
}

/** Per output the first rule that matches; an output without one is not made. */
export function chooseOutputs(definition: Definition, leaf: FlowNode, facts: GenerationFacts): readonly ChosenOutput[] {
  return (leaf.outputs ?? []).flatMap((output) => {
    const chosen = chooseRule(output, facts)
    if (chosen === null) return []
    const { output_key, name, cancellable } = output
    return [
      { output_key, name, cancellable: cancellable === true, ...chosen, signers: signersOf(definition, chosen.rule) },
    ]
  })
}

function chooseRule(output: Output, facts: GenerationFacts): { rule: OutputRule; source: RuleSource } | null {
  for (const rule of output.rules) {
    const source = sourceOf(rule)
    if (source !== null && matches(rule, source, facts)) return { rule, source }
  }
  return null
}

function matches(rule: OutputRule, source: RuleSource, facts: GenerationFacts): boolean {
  return (
    speaks(rule, facts.language) &&
    (source.kind === 'template' || facts.isHeld(source.source_key)) &&
    evaluateCondition(rule.condition, facts.values)
  )
}

function speaks({ languages }: OutputRule, language: string): boolean {
  return languages === 'all' || languages.some((code) => primarySubtag(code) === primarySubtag(language))
}

/** `de` of `de-AT`: rules and profiles are compared by it. */
export function primarySubtag(language: string): string {
  return (language.trim().split(/[-_]/)[0] ?? '').toLowerCase()
}
