import { Validator } from '@seriousme/openapi-schema-validator'
import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { errorEntry } from '../errors/catalog.ts'
import { defineOperation, type Operation } from '../operation.ts'
import { allOperations } from '../operations/index.ts'
import { requestToken } from '../operations/oauth.ts'
import { apiDocumentNames, apiDocuments } from '../operations/reference.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { Uuid } from '../wire/scalars.ts'
import { openApiDocument, type OpenApiDocument } from './document.ts'
import { documentedErrors } from './error-responses.ts'

/** Every feature of an operation at once, so that the printer is tested before such routes exist. */
const everything = defineOperation({
  id: 'things.create_thing',
  method: 'POST',
  path: '/api/services/{id}/things',
  document: 'account',
  summary: 'Create a thing',
  callers: ['account_client', 'portal'],
  rate: 'data',
  level: 'basic',
  params: Type.Object({ id: Uuid }),
  query: Type.Object({ ...pageQuery }),
  body: Type.Object({ name: Type.String(), title: Type.Optional(Type.String()) }),
  creates: true,
  success: { status: 201, about: 'The thing', body: pageOf(Type.Object({ id: Uuid })) },
  errors: ['services.not_found', 'company_connections.persons_only', 'plugins.in_use', 'flows.source_files_invalid'],
})

describe.each(apiDocumentNames)('%s', (document) => {
  const printed = openApiDocument(document, { version: '1.0.0' })

  test('is valid OpenAPI 3.1', async () => {
    await expectValid(printed)
  })

  test('holds every operation of it, under a unique operationId', () => {
    const ids = operationsIn(printed).map((operation) => operation.operationId)
    const expected = allOperations.filter((operation) => operation.document === document)
    expect(ids.toSorted()).toEqual(expected.map((operation) => operation.id).toSorted())
  })

  test('every reference resolves', () => {
    expect(danglingReferences(printed)).toEqual([])
  })

  test('every refusal is listed under its status, with an example', () => {
    for (const operation of allOperations.filter((candidate) => candidate.document === document)) {
      const shown = shownErrors(printed, operation)
      for (const key of documentedErrors(operation)) {
        const { status, otherStatus = status } = errorEntry(key)
        expect({ ...shown[status], ...shown[otherStatus] }).toHaveProperty([key])
      }
    }
  })
})

test('an operation with every feature is valid OpenAPI 3.1, and its references resolve', async () => {
  const printed = openApiDocument('account', { version: '1.0.0', operations: [everything] })
  await expectValid(printed)
  expect(danglingReferences(printed)).toEqual([])
  expect(Object.keys(printed.paths)).toEqual([everything.path])
})

test('a key with two statuses is listed under both, one with members shows them', () => {
  const printed = openApiDocument('account', { version: '1.0.0', operations: [everything] })
  const shown = shownErrors(printed, everything)
  expect(shown['400']).toHaveProperty(['company_connections.persons_only'])
  expect(shown['403']).toHaveProperty(['company_connections.persons_only'])
  expect(shown['409']).toHaveProperty(['plugins.in_use', 'in_use', 0, 'kind'], 'flow')
  expect(printed.components).toHaveProperty(['schemas', 'Error.flows.source_files_invalid'])
})

test('XML is offered for authenticated routes only', () => {
  const data = JSON.stringify(openApiDocument('company-data', { version: '1.0.0' }))
  const frontDoor = JSON.stringify(openApiDocument('front-door', { version: '1.0.0' }).paths)
  expect(data).toContain('application/xml')
  expect(frontDoor).not.toContain('application/xml')
})

test('OAuth errors are shown in the shape of RFC 6749', () => {
  const printed = openApiDocument('front-door', { version: '1.0.0' })
  const shown = shownErrors(printed, requestToken)
  expect(shown['401']).toHaveProperty(['oauth.bad_client', 'error'], 'invalid_client')
  expect(shown['429']).toHaveProperty(['rate.limited', 'error'], 'temporarily_unavailable')
  expect(shown['400']).toHaveProperty(['account.level_required', 'error'], 'unauthorized_client')
  expect(shown['400']).toHaveProperty(['account.level_required', 'required_level'])
})

test('the addresses of an installation replace the placeholders', () => {
  const options = { version: '1.0.0', frontDoorUrl: 'https://door.test', apiUrls: ['https://eu.test'] }
  const printed = openApiDocument('company-data', options)
  expect(printed.servers).toEqual([{ url: 'https://eu.test', description: 'A region' }])
  expect(printed.components).toHaveProperty(
    ['securitySchemes', 'clientCredentials', 'flows', 'clientCredentials', 'tokenUrl'],
    'https://door.test/oauth2/token',
  )
})

test('two different schemas with one title are refused', () => {
  const success = { status: 200, about: 'Things', body: Type.Object({ id: Type.String({ title: 'Uuid' }) }) } as const
  const other = { ...everything, id: 'things.other', path: '/api/services/{id}/others', success } as const
  expect(() => openApiDocument('account', { version: '1.0.0', operations: [everything, other] })).toThrow(/Uuid/)
})

test('every document has a description', () => {
  expect(Object.keys(apiDocuments).toSorted()).toEqual([...apiDocumentNames, 'forwarder'].toSorted())
})

interface PrintedOperation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, { readonly $ref: string }>>
}

/** Status → key → the example body. */
function shownErrors(printed: OpenApiDocument, operation: Operation): Record<string, Record<string, unknown>> {
  const { responses } = printedAt(printed, operation)
  const shown = Object.entries(responses).map(([status, { $ref }]) => {
    const response = $ref === undefined ? {} : (resolve(printed, $ref) as ErrorResponse)
    const examples = Object.entries(response.content?.['application/json']?.examples ?? {})
    return [status, Object.fromEntries(examples.map(([key, example]) => [key, bodyOf(printed, example.$ref)]))]
  })
  return Object.fromEntries(shown) as Record<string, Record<string, unknown>>
}

interface ErrorResponse {
  readonly content?: Readonly<
    Record<string, { readonly examples: Readonly<Record<string, { readonly $ref: string }>> }>
  >
}

function bodyOf(printed: OpenApiDocument, reference: string): unknown {
  return (resolve(printed, reference) as { readonly value: unknown }).value
}

function printedAt(printed: OpenApiDocument, operation: Operation): PrintedOperation {
  const found = operationsIn(printed).find((candidate) => candidate.operationId === operation.id)
  if (found === undefined) throw new Error(`${operation.id} was not printed`)
  return found
}

function operationsIn(printed: OpenApiDocument): PrintedOperation[] {
  return Object.values(printed.paths).flatMap((path) => Object.values(path) as object as PrintedOperation[])
}

async function expectValid(printed: object): Promise<void> {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(printed)))
  expect(result).toMatchObject({ valid: true })
}

function danglingReferences(printed: OpenApiDocument): string[] {
  const references = [...JSON.stringify(printed).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference)
  return references.filter((reference) => resolve(printed, reference) === undefined)
}

function resolve(printed: OpenApiDocument, reference: string): unknown {
  const names = reference.replace('#/', '').split('/')
  return names.reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], printed)
}
