import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

/** Without line breaks, which the formatter moves. */
function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8').replaceAll(/\s+/g, ' ')
}

test.each([
  ['docs/guides/feed-or-webhooks.md', 'Use one of them, not both.'],
  ['docs/guides/receiving-safely.md', 'Handle webhooks or the feed, not both'],
  ['client/sdk/README.md', 'Instead of the feed, not beside it'],
])('%s tells to handle one channel [SDK-17]', (file, advice) => {
  expect(textOf(file)).toContain(advice)
})

test.each([
  ['docs/guides/contract-flow.md', 'copy what you will need when a run ends'],
  ['docs/guides/run-a-flow.md', 'copy those that you need'],
  ['client/sdk/README.md', 'Copy what you need when a run ends'],
])('%s tells to copy answers and their verification_id before they are deleted [SDK-33]', (file, advice) => {
  const text = textOf(file)
  const at = text.indexOf(advice)
  expect(at).toBeGreaterThan(0)
  expect(text.slice(at, at + 200)).toContain('`verification_id`')
  expect(text.slice(at - 450, at + 250)).toMatch(/The platform deletes|are deleted|not kept/)
})
