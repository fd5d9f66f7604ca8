import { expect, test } from 'vitest'
import { prefersXml } from './negotiation.ts'

test.each([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['application/xml', true],
  ['APPLICATION/XML', true],
  ['application/xml;charset=utf-8', true],
  ['application/xml, */*', false],
  ['application/xml, application/json', false],
  ['application/xml, application/json;q=0.9', true],
  ['application/json, application/xml;q=0.9', false],
  ['application/xml;q=0.5, application/json;q=0.5', false],
  ['application/xml;q=0', false],
  ['application/xml;q=0.1', true],
  ['application/xml;q=nonsense', false],
  ['application/xml;q=0.8, application/*;q=0.5', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['text/xml', false],
])('Accept: %s prefers XML: %s', (header, expected) => {
  expect(prefersXml(header)).toBe(expected)
})
