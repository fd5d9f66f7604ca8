import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCommands } from './readme.ts'

const PAGE = `
\`\`\`sh first
git clone … a && cd a
./run npm ci            # installs
\`\`\`

In a second terminal. Save this as \`x.ts\`:

\`\`\`sh second
./run node \\
  x.ts
\`\`\`

\`\`\`sh packages
npm install p
\`\`\`
`

test('commands are read as they are typed, and files that a reader has to write are counted', () => {
  expect(readCommands(PAGE)).toEqual({
    first: ['git clone … a', 'cd a', './run npm ci'],
    second: ['./run node x.ts'],
    packages: ['npm install p'],
    files: 1,
  })
  expect(() => readCommands('nothing')).toThrow('no block')
})

test('a newcomer types at most six commands and writes no file; with the packages at most four', () => {
  const { first, second, packages, files } = readCommands(
    readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8'),
  )
  expect(first.length + second.length).toBeLessThanOrEqual(6)
  expect(packages.length).toBeLessThanOrEqual(4)
  expect(files).toBe(0)
})
