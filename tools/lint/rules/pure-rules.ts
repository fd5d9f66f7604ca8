import { basename } from 'node:path'
import { packageName, relativeTarget, visitImports } from '../imports.ts'
import type { Place } from '../place.ts'
import { rule, type Visitors } from '../rule.ts'

const WITH_EFFECTS = ['store', 'operations', 'routes', 'bus', 'module', 'index']

/** Rules decide from their arguments, so a table of cases tests them without a database. */
export const pureRules = rule('rules decide without I/O', (place, report): Visitors => {
  if (!isRules(place.path) || place.layer !== 'apps' || place.isTest) return {}
  return {
    ...visitImports((found) => {
      if (found.isTypeOnly) return
      const target = relativeTarget(found, place)
      const isAllowed = target === null ? isPurePackage(found.specifier, place) : isPlain(target)
      if (!isAllowed) report(found.node, `rules decide without I/O: ${found.specifier} does not belong here`)
    }),
    AwaitExpression(node) {
      report(node, 'rules are synchronous: the operation loads the data and passes it in')
    },
  }
})

function isPurePackage(specifier: string, place: Place): boolean {
  const name = packageName(specifier)
  return name !== null && place.repository.packages.get(name)?.layer === 'pure'
}

/** Other rules, types and tables of the module, but no file with side effects. */
function isPlain(target: string): boolean {
  return !WITH_EFFECTS.includes(basename(target, '.ts')) && !/\/(store|operations|routes|bus)\//.test(target)
}

function isRules(path: string): boolean {
  return /(^|\/)rules(\.ts$|\/)/.test(path)
}
