import { parseClientId, type UserId } from '@sealpost/kernel'
import { readConsent } from '@sealpost/protocol'
import type { Adapter, AdapterFactory, AdapterPayload, OIDCContext } from 'oidc-provider'
import type { Platform } from '../../../platform/module.ts'
import { requireRegion } from '../../../platform/regions.ts'
import { openClientLookUp } from '../../directory/index.ts'
import { type ClientFacts, type CommandClient, commandClient, commandOf, factsOfRow } from '../model.ts'
import { grantAdapters } from './grant-adapter.ts'

/** Where the engine's models are stored: clients in the directory, grants at the user's home, all others nowhere. */
export function engineStorage(platform: Platform): AdapterFactory {
  const adapters: Readonly<Record<string, Partial<Adapter>>> = {
    ...grantAdapters(platform),
    Client: clientAdapter(platform),
  }
  return (model) => ({ ...unstored(model), ...adapters[model] })
}

/** The client of a token request. The command belongs to the user of the grant, whose home the grant names. */
export function factsOf(platform: Platform, { client, entities }: OIDCContext): ClientFacts {
  const facts = carriedBy(client)
  if ('userId' in facts) return facts
  const { Grant: grant } = entities
  if (grant?.accountId === undefined) throw new Error('the command has no grant')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the account of a grant is a user's id
  return commandOf(grant.accountId as UserId, requireRegion(platform, readConsent(grant).used_in).code)
}

export function carriedBy(client: unknown): ClientFacts | CommandClient {
  if (typeof client === 'object' && client !== null && 'facts' in client) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- set by metadataOf below, the engine only carries it
    return client.facts as ClientFacts | CommandClient
  }
  throw new Error('the token request has no client')
}

function clientAdapter({ database }: Platform): Partial<Adapter> {
  const lookUp = openClientLookUp(database)
  return {
    async find(id) {
      if (id === commandClient.clientId) return metadataOf(commandClient)
      const clientId = parseClientId(id)
      if (clientId === null) return undefined
      const row = await lookUp.find(clientId)
      return row === null ? undefined : metadataOf(factsOfRow(row))
    },
  }
}

/**
 * The engine requires a redirect URI for codes but never uses it: the authorize module validates requests, and a code
 * carries its own URI. With the real one the engine would refuse clients for URI schemes that we allow.
 */
const UNUSED_REDIRECT_URI = 'https://redirect.invalid/'

function metadataOf(facts: ClientFacts | CommandClient): AdapterPayload {
  const redirects = facts.kind === 'command' || facts.redirectUris.length > 0
  return {
    client_id: facts.clientId,
    // The engine requires a secret here. This is the hash; provider.ts overrides the comparison.
    ...(facts.secret === null ? {} : { client_secret: Buffer.from(facts.secret.hash).toString('hex') }),
    token_endpoint_auth_method: facts.secret === null ? 'none' : 'client_secret_post',
    grant_types: grantTypesOf(facts),
    response_types: redirects ? ['code'] : [],
    redirect_uris: redirects ? [UNUSED_REDIRECT_URI] : [],
    facts,
  }
}

/** Codes need a redirect URI. A data client keeps its refresh tokens when its last redirect URI is removed. */
function grantTypesOf({ kind, redirectUris }: Pick<ClientFacts, 'kind' | 'redirectUris'>): string[] {
  const byCode = redirectUris.length > 0 ? ['authorization_code'] : []
  switch (kind) {
    case 'svc':
      return ['client_credentials', ...byCode, 'refresh_token']
    case 'acct':
      return ['client_credentials', ...byCode, ...(byCode.length > 0 ? ['refresh_token'] : [])]
    case 'idw':
      return [...byCode, 'refresh_token']
    case 'command':
      return ['authorization_code', 'refresh_token']
  }
}

function unstored(model: string): Adapter {
  const refuse = (): Promise<never> => Promise.reject(new Error(`${model} is not stored at the front door`))
  return {
    find: () => Promise.resolve(undefined),
    findByUid: () => Promise.resolve(undefined),
    findByUserCode: () => Promise.resolve(undefined),
    upsert: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: refuse,
  }
}
