import { visitImports } from '../imports.ts'
import { type Call, type Executor, type Node, rule, type Visitors } from '../rule.ts'

const INSTEAD =
  'wait for the condition, with a deadline: a fixed pause is too long on one machine and too short on another'

export const noSleeps = rule('tests wait for conditions', (place, report): Visitors => {
  if (!place.isTest) return {}
  return {
    ...visitImports((found) => {
      if (found.specifier === 'node:timers/promises' && found.names.includes('setTimeout')) report(found.node, INSTEAD)
    }),
    CallExpression(node) {
      if (node.callee.name === 'setTimeout' && resolvesPromise(node)) report(node, INSTEAD)
    },
  }
})

/** True for `new Promise((done) => setTimeout(done, 50))`, not for a deadline that rejects or a server that delays. */
function resolvesPromise(timer: Call): boolean {
  const callback: (Partial<{ readonly name: string }> & Node) | undefined = timer.arguments[0]
  for (let node: Executor | undefined = timer.parent; node !== undefined; node = node.parent) {
    if (node.params !== undefined) return callback?.name !== undefined && node.params[0]?.name === callback.name
  }
  return false
}
