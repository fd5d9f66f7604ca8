import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTerminal } from './testing.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PAGES = ['README.md', 'docs', 'docs/guides', 'docs/runbooks', 'apps/cli/build', 'client/sdk'].flatMap((place) =>
  place.endsWith('.md')
    ? [place]
    : readdirSync(join(ROOT, place))
        // The help of the commands itself, with sentences.
        .filter((name) => name.endsWith('.md') && name !== 'commands.md')
        .map((name) => `${place}/${name}`),
)

/** Command lines in blocks of commands, and after a prompt in blocks of text. */
function commandLines(page: string): readonly string[] {
  const blocks = readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(?:sh|text)[^\n]*\n(.+?)^```$/gms)
  return [...blocks].flatMap(([, block = '']) =>
    block
      .replaceAll(/\\\n\s*/g, ' ')
      .split('\n')
      .flatMap((line) => /^(?:\$ |\.\/run )?(?:npx )?sealpost (.+)$/.exec(line)?.[1] ?? []),
  )
}

/** Up to a pipe, a redirection or a comment; quotes hold words together. */
function wordsOf(line: string): readonly string[] {
  const [command = ''] = line.split(/ (?:[|>#&]|\d>)/)
  return [...command.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) => word.replaceAll(/['"]/g, ''))
}

const lines = PAGES.flatMap((page) => commandLines(page).map((line) => [page, line] as const))

test('the pages have commands', () => {
  expect(lines.length).toBeGreaterThan(30)
})

test.each(lines)('%s: the command exists with these options: %s', async (_, line) => {
  using terminal = openTerminal()
  const words = wordsOf(line)
  const { code, logged } = await terminal.run(...words, ...(words[0] === 'help' ? [] : ['--help']))
  expect([logged, code]).toEqual(['', 0])
})
