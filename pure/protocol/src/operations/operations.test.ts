import Type from 'typebox'
import { expect, test } from 'vitest'
import { answersXml, defineOperation, gateErrors, type Operation } from '../operation.ts'
import { whoami } from './company-data.ts'
import { listRegions } from './front-door.ts'
import { allOperations } from './index.ts'
import { requestToken } from './oauth.ts'
import { operationProblems } from './problems.ts'

const fine = defineOperation({
  id: 'things.read_thing',
  method: 'GET',
  path: '/api/things/{id}',
  document: 'account',
  summary: 'One thing',
  callers: ['portal'],
  rate: 'data',
  params: Type.Object({ id: Type.String() }),
  success: { status: 200, about: 'The thing', body: Type.Object({}) },
  errors: [],
})

test('every route of the installation is well described', () => {
  expect(operationProblems(allOperations)).toEqual([])
  expect(allOperations).toContain(whoami)
})

const broken: readonly (readonly [string, Operation, RegExp])[] = [
  ['an id without an area', { ...fine, id: 'read' }, /area\.verb_noun/],
  ['a path with a doubled slash', { ...fine, path: '/api//things/{id}' }, /notation/],
  ['an undeclared parameter', { ...fine, path: '/api/things/{id}/{part}' }, /params/],
  ['a parameter that the path lacks', { ...fine, path: '/api/things' }, /params/],
  ['a number in the query', { ...fine, query: Type.Object({ limit: Type.Integer() }) }, /text on the wire/],
  ['a GET with a body', { ...fine, body: Type.Object({}) }, /no body/],
  ['a form outside of OAuth', { ...fine, method: 'POST', bodyType: 'form' }, /only under/],
  ['a draining POST', { ...fine, method: 'POST', drains: true }, /drain/],
  ['a creating PUT', { ...fine, method: 'PUT', creates: true }, /creates/],
  ['a 204 with a body', { ...fine, success: { ...fine.success, status: 204 } }, /204/],
  ['a key listed twice', { ...fine, errors: ['keys.not_found', 'keys.not_found'] }, /twice/],
  ['a key of the gates', { ...fine, errors: ['auth.expired'] }, /gates/],
]

test.each(broken)('%s is a problem', (_, operation, problem) => {
  expect(operationProblems([fine])).toEqual([])
  expect(operationProblems([operation])).toEqual([expect.stringMatching(problem)])
})

test('two operations with one id or one route are a problem', () => {
  expect(operationProblems([fine, { ...fine, path: '/api/others/{id}' }])).toEqual([expect.stringContaining('id')])
  const renamed = { ...fine, id: 'things.read_other', path: '/api/things/{thing}' } as const
  const params = Type.Object({ thing: Type.String() })
  expect(operationProblems([fine, { ...renamed, params }])).toEqual([expect.stringContaining('GET /api/things/{}')])
})

test('XML is for authenticated routes under /api only', () => {
  expect(answersXml(whoami)).toBe(true)
  expect(answersXml({ ...whoami, jsonOnly: true })).toBe(false)
  expect(answersXml(listRegions)).toBe(false)
  expect(answersXml(requestToken)).toBe(false)
})

test('a token request works while writes are paused, any other write does not', () => {
  expect(gateErrors(requestToken)).not.toContain('db.writes_paused')
  expect(gateErrors({ ...fine, method: 'POST', body: Type.Object({}) })).toContain('db.writes_paused')
  expect(gateErrors({ ...fine, drains: true })).toContain('db.writes_paused')
})
