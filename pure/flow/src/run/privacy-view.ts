import {
  expressionsByKey,
  isPrivateKey,
  readPluginInputs,
  type Answers,
  type InputRefusal,
  type PrivacyView,
} from '@sealpost/expression'
import type { Result } from '@sealpost/kernel'
import type { Definition, PluginElement } from '../definition/definition.ts'
import { answerElements, slugsOf } from '../graph/flow-keys.ts'

/** Who fills which step, and the answers that are private. */
export interface PrivacyFacts {
  readonly nodeKey: string
  /** The parties that the caller is bound to. */
  readonly parties: ReadonlySet<string>
  /** Null when the run was read without that list. */
  readonly privateSlugs: ReadonlySet<string> | null
  /** Slugs of this step whose answers the caller takes from a private source, and of answers that it knows to be private. */
  readonly privateDrafts: ReadonlySet<string>
}

export function privacyView(definition: Definition, facts: PrivacyFacts): PrivacyView {
  const own = definition.nodes.filter(({ party }) => facts.parties.has(party))
  const step = definition.nodes.filter(({ key }) => key === facts.nodeKey)
  const drafts = step.flatMap(answerElements).map((element) => {
    const written: unknown = element.kind === 'field' ? element.default : undefined
    return [element.slug, written ?? null] as const
  })
  return {
    constants: expressionsByKey(definition.constants),
    drafts: new Map(drafts),
    privateDrafts: facts.privateDrafts,
    privateSlugs: facts.privateSlugs,
    ownSlugs: new Set(own.flatMap(slugsOf)),
  }
}

/** The plugin inputs from the values of the run, or why the field cannot be answered yet, by input key. */
export function pluginInputs(
  { plugin }: PluginElement,
  values: Answers,
  view: PrivacyView,
): Result<ReadonlyMap<string, unknown>, ReadonlyMap<string, InputRefusal>> {
  return readPluginInputs(plugin.snapshot?.inputs ?? [], {
    wiring: new Map(Object.entries(plugin.inputs)),
    answers: values,
    isPrivate: (key) => isPrivateKey(key, view),
  })
}
