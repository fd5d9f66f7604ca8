import { basename } from 'node:path'
import { shapeObjection } from '../module-shape.ts'
import { rule, type Visitors } from '../rule.ts'

const DRAWERS = /(^|\/)(utils?|helpers?|common|misc|shared)(\.tsx?$|\/)/i

export const names = rule('files are named after their content', (place, report) => ({
  Program(node) {
    const [, , drawer] = DRAWERS.exec(place.path) ?? []
    if (drawer !== undefined) report(node, `"${drawer}" says nothing: name the file after what it does`)
  },
}))

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

const SUPPRESSION = /^\s*(oxlint-disable|eslint-disable|@ts-expect-error|@ts-ignore|@ts-nocheck)/
const REASON = / -- \S.{9,}/

export const reasons = rule('a suppression carries its reason', (_place, report, context) => ({
  Program() {
    for (const comment of context.sourceCode.getAllComments()) {
      if (SUPPRESSION.test(comment.value) && !REASON.test(comment.value))
        report(comment, 'give the reason after " -- ", so that a reader knows when it can be removed')
    }
  },
}))
