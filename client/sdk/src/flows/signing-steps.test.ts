import { expect, test } from 'vitest'
import { COMPANY, definition, PARTNER, PERSON, runWith } from '../../test/stub-run.ts'
import type { FlowRun } from './run.ts'
import { openSigningStep, ownCopyOf, signingSteps } from './signing-steps.ts'

function copy(output_key: string, position: number | null, document_status: string, more: object = {}) {
  const acts = { requires_signature: position !== null, requires_acceptance: false, action: null, acted_at: null }
  return {
    output_key,
    name: output_key,
    document_id: `${output_key}${position}`,
    document_status,
    position,
    ...acts,
    ...more,
  }
}

const AT = '2026-05-01T09:00:00.000+00:00'
const accepts = { requires_signature: false, requires_acceptance: true }
const participants = [
  {
    party_key: 'customer',
    person_user_id: PERSON,
    connection_id: null,
    documents: [
      copy('contract', 1, 'active', { action: 'signed', acted_at: AT }),
      copy('annex', 4, 'waiting', accepts),
    ],
  },
  {
    party_key: 'us',
    person_user_id: COMPANY,
    connection_id: null,
    documents: [copy('annex', 2, 'offering', accepts), copy('contract', 3, 'ended')],
  },
  { party_key: 'partner', person_user_id: PARTNER, connection_id: null, documents: [copy('annex', null, 'active')] },
]
const run = runWith(definition({}), { participants }) as unknown as FlowRun

test('the steps stand in the order of the line, without the copies that are only received', () => {
  expect(signingSteps(run, COMPANY)).toMatchObject([
    { position: 1, party: 'customer', outputKey: 'contract', act: 'sign', state: 'done', actedAt: AT, isOwn: false },
    { position: 2, party: 'us', outputKey: 'annex', act: 'accept', state: 'open', actedAt: null, isOwn: true },
    { position: 3, party: 'us', outputKey: 'contract', act: 'sign', state: 'ended', isOwn: true },
    { position: 4, party: 'customer', outputKey: 'annex', act: 'accept', state: 'waiting', documentId: 'annex4' },
  ])
  expect(openSigningStep(run, PERSON)).toMatchObject({ position: 2, isOwn: false })
  expect(openSigningStep({ ...run, participants: [] }, PERSON)).toBeNull()
})

test('a user with two parties finds the copy whose turn it is', () => {
  expect(ownCopyOf(run, PARTNER, 'annex').document_id).toBe('annexnull')
  const both = participants.map((one) => ({ ...one, person_user_id: PERSON }))
  const shared = { ...run, participants: both } as unknown as FlowRun
  expect(ownCopyOf(shared, PERSON, 'annex').document_id).toBe('annex2')
  expect(() => ownCopyOf(run, PARTNER, 'contract')).toThrow('has made no document contract')
})
