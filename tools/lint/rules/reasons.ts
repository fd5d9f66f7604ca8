import { rule } from '../rule.ts'

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
