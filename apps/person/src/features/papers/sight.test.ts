import { expect, test } from 'vitest'
import type { PaperContent } from '../../worker/commands/papers.ts'
import { firstSight, mayDecide, OPENING, SHOWN, UNSHOWN } from './sight.ts'

const file = (mimeType: string): PaperContent => ({
  kind: 'file',
  contentSha256: 'ab',
  name: 'file',
  mimeType,
  bytes: new Uint8Array(),
  seal: null,
})

test.each([
  [file('application/pdf'), OPENING],
  [file('image/png'), OPENING],
  [file('text/plain'), SHOWN],
  [file('application/zip'), UNSHOWN],
  [{ kind: 'json', contentSha256: 'ab', value: {} } as const, SHOWN],
])('a paper %o begins as %o', (content, sight) => {
  expect(firstSight(content)).toEqual(sight)
})

test.each([
  [OPENING, false, false],
  [OPENING, true, false],
  [{ state: 'shown', pages: 3 } as const, false, true],
  [UNSHOWN, false, false],
  [UNSHOWN, true, true],
])('a paper that is %o (saved: %s) can be decided about: %s', (sight, isSaved, may) => {
  expect(mayDecide(sight, isSaved)).toBe(may)
})
