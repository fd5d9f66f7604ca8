import type { PublishIssue } from '@sealpost/protocol'
import type { Definition } from '../definition/definition.ts'
import { comparePointers } from '../definition/pointer.ts'
import { checkConditions } from './conditions.ts'
import { checkConstants } from './constants.ts'
import { publishContext, type PublishContext } from './context.ts'
import { checkDefaults } from './defaults.ts'
import { checkDependencies } from './dependencies.ts'
import type { PublishFacts } from './facts.ts'
import { checkFields } from './fields.ts'
import { checkOutputs } from './outputs.ts'
import { checkParties } from './parties.ts'
import { checkPlugins } from './plugins.ts'
import { takeSnapshots } from './snapshots.ts'
import { checkStructure } from './structure.ts'
import { checkTexts } from './texts.ts'

const CHECKS: readonly ((context: PublishContext) => readonly PublishIssue[])[] = [
  checkStructure,
  checkParties,
  checkFields,
  checkDefaults,
  checkConditions,
  checkConstants,
  checkDependencies,
  checkPlugins,
  checkOutputs,
  checkTexts,
]

/** More findings than this at once are of no use. */
const ISSUES_SHOWN = 500

/** All findings, sorted by path. Any error prevents publishing. */
export function checkForPublish(definition: Definition, facts: PublishFacts): readonly PublishIssue[] {
  const context = publishContext(takeSnapshots(definition, facts.plugins), facts)
  const issues = CHECKS.flatMap((check) => check(context))
  // Errors are kept first: if the last error were cut, the flow would look publishable.
  return [...issues.filter(isError), ...issues.filter((one) => !isError(one))]
    .slice(0, ISSUES_SHOWN)
    .toSorted(inReadingOrder)
}

export function isPublishable(issues: readonly PublishIssue[]): boolean {
  return !issues.some(isError)
}

function isError({ severity }: PublishIssue): boolean {
  return severity === 'error'
}

function inReadingOrder(one: PublishIssue, other: PublishIssue): number {
  const byPath = comparePointers(one.path, other.path)
  if (byPath !== 0 || one.error_key === other.error_key) return byPath
  return one.error_key < other.error_key ? -1 : 1
}
