import { basename } from 'node:path'
import { packageName, relativeTarget, visitImports } from '../imports.ts'
import type { Place } from '../place.ts'
import { rule, type Visitors } from '../rule.ts'

const ACTING = ['store', 'operations', 'routes', 'bus', 'module', 'index']

/** `rules.ts` decides from what it is handed: one table of cases tests it, without a database. */
export const pureRules = rule('rules.ts decides without I/O', (place, report): Visitors => {
  if (!isRules(place.path) || place.layer !== 'apps' || place.isTest) return {}
  return {
    ...visitImports((found) => {
      if (found.isTypeOnly) return
      const target = relativeTarget(found, place)
      const isAllowed = target === null ? isPurePackage(found.specifier, place) : isPlain(target)
      if (!isAllowed) report(found.node, `rules decide without I/O: ${found.specifier} does not belong here`)
    }),
    AwaitExpression(node) {
      report(node, 'rules decide at once: whatever takes time is loaded by the operation and handed in')
    },
  }
})

function isPurePackage(specifier: string, place: Place): boolean {
  const name = packageName(specifier)
  return name !== null && place.repository.packages.get(name)?.layer === 'pure'
}

/** Whatever else the module keeps beside its rules (limits, tables), but none of the files that act. */
function isPlain(target: string): boolean {
  return !ACTING.includes(basename(target, '.ts')) && !/\/(store|operations)\//.test(target)
}

function isRules(path: string): boolean {
  return /(^|\/)rules(\.ts$|\/)/.test(path)
}
