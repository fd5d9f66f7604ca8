import type { World } from '@sealpost/testkit'
import { expect } from 'vitest'
import { bearer, get, type WireAnswer } from '../wire.ts'
import { createAccountClient, dataClientOf, type OAuthClient, renew, type Tokens, tokensOf } from './relying-party.ts'

export const INVALID_GRANT: { readonly status: number; readonly body: unknown } = {
  status: 400,
  body: expect.objectContaining({ error: 'invalid_grant', error_key: 'oauth.invalid_grant' }),
}

/** Clients of two companies, and assertions on their tokens. */
export interface Target {
  readonly front: string
  /** A data client and an account client of the company in eu. */
  readonly svc: OAuthClient
  readonly acct: OAuthClient
  /** An account client of the company in us. */
  readonly other: OAuthClient
  expectAlive(tokens: Tokens): Promise<void>
  /** The access token is refused by every process at the next call, and the refresh token too. */
  expectDead(client: OAuthClient, tokens: Tokens): Promise<void>
  expectOneRevokedWinner(client: OAuthClient, answers: readonly WireAnswer[]): Promise<void>
}

export async function openTarget(world: World): Promise<Target> {
  const { northwind, harborline } = await world.personas('northwind', 'harborline')
  const second = await world.another('eu')
  // Two API processes of the home region: each has its own cache.
  const homes = [northwind.apiUrl, second.url ?? '']
  const statuses = async (access: string): Promise<readonly number[]> => {
    const answers = await Promise.all(homes.map((url) => get(`${url}/api/account`, bearer(access))))
    return answers.map(({ status }) => status)
  }
  const target: Target = {
    front: world.frontDoor.url,
    svc: await dataClientOf(northwind),
    acct: await createAccountClient(northwind),
    other: await createAccountClient(harborline),
    async expectAlive({ access }) {
      for (const status of await statuses(access)) expect(status).not.toBe(401)
    },
    async expectDead(client, { access, refresh }) {
      expect(await statuses(access)).toEqual([401, 401])
      expect((await renew(world, client, refresh)).status).toBe(400)
    },
    async expectOneRevokedWinner(client, answers) {
      const winners = answers.filter(({ status }) => status === 200)
      expect(winners).toHaveLength(1)
      for (const { status, body } of answers) if (status !== 200) expect({ status, body }).toEqual(INVALID_GRANT)
      for (const winner of winners) await target.expectDead(client, tokensOf(winner))
    },
  }
  return target
}

export async function statusAndBody(answer: Promise<WireAnswer>): Promise<{ status: number; body: unknown }> {
  const { status, body } = await answer
  return { status, body }
}
