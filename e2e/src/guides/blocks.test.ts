import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const FOLDER = 'docs/guides'
const guides = readdirSync(join(ROOT, FOLDER))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `${FOLDER}/${name}`)
/** Most of its blocks are parts of programs; those with a name are whole. */
const SDK_README = 'client/sdk/README.md'

/** Blocks without a name, which no test runs as they stand, by their first line; and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  './run npm ci': 'npm run newcomer runs the same lines of the README',
  'mkdir -p .local/first-value': 'opens a shell; the guide runs in a folder and with variables of its test',
  'python3 examples/python/values.py': 'the live test of the examples runs the program',
  'python3 -m unittest discover examples/python': 'the live test of the examples runs it',
  'openapi-python-client generate --path docs/api/company-data.json --output-path sealpost_client --meta none':
    'the live test of the examples runs it where the generator is installed',
  'mkdir trips && cd trips && npm init -y && npm pkg set type=module':
    'needs published packages; the release check installs them',
  'for await (const { kind, id, position } of customer.hints({ after: lastPosition })) {': 'a part of an app',
}

interface Block {
  readonly language: string
  readonly name: string
  readonly firstLine: string
}

function blocksOf(guide: string): readonly Block[] {
  const text = readFileSync(join(ROOT, guide), 'utf8')
  return [...text.matchAll(/^```(\w+)(?: ([\w-]+))?\n(.*)$/gm)].map(([, language = '', name = '', firstLine = '']) => {
    return { language, name, firstLine }
  })
}

function testsOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
}

test('every program and command of a guide has a name, by which a test runs it, or a reason', () => {
  const nameless = guides.flatMap((guide) =>
    blocksOf(guide)
      .filter(({ language, name, firstLine }) => /^(js|sh)$/.test(language) && name === '' && !(firstLine in NOT_RUN))
      .map(({ firstLine }) => `${guide}: ${firstLine}`),
  )
  expect(nameless).toEqual([])
  const known = new Set(guides.flatMap((guide) => blocksOf(guide).map(({ firstLine }) => firstLine)))
  expect(Object.keys(NOT_RUN).filter((line) => !known.has(line))).toEqual([])
})

test('every named program of a guide, and of the README of the SDK, is run by a test that opens it', () => {
  const tests = testsOf(join(ROOT, 'e2e/src'))
  const missing = [...guides, SDK_README].flatMap((guide) => {
    const own = tests.filter((text) => text.includes(guide)).join('\n')
    return blocksOf(guide)
      .filter(({ language, name }) => /^(js|sh)$/.test(language) && name !== '')
      .filter(({ name }) => !own.includes(`'${name}'`))
      .map(({ name }) => `${guide}: ${name}`)
  })
  expect(missing).toEqual([])
})
