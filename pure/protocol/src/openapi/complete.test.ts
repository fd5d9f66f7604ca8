import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { serviceEvents } from '../events/service.ts'
import { allOperations } from '../operations/index.ts'
import { apiDocumentNames } from '../operations/reference.ts'
import { openApiDocument } from './document.ts'
import { documentedSchema } from './documented.ts'
import { exampleOf } from './example.ts'
import { asJson, isList, isObject, type Json, type JsonObject } from './json.ts'

/** Objects whose members are all optional: changes that leave absent members as they are, and empty bodies. */
const ALL_OPTIONAL: readonly string[] = [
  'AccountChangeProfileBody',
  'AccountSecurityEnableSecondFactorBody',
  'AccountSecurityRequestDeletionBody',
  'CompanyConnectionsDeclineConsentBody',
  'ConnectRequestsRejectBody',
  'CustomerTwofaDenyBody',
  'CustomerTwofaReportBody',
  'CustomerDocumentsCancelBody',
  'CustomerDocumentsDeclineBody',
  'CustomerDocumentsSendCodeBody',
  'CustomerMessagesReadBody',
  'CustomerRunsCancelBody',
  'CustomerRunsDeclineBody',
  'DecisionFile',
  'DocumentTarget',
  'DocumentsChangeBody',
  'DocumentsUploadFileBody',
  'Error.auth.client_endpoint_forbidden',
  'FlowRunsCancelBody',
  'FlowRunsStartBody',
  'MessagesReadBody',
  'OauthAppsChangeBody',
  'OauthCompleteAuthorizationBody',
  'OauthCompleteAuthorizationBody.id_claims',
  'RecoveryRequestCodeBody',
  'RegistryChangeFieldBody',
  'OwnerDocumentsDeclineBody',
  'OwnerDocumentsSendCodeBody',
  'ServiceRunsCancelBody',
  'ServiceRunsStartBody',
  'ServicesChangeBody',
  'ServicesCreateClientBody',
  'VerificationsConfirmBody',
  'WebhooksRegenerateHmacSecretBody',
  'WebhooksReplayBody',
]

/** Objects that hold any member: an OpenAPI document in the answer that serves it. */
const OPEN: readonly string[] = ['OpenApiDocument.info', 'OpenApiDocument.paths']

describe.each(apiDocumentNames)('%s', (name) => {
  const printed = asJson(openApiDocument(name, { version: '1.0.0' }))

  test('every schema has a type, and every object says which members are required', () => {
    expect(schemasIn(printed).flatMap(({ at, schema }) => gapsOf(at, schema))).toEqual([])
  })

  test('every parameter has a description, beside its schema', () => {
    const bare = parametersIn(printed).filter((parameter) => typeof parameter['description'] !== 'string')
    expect(bare.map((parameter) => parameter['name'])).toEqual([])
  })

  test('every JSON or form body, sent or answered, has an example', () => {
    expect(mediaIn(printed).flatMap(({ at, type, media }) => lackingExample(at, type, media))).toEqual([])
  })

  test('the numbers of a query are integers: generators take the type from there', () => {
    const numbers = parametersIn(printed).filter((each) => each['name'] === 'limit' || each['name'] === 'offset')
    expect(numbers.filter(({ schema }) => !isObject(schema) || schema['type'] !== 'integer')).toEqual([])
  })

  test('every body has a schema', () => {
    expect(mediaIn(printed).flatMap(({ at, media }) => (isObject(media['schema']) ? [] : [at]))).toEqual([])
  })
})

test('the examples are valid, for the route and for a reader of the document', () => {
  const wrong = allOperations.flatMap(({ id, body, success }) =>
    [body, success.body, success.jsonForm].flatMap((schema) =>
      schema === undefined || isExample(schema) ? [] : [`${id}: ${JSON.stringify(exampleOf(schema))}`],
    ),
  )
  expect(wrong).toEqual([])
})

test('the document for backends has a webhook for each event, with a valid example', () => {
  const { webhooks } = openApiDocument('company-data', { version: '1.0.0' })
  expect(Object.keys(webhooks ?? {}).toSorted()).toEqual(Object.keys(serviceEvents).toSorted())
  for (const { schema } of Object.values(serviceEvents)) expect(isExample(schema)).toBe(true)
})

test('members that a rule checks have the type that it accepts, and are required where it requires them', () => {
  const { components } = openApiDocument('account', { version: '1.0.0' })
  const body = ['schemas', 'AccountClientsCreateBody']
  expect(components).toHaveProperty([...body, 'required'], ['name', 'capabilities'])
  expect(components).toHaveProperty([...body, 'properties', 'name', 'type'], 'string')
  expect(components).toHaveProperty([...body, 'properties', 'capabilities', 'items', 'enum', 0], 'service_management')
})

function isExample(schema: TSchema): boolean {
  const documented = documentedSchema(schema) as TSchema
  const example = exampleOf(schema)
  return Compile(schema).Check(example) && Compile(documented).Check(example)
}

interface Placed {
  readonly at: string
  readonly schema: JsonObject
}

/** Every schema: of components, parameters and bodies, with the schemas inside of it. */
function schemasIn(printed: Json): readonly Placed[] {
  const named = Object.entries(objectAt(printed, 'components', 'schemas'))
  const inline = [...parametersIn(printed), ...mediaIn(printed).map(({ media }) => media)]
  const roots = [
    ...named.map(([at, schema]) => ({ at, schema })),
    ...inline.map((holder) => ({ at: JSON.stringify(holder).slice(0, 80), schema: holder['schema'] ?? null })),
  ]
  return roots.flatMap(({ at, schema }) => withParts(at, schema))
}

function withParts(at: string, schema: Json): readonly Placed[] {
  if (!isObject(schema)) return []
  const { additionalProperties, allOf, anyOf, items, oneOf, patternProperties, properties } = schema
  const choices = [allOf, anyOf, oneOf].flatMap((list) => (isList(list) ? list : []))
  return [
    { at, schema },
    ...choices.flatMap((part) => withParts(at, part)),
    ...[properties, patternProperties].flatMap((members) =>
      Object.entries(isObject(members) ? members : {}).flatMap(([name, part]) => withParts(`${at}.${name}`, part)),
    ),
    ...[items, additionalProperties].flatMap((part) => (part === undefined ? [] : withParts(`${at}[]`, part))),
  ]
}

function gapsOf(at: string, schema: JsonObject): readonly string[] {
  if ('$ref' in schema) return 'properties' in schema ? [`${at}: members beside $ref are ignored by generators`] : []
  if (['allOf', 'anyOf', 'oneOf'].some((keyword) => keyword in schema)) return []
  const { items, type } = schema
  if (type === undefined) return isAnyItem(at, schema) ? [] : [`${at}: no type`]
  if (typesOf(type).includes('array') && !isObject(items)) return [`${at}: no items`]
  return type === 'object' ? gapsOfObject(at, schema) : []
}

function typesOf(type: Json): readonly Json[] {
  return isList(type) ? type : [type]
}

/** The items of a list that may hold any JSON value. */
function isAnyItem(at: string, schema: JsonObject): boolean {
  return at.endsWith('[]') && Object.keys(schema).length === 0
}

function gapsOfObject(at: string, schema: JsonObject): readonly string[] {
  const { additionalProperties, patternProperties, properties, required } = schema
  if (patternProperties !== undefined) return [`${at}: patterns of names are ignored by generators`]
  if (ALL_OPTIONAL.includes(at) || OPEN.includes(at)) return []
  if (isObject(additionalProperties)) return []
  if (!isObject(properties) || Object.keys(properties).length === 0) return [`${at}: an object without members`]
  return isList(required) && required.length > 0 ? [] : [`${at}: no required members`]
}

interface Media {
  readonly at: string
  readonly type: string
  readonly media: JsonObject
}

/** Every body of a request, a response or a webhook. */
function mediaIn(printed: Json): readonly Media[] {
  const responses = Object.entries(objectAt(printed, 'components', 'responses'))
  const holders: [string, Json][] = [...responses]
  for (const [at, operation] of operationsIn(printed)) {
    holders.push([`${at} body`, operation['requestBody'] ?? null])
    const answers = Object.entries(objectAt(operation, 'responses'))
    holders.push(...answers.map(([status, answer]): [string, Json] => [`${at} ${status}`, answer]))
  }
  return holders.flatMap(([at, holder]) =>
    Object.entries(objectAt(holder, 'content')).flatMap(([type, media]) =>
      isObject(media) ? [{ at: `${at} ${type}`, type, media }] : [],
    ),
  )
}

/** XML is made by the viewer from the schema; files and pages have none. */
function lackingExample(at: string, type: string, media: JsonObject): readonly string[] {
  const isShown = type === 'application/json' || type === 'application/x-www-form-urlencoded'
  return isShown && !('example' in media) && !('examples' in media) ? [at] : []
}

function parametersIn(printed: Json): readonly JsonObject[] {
  const shared = Object.values(objectAt(printed, 'components', 'parameters'))
  const own = operationsIn(printed).flatMap(([, { parameters }]) => (isList(parameters) ? parameters : []))
  return [...shared, ...own].filter((parameter) => isObject(parameter)).filter((parameter) => !('$ref' in parameter))
}

function operationsIn(printed: Json): readonly (readonly [at: string, operation: JsonObject])[] {
  const paths = [...Object.entries(objectAt(printed, 'paths')), ...Object.entries(objectAt(printed, 'webhooks'))]
  return paths.flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).flatMap(([method, operation]) =>
      isObject(operation) ? [[`${method} ${path}`, operation] as const] : [],
    ),
  )
}

function objectAt(node: Json, ...names: readonly string[]): JsonObject {
  const found = names.reduce<Json>((at, name) => (isObject(at) ? (at[name] ?? null) : null), node)
  return isObject(found) ? found : {}
}
