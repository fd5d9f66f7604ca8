import { readFileSync } from 'node:fs'
import type { ErrorDetails, ErrorKey } from '@sealpost/protocol'
import { expect, expectTypeOf, test } from 'vitest'
import type * as sdk from '../src/errors.generated.ts'
import { SDK_VERSION } from '../src/version.ts'
import { renderErrors, renderGeneratedFiles, renderRoutes } from './render.ts'

test('the generated files match the protocol, and their types those of its schemas; else run npm run generate -w @sealpost/sdk', () => {
  const rendered = renderGeneratedFiles()
  const committed = rendered.map(({ path }) => ({
    path,
    text: readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'),
  }))

  expect(committed).toEqual(rendered)
  expectTypeOf<sdk.ErrorKey>().toEqualTypeOf<ErrorKey>()
  type Wrong = { [Key in ErrorKey]: Documented<Key> extends sdk.ErrorDetailsByKey[Key] ? never : Key }[ErrorKey]
  expectTypeOf<Wrong>().toEqualTypeOf<never>()
})

test('the version in User-Agent is the version of the package', () => {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(manifest).toMatchObject({ version: SDK_VERSION })
})

test('an operation is printed as a route with the types of all its parts', () => {
  const { shapes, routes } = renderRoutes({
    createThing: {
      id: 'things.create',
      method: 'POST',
      path: '/api/things/{id}',
      document: 'company-data',
      summary: 'Creates a thing',
      callers: ['service_client'],
      rate: 'data',
      creates: true,
      params: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      query: { type: 'object', properties: { mode: { type: 'string' } } },
      body: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      success: { status: 204, about: 'Done' },
      errors: [],
    } as never,
  })

  expect(shapes).toContain('export type CreateThingParams = {\nreadonly id: string\n}')
  expect(routes).toContain(
    'Route<{ readonly params: CreateThingParams; readonly query?: CreateThingQuery; readonly body: CreateThingBody }, void>',
  )
  expect(routes).toContain(
    '{"method":"POST","path":"/api/things/{id}","creates":true,"answers":[],"takes":{"name":null}}',
  )
})

test('an error with two statuses is printed with both', () => {
  const entry = { status: 403, otherStatus: 400, sentence: 'No', remedy: 'Ask.' } as const
  expect(renderErrors({ 'a.b': entry })).toContain('/** 403 or 400: No. Ask. */\nreadonly "a.b": NoDetails\n')
})

type Documented<Key extends ErrorKey> = ErrorDetails<Key> extends undefined ? sdk.NoDetails : ErrorDetails<Key>
