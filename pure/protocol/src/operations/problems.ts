import type { TObject } from 'typebox'
import { gateErrors, type Operation } from '../operation.ts'

const ID = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/
const PATH = /^\/$|^(\/[A-Za-z0-9._-]+|\/\{[A-Za-z_]+\})+$/

/** The problems of a set of operations, as sentences that name the operation; empty when there are none. */
export function operationProblems(operations: readonly Operation[]): readonly string[] {
  return [
    ...repeated(operations.map((operation) => operation.id)).map((id) => `two operations have the id ${id}`),
    ...repeated(operations.map(routeOf)).map((route) => `two operations serve ${route}`),
    ...operations.flatMap((operation) => ownProblems(operation).map((problem) => `${operation.id}: ${problem}`)),
  ]
}

/** The names in braces, in order. */
export function pathParams(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name)
}

function ownProblems(operation: Operation): readonly string[] {
  const { id, method, path, params, query, body, success } = operation
  const gates = new Set(gateErrors(operation))
  const rules: readonly (readonly [broken: boolean, problem: string])[] = [
    [!ID.test(id), 'the id is not of the form area.verb_noun'],
    [!PATH.test(path), `the path ${path} is not in OpenAPI's notation`],
    [!sameNames(pathParams(path), params), 'the members of `params` are not the names in the path'],
    [!isText(params) || !isText(query), 'members of `params` and `query` are text on the wire: use strings'],
    [method === 'GET' && body !== undefined, 'a GET has no body'],
    [takesForms(operation) && !path.startsWith('/oauth2/'), 'forms exist only under /oauth2'],
    [operation.drains === true && method !== 'GET', 'only a GET can drain'],
    [operation.creates === true && method !== 'POST', 'only a POST creates'],
    [success.status === 204 && success.body !== undefined, 'a 204 has no body'],
    [success.body !== undefined && success.mediaType !== undefined, 'an answer is JSON or a media type, not both'],
  ]
  return [
    ...rules.filter(([broken]) => broken).map(([, problem]) => problem),
    ...repeated(operation.errors).map((key) => `lists ${key} twice`),
    ...operation.errors.filter((key) => gates.has(key)).map((key) => `lists ${key}, which its gates already answer`),
  ]
}

function takesForms({ bodyType = 'json' }: Operation): boolean {
  return bodyType !== 'json'
}

/** Two paths that differ only in the name of a parameter are one route. */
function routeOf(operation: Operation): string {
  return `${operation.method} ${operation.path.replaceAll(/\{[^}]*\}/g, '{}')}`
}

function sameNames(names: readonly string[], params: TObject | undefined): boolean {
  const declared = Object.keys(params?.properties ?? {})
  return names.length === declared.length && names.every((name) => declared.includes(name))
}

function isText(schema: TObject | undefined): boolean {
  return Object.values(schema?.properties ?? {}).every(
    (member) => ('type' in member && member.type === 'string') || 'enum' in member,
  )
}

function repeated<T>(values: readonly T[]): readonly T[] {
  return values.filter((value, place) => values.indexOf(value) < place)
}
