import { computeConstants, type Answers } from '@sealpost/expression'
import type { Definition } from '../definition/definition.ts'
import { pluginSlugs } from '../graph/flow-keys.ts'

/** All values of a run: opened answers by slug, plugin values by their dotted keys, constants by key. */
export function runValues(definition: Definition, answers: Answers, referenceDate: string): Answers {
  return computeConstants(definition.constants, answers, referenceDate, pluginSlugs(definition))
}
