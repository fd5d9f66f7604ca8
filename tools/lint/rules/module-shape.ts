import { basename } from 'node:path'
import { shapeObjection } from '../module-shape.ts'
import { rule, type Visitors } from '../rule.ts'

export const moduleShape = rule('every module has the same files and folders', (place, report, context): Visitors => {
  const [, path] = /^src\/modules\/(.+)$/.exec(place.path) ?? []
  if (place.layer !== 'apps' || path === undefined) return {}
  return {
    Program(node) {
      const objection = shapeObjection(basename(place.package.folder), path, context.sourceCode.text)
      if (objection !== null) report(node, objection)
    },
  }
})
