import type { TObject, TSchema } from 'typebox'
import { pascal } from '../names.ts'
import { answersXml, type CallerKind, isPublic, type Operation } from '../operation.ts'
import { type Components, printNamed, printSchema } from './components.ts'
import { errorResponses } from './error-responses.ts'
import { exampleOf } from './example.ts'
import { successHeaders } from './headers.ts'
import type { JsonObject } from './json.ts'

const CALLER_NAMES = {
  service_client: 'service client (`svc_`)',
  account_client: 'account client (`acct_`)',
  signin_app: 'sign-in app (`idw_`)',
  portal: 'portal login',
  delegate: 'delegate in the portal',
  person: 'person session',
} as const satisfies Record<CallerKind, string>

const MEDIA_TYPES = {
  json: ['application/json'],
  form: ['application/x-www-form-urlencoded'],
  form_or_json: ['application/x-www-form-urlencoded', 'application/json'],
} as const satisfies Record<NonNullable<Operation['bodyType']>, readonly string[]>

const MACHINES: readonly CallerKind[] = ['service_client', 'account_client']

/** The Operation Object of OpenAPI for one of ours. */
export function operationObject(operation: Operation, components: Components, vendor: string): JsonObject {
  const { body } = operation
  return {
    operationId: operation.id,
    tags: [tagOf(operation)],
    summary: operation.summary,
    description: describe(operation),
    security: securityOf(operation),
    parameters: parametersOf(operation, components),
    ...(body === undefined ? {} : { requestBody: requestBody(operation, body, components) }),
    responses: {
      [String(operation.success.status)]: successResponse(operation, components, vendor),
      ...(operation.success.revalidates === true ? { '304': unchangedResponse(operation, vendor) } : {}),
      ...errorResponses(operation, components, vendor),
    },
  }
}

export function tagOf(operation: Operation): string {
  return operation.id.slice(0, operation.id.indexOf('.'))
}

function describe(operation: Operation): string {
  const facts = isPublic(operation)
    ? ['Public: no login needed.']
    : [`Callers: ${operation.callers.map((caller) => CALLER_NAMES[caller]).join(', ')}.`]
  if (operation.level !== undefined) facts.push(`Account level: ${operation.level} or above.`)
  if (operation.rate !== null) facts.push(`Rate class: ${operation.rate}.`)
  if (operation.drains === true) facts.push('The call removes what it returns: do not prefetch or cache it.')
  return operation.description === undefined ? facts.join(' ') : `${operation.description}\n\n${facts.join(' ')}`
}

function securityOf(operation: Operation): readonly JsonObject[] {
  if (isPublic(operation)) return []
  const isForMachines = operation.callers.some((caller) => MACHINES.includes(caller))
  return isForMachines ? [{ bearer: [] }, { clientCredentials: [] }] : [{ bearer: [] }]
}

function parametersOf(operation: Operation, components: Components): readonly JsonObject[] {
  return [
    ...memberParameters('path', operation.params, components),
    ...memberParameters('query', operation.query, components),
    ...(operation.creates === true ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(operation.success.revalidates === true ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    { $ref: '#/components/parameters/RequestId' },
  ]
}

function memberParameters(place: 'path' | 'query', schema: TObject | undefined, components: Components): JsonObject[] {
  if (schema === undefined) return []
  const required: readonly string[] = schema.required ?? []
  return Object.entries(schema.properties).map(([name, member]) => {
    // Viewers show the description of the parameter, and not that of its schema.
    const { description, shown, ...rule }: TSchema & Described = member
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: shown ?? printSchema(rule.title === undefined ? rule : member, components),
    }
  })
}

interface Described {
  readonly description?: string
  readonly title?: string
  /** For a number of a query: the route reads text. */
  readonly shown?: JsonObject
}

function requestBody(operation: Operation, body: NonNullable<Operation['body']>, components: Components): JsonObject {
  const schema = printNamed(`${pascal(operation.id)}Body`, body, components)
  const mediaTypes = MEDIA_TYPES[operation.bodyType ?? 'json']
  return {
    required: operation.allowsEmptyBody !== true,
    content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema, example: exampleOf(body) }])),
  }
}

function successResponse(operation: Operation, components: Components, vendor: string): JsonObject {
  const { about, body, jsonForm, mediaType } = operation.success
  const headers = successHeaders(operation, vendor)
  if (mediaType !== undefined)
    return { description: about, headers, content: fileContent(mediaType, jsonForm, components) }
  if (body === undefined) return { description: about, headers }
  const schema = printNamed(`${pascal(operation.id)}Answer`, body, components)
  const xml = { schema: { ...schema, xml: { name: 'response' } } }
  const json = { schema, example: exampleOf(body) }
  const content = { 'application/json': json, ...(answersXml(operation) ? { 'application/xml': xml } : {}) }
  return { description: about, headers, content }
}

function fileContent(mediaType: string, jsonForm: TSchema | undefined, components: Components): JsonObject {
  const bytes = { schema: { type: 'string', ...(mediaType.startsWith('text/') ? {} : { format: 'binary' }) } }
  if (jsonForm === undefined) return { [mediaType]: bytes }
  const json = { schema: printSchema(jsonForm, components), example: exampleOf(jsonForm) }
  return { [mediaType]: bytes, 'application/json': json }
}

function unchangedResponse(operation: Operation, vendor: string): JsonObject {
  return { description: 'Not modified: your copy is current', headers: successHeaders(operation, vendor) }
}
