import { randomBytes } from 'node:crypto'
import { type Account, bodyOf, listOf, type Service, type World } from '@sealpost/testkit'
import { expect } from 'vitest'

export type Body = Readonly<Record<string, unknown>>

export const RAISE = '/api/service-2fa/challenges'
export const CARDS = '/api/customer/2fa/challenges'
export const ENROLLMENTS = '/api/customer/2fa/enrollments'

/** The person app sends a decision to the front door. */
export async function consent(world: World, person: Account, query: Body, decision: Body = { decision: 'approve' }) {
  const answer = await fetch(`${world.frontDoor.url}/oauth2/authorize`, {
    method: 'POST',
    body: JSON.stringify({ ...query, ...decision }),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${person.token}` },
    redirect: 'manual',
  })
  const body: unknown = await answer.json()
  const members: Body = typeof body === 'object' && body !== null ? { ...body } : {}
  return { status: answer.status, body: members }
}

export function enrolment(service: Service, more: Body = {}) {
  const state = randomBytes(16).toString('base64url')
  return { client_id: service.client.clientId, mode: '2fa_enroll', response_mode: 'detached', state, ...more }
}

let raised = 0

export function wish(person: Account, more: Body = {}): Body {
  raised += 1
  return { share_code: person.shareCode, idempotency_key: `attempt-${raised}`, context: 'Login from Bern', ...more }
}

/** Raises a challenge and waits for its card. */
export async function raise(service: Service, person: Account, more: Body = {}) {
  const answer = await bodyOf(service.data('POST', RAISE, { body: wish(person, more) }))
  const id = String(answer['challenge_id'])
  await expect.poll(async () => (await cardsOf(person)).map((card) => card['id'])).toContain(id)
  return { id, path: `${RAISE}/${id}`, card: `${CARDS}/${id}`, digits: answer['matching_digits'] }
}

export async function cardsOf(person: Account): Promise<readonly Body[]> {
  const { challenges } = await bodyOf(person.calls('GET', CARDS))
  return listOf(challenges)
}
