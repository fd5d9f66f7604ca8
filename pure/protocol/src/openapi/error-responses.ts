import Type from 'typebox'
import { type ErrorKey, errorEntry } from '../errors/catalog.ts'
import type { ErrorEntry } from '../errors/entry.ts'
import { answersXml, gateErrors, type Operation } from '../operation.ts'
import { ErrorBody, OAuthErrorBody } from '../wire/error-body.ts'
import { type Components, define, printSchema } from './components.ts'
import { exampleOf } from './example.ts'
import { errorHeaders } from './headers.ts'
import { isObject, type JsonObject } from './json.ts'

/** All refusals of a route: those of its gates and those it lists itself. */
export function documentedErrors(operation: Operation): readonly ErrorKey[] {
  return [...gateErrors(operation), ...operation.errors]
}

/** One response per status, with the possible keys as an enum and an example of each. */
export function errorResponses(operation: Operation, components: Components, vendor: string): JsonObject {
  const dialect = dialectOf(operation)
  const byStatus = new Map<number, ErrorKey[]>()
  for (const key of documentedErrors(operation)) {
    for (const status of statusesIn(dialect, errorEntry(key))) {
      byStatus.set(status, [...(byStatus.get(status) ?? []), key])
    }
  }
  const responses = [...byStatus].toSorted(([a], [b]) => a - b)
  return Object.fromEntries(
    responses.map(([status, keys]) => {
      const name = [status, ...keys, ...(dialect === 'house' ? [] : [dialect])].join('-')
      return [
        String(status),
        define('responses', name, errorResponse(dialect, status, keys, components, vendor), components),
      ]
    }),
  )
}

/** The error format of a route: `json` is the house shape where XML is not offered. */
type Dialect = 'house' | 'json' | 'oauth'

function dialectOf(operation: Operation): Dialect {
  if (operation.path.startsWith('/oauth2/')) return 'oauth'
  return answersXml(operation) ? 'house' : 'json'
}

function errorResponse(
  dialect: Dialect,
  status: number,
  keys: readonly ErrorKey[],
  components: Components,
  vendor: string,
): JsonObject {
  const waits = keys.some((key) => key.endsWith('limited') || errorEntry(key).retryAfterSeconds !== undefined)
  const json = {
    schema: schemaOf(dialect, keys, components),
    examples: Object.fromEntries(keys.map((key) => [key, example(dialect, key, components)])),
  }
  const xml = { schema: { ...printSchema(ErrorBody, components), xml: { name: 'response' } } }
  return {
    description: keys.map((key) => `\`${key}\`: ${errorEntry(key).sentence}.`).join('\n\n'),
    headers: errorHeaders(status, waits, vendor),
    content: { 'application/json': json, ...(dialect === 'house' ? { 'application/xml': xml } : {}) },
  }
}

/** Keys with members of their own get a branch each; the others share one. */
function schemaOf(dialect: Dialect, keys: readonly ErrorKey[], components: Components): JsonObject {
  const detailed = keys.filter((key) => errorEntry(key).details !== undefined)
  const shared = keys.filter((key) => !detailed.includes(key))
  const oauth = shared.filter((key) => speaksOAuth(dialect, errorEntry(key)))
  const plain = shared.filter((key) => !oauth.includes(key))
  const branches = detailed.map((key) => detailedSchema(dialect, key, components))
  if (plain.length > 0) branches.push({ allOf: [printSchema(ErrorBody, components), keyMember(plain)] })
  if (oauth.length > 0) branches.push({ allOf: [printSchema(OAuthErrorBody, components), keyMember(oauth)] })
  const [only, ...others] = branches
  return only !== undefined && others.length === 0 ? only : { oneOf: branches }
}

function detailedSchema(dialect: Dialect, key: ErrorKey, components: Components): JsonObject {
  const isOAuth = speaksOAuth(dialect, errorEntry(key))
  const details = printSchema(errorEntry(key).details ?? Type.Object({}), components)
  const body = printSchema(isOAuth ? OAuthErrorBody : ErrorBody, components)
  const schema = { allOf: [body, keyMember([key]), details] }
  return define('schemas', `${isOAuth ? 'OAuthError' : 'Error'}.${key}`, schema, components)
}

/** Beside the shared body and not within its reference: generators ignore what stands beside `$ref`. */
function keyMember(keys: readonly ErrorKey[]): JsonObject {
  return { type: 'object', properties: { error_key: { type: 'string', enum: keys } }, required: ['error_key'] }
}

function example(dialect: Dialect, key: ErrorKey, components: Components): JsonObject {
  const { sentence, remedy, details, oauthError } = errorEntry(key)
  const shown = details === undefined ? {} : exampleOf(details)
  const members = isObject(shown) ? shown : {}
  if (dialect === 'oauth' && oauthError !== undefined) {
    const value = { error: oauthError, error_description: sentence, error_key: key, ...members }
    return define('examples', `${key}-oauth`, { summary: remedy, value }, components)
  }
  return define(
    'examples',
    key,
    { summary: remedy, value: { error: sentence, error_key: key, ...members } },
    components,
  )
}

/** A key with an OAuth code and two statuses has the second one at `/oauth2`; without a code both can occur anywhere. */
function statusesIn(dialect: Dialect, entry: ErrorEntry): readonly number[] {
  if (entry.otherStatus === undefined) return [entry.status]
  if (entry.oauthError === undefined) return [entry.status, entry.otherStatus]
  return [speaksOAuth(dialect, entry) ? entry.otherStatus : entry.status]
}

function speaksOAuth(dialect: Dialect, entry: ErrorEntry): boolean {
  return dialect === 'oauth' && entry.oauthError !== undefined
}
