import { northwind, type Office, openOffice } from '@sealpost/testkit'
import { expect } from 'vitest'
import { bearer, get, type Told } from '../wire.ts'
import {
  createAccountClient,
  type OAuthClient,
  REDIRECT,
  renew,
  setRedirect,
  type Tokens,
  tokensOf,
} from './relying-party.ts'

export const INVALID_GRANT: { readonly status: number; readonly body: unknown } = {
  status: 400,
  body: expect.objectContaining({ error: 'invalid_grant', error_key: 'oauth.invalid_grant' }),
}

/** Clients under attack, and what must be true of their tokens. */
export interface Target {
  readonly office: Office
  readonly front: string
  /** A data client and an account client of the company in eu. */
  readonly svc: OAuthClient
  readonly acct: OAuthClient
  /** An account client of the company in us. */
  readonly stranger: OAuthClient
  expectAlive(tokens: Tokens): Promise<void>
  /** On the very next call, at every process; and nothing new can be had. */
  expectDead(client: OAuthClient, tokens: Tokens): Promise<void>
  expectOneWinnerAndItsDeath(client: OAuthClient, answers: readonly Told[]): Promise<void>
}

export async function openTarget(): Promise<Target> {
  const office = await openOffice()
  const second = await office.two.another('eu')
  await setRedirect(office.northwind, northwind.serviceId, REDIRECT)
  // Two API processes of the home region, so that what one has seen does not speak for the other.
  const homes = [office.northwind.apiUrl, second.url ?? '']
  const statuses = async (access: string): Promise<readonly number[]> => {
    const answers = await Promise.all(homes.map((url) => get(`${url}/api/account`, bearer(access))))
    return answers.map(({ status }) => status)
  }
  const target: Target = {
    office,
    front: office.two.frontDoor.url,
    svc: { clientId: northwind.clientId, clientSecret: northwind.clientSecret, redirectUri: REDIRECT },
    acct: await createAccountClient(office.northwind),
    stranger: await createAccountClient(office.harborline),
    async expectAlive({ access }) {
      for (const status of await statuses(access)) expect(status).not.toBe(401)
    },
    async expectDead(client, { access, refresh }) {
      expect(await statuses(access)).toEqual([401, 401])
      expect((await renew(office, client, refresh)).status).toBe(400)
    },
    async expectOneWinnerAndItsDeath(client, answers) {
      const winners = answers.filter(({ status }) => status === 200)
      expect(winners).toHaveLength(1)
      for (const { status, body } of answers) if (status !== 200) expect({ status, body }).toEqual(INVALID_GRANT)
      for (const winner of winners) await target.expectDead(client, tokensOf(winner))
    },
  }
  return target
}

export async function shown(answer: Promise<Told>): Promise<{ status: number; body: unknown }> {
  const { status, body } = await answer
  return { status, body }
}
