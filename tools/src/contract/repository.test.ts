import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  allOperations,
  apiDocumentNames,
  documentedErrors,
  errorAreas,
  errorCatalog,
  forwarderOperations,
  issueCatalog,
  keysAheadOfRoutes,
  unthrownKeys,
} from '@sealpost/protocol'
import { expect, test } from 'vitest'
import { openApiFile } from '../generate/files.ts'
import { contractProblems } from './problems.ts'
import { keysInSources } from './sources.ts'

const root = join(import.meta.dirname, '../../..')

test('thrown keys, catalog, operations and the lists of open keys agree', () => {
  const areas = Object.entries(errorAreas).flatMap(([area, { entries }]) =>
    Object.keys(entries).map((key) => [key, area] as const),
  )
  const operations = [...allOperations, ...forwarderOperations]
  const problems = contractProblems({
    mentions: keysInSources(root),
    catalog: new Map(areas),
    unthrown: new Map(Object.entries(unthrownKeys)),
    aheadOfRoutes: keysAheadOfRoutes,
    promised: new Map(operations.map(({ id, errors }) => [id, errors])),
    documented: new Set(operations.flatMap(documentedErrors)),
  })
  expect(problems).toEqual([])
})

test('docs/errors.md has one section for each key and issue, and no other', () => {
  const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
  const anchors = [...page.matchAll(/^<a id="([^"]+)"><\/a>\n\n### `([^`]+)` \(/gm)]
  expect(anchors.map(([, anchor]) => anchor)).toEqual(anchors.map(([, , heading]) => heading))
  const shown = anchors.map(([, anchor = '']) => anchor)
  const expected = [...Object.keys(errorCatalog), ...Object.keys(issueCatalog)]
  expect(shown.toSorted()).toEqual(expected.toSorted())
})

test.each(apiDocumentNames)('docs/api/%s.json lists exactly the errors that its operations can answer', (document) => {
  const printed = JSON.parse(readFileSync(join(root, openApiFile(document)), 'utf8')) as PrintedDocument
  const shown = Object.values(printed.paths).flatMap((path) =>
    Object.values(path).map((operation) => [operation.operationId, keysShown(printed, operation)] as const),
  )
  const expected = allOperations
    .filter((operation) => operation.document === document)
    .map((operation) => [operation.id, documentedErrors(operation).toSorted()] as const)
  expect(new Map(shown)).toEqual(new Map(expected))
})

interface PrintedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, PrintedOperation>>>>
  readonly components: { readonly responses: Readonly<Record<string, PrintedResponse>> }
}

interface PrintedOperation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>
}

interface PrintedResponse {
  readonly content: { readonly 'application/json': { readonly examples: object } }
}

function keysShown({ components }: PrintedDocument, { responses }: PrintedOperation): readonly string[] {
  const keys = Object.values(responses).flatMap(({ $ref }) => {
    const response = components.responses[$ref?.replace('#/components/responses/', '') ?? '']
    return Object.keys(response?.content['application/json'].examples ?? {})
  })
  return [...new Set(keys)].toSorted()
}
