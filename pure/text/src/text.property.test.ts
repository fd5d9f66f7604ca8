import { propertySettings } from '@sealpost/testkit/property-runs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseText, printPlain, tagsOf, type TextNode } from './index.ts'

const piece = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('[b]', '[/b]', '[i]', '[/i]', '[/a]', '[a href=https:x]', '[a href=ftp:x]', '[a href=', ']', '['),
  fc.constantFrom('{{a}}', '{{ B.c }}', '{{', '}}', '\\', '\\[', '<p>', '<', '>'),
)
const source = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''))

describe('any text', { timeout: 1_200_000 }, () => {
  test('is read without an exception into a tree of at most three marks, one of each kind', () => {
    fc.assert(
      fc.property(source, (text) => {
        const parsed = parseText(text, new Set(['b']))
        for (const path of pathsOf(parsed.nodes)) expect(new Set(path).size).toBe(path.length)
        printPlain(parsed, () => null)
      }),
      propertySettings,
    )
  })

  test('prints itself when it is escaped', () => {
    fc.assert(
      fc.property(source, (text) => {
        const words = text.replaceAll('<', '')
        const escaped = words.replaceAll(/[[\]{\\]/g, String.raw`\$&`)
        expect(printPlain(parseText(escaped), () => null)).toBe(words)
      }),
      propertySettings,
    )
  })

  test('resolves no tag that it does not list', () => {
    fc.assert(
      fc.property(source, (text) => {
        const asked = new Set<string>()
        printPlain(parseText(text), (tag) => {
          asked.add(JSON.stringify(tag))
          return 'x'
        })
        const listed = new Set(tagsOf(text).map((tag) => JSON.stringify(tag)))
        expect([...asked].every((tag) => listed.has(tag))).toBe(true)
      }),
      propertySettings,
    )
  })
})

/** The kinds of mark around each leaf. */
function pathsOf(nodes: readonly TextNode[], around: readonly string[] = []): readonly (readonly string[])[] {
  return nodes.flatMap((node) => ('children' in node ? pathsOf(node.children, [...around, node.kind]) : [around]))
}
