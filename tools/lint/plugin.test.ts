import { beforeAll, describe, expect, test } from 'vitest'
import { markedLines, runTool } from '../src/boundaries/fixture-lines.ts'
import plugin from './plugin.ts'

const fixtures = `${import.meta.dirname}/fixtures`
const marked = markedLines(fixtures)
let refused: readonly string[] = []

beforeAll(() => {
  refused = runOxlint()
}, 120_000)

describe('lint refuses in the fixtures', () => {
  for (const line of marked) {
    test(line, () => {
      expect(refused).toContain(line)
    })
  }
})

test('lint refuses only the marked lines of the fixtures', () => {
  expect(refused.filter((line) => !marked.includes(line))).toEqual([])
})

test('every rule of the plugin has a fixture that fails', () => {
  const tested = new Set(marked.map((line) => line.split(' by ')[1]))
  const rules = Object.keys(plugin.rules).map((name) => `sealpost/${name}`)
  expect(rules.filter((rule) => !tested.has(rule))).toEqual([])
})

interface Diagnostic {
  readonly code?: string
  readonly message: string
  readonly filename: string
  readonly labels: readonly { readonly span: { readonly line: number } }[]
}

function runOxlint(): readonly string[] {
  const args = ['--config', 'oxlint.json', '--format', 'json']
  const stdout = runTool('oxlint', args, fixtures)
  const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly Diagnostic[] }
  return diagnostics.map(describeDiagnostic).toSorted()
}

function describeDiagnostic({ code, message, filename, labels }: Diagnostic): string {
  const rule = code?.replace(/^(.+)\((.+)\)$/, '$1/$2') ?? message
  return `${filename}:${labels[0]?.span.line ?? 0} by ${rule}`
}
