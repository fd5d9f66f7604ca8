import { expect, test } from 'vitest'
import type { DecisionRefusal } from './decisions.ts'
import { alreadyConnected, connectionNotFound, invalid, refuseDecisions } from './refusals.ts'

const details = [{ path: '/body/decisions/0', message: 'is odd' }]

test.each<[DecisionRefusal, string, number]>([
  [{ kind: 'encryption_required' }, 'contact_data.encryption_required', 400],
  [{ kind: 'source_changed' }, 'company_connections.source_changed', 409],
  [{ kind: 'invalid', details }, 'request.invalid', 400],
])('%j is answered by %s', (refusal, key, status) => {
  expect(refuseDecisions(refusal)).toMatchObject({ key, status })
})

test('an invalid member is named', () => {
  expect(refuseDecisions({ kind: 'invalid', details }).details).toEqual({ details })
  expect(invalid('/body/decisions/0', 'is odd').details).toEqual({ details })
})

test('a large file is refused with the limit', () => {
  expect(refuseDecisions({ kind: 'too_large', maxMb: 7 }).message).toContain('7')
})

test('a stranger cannot tell an unknown connection, and a second one says so', () => {
  expect(connectionNotFound()).toMatchObject({ key: 'company_data.connection_not_found', status: 404 })
  expect(alreadyConnected()).toMatchObject({ key: 'company_data.already_connected', status: 409 })
})
