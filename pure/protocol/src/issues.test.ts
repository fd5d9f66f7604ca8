import { expect, test } from 'vitest'
import { issueCatalog, issueEntry, type IssueEntry, type IssueKey } from './issues.ts'

const entries = Object.entries<IssueEntry>(issueCatalog)

test.each(entries)('%s says what is wrong and what to do', (_, { severity, sentence, remedy }) => {
  expect(['error', 'warning']).toContain(severity)
  expect(sentence).toMatch(/^[A-Z].*[^.]$/)
  expect(remedy).toMatch(/^[A-Z].*\.$/)
})

test('these only warn; all others prevent publishing', () => {
  const warning = entries.filter(([, { severity }]) => severity === 'warning').map(([key]) => key)
  expect(warning).toEqual(['flow.node_unreachable', 'constant.unused', 'pdf.unknown_tag', 'text.tag_unknown'])
  const either = entries.filter(([, { otherSeverity }]) => otherSeverity !== undefined).map(([key]) => key)
  expect(either).toEqual(['flow.no_default_edge'])
  expect(issueEntry('flow.no_default_edge')).toMatchObject({ severity: 'error', otherSeverity: 'warning' })
})

test('a finding is looked up by its key', () => {
  for (const [key, entry] of entries) expect(issueEntry(key as IssueKey)).toBe(entry)
})
