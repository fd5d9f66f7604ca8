import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { checkedByRule, requiredByRule } from '../wire/checked-by-rule.ts'
import { PassphraseWrap, PublicKey } from '../wire/keys.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { ChosenPluginRow, PluginGiven } from '../wire/plugin.ts'
import { NullableUuid, nullableText, Timestamp } from '../wire/scalars.ts'
import { ClientSecretOnce } from './clients.ts'

export const claimsDeliveries = ['encrypted', 'plaintext'] as const
export type ClaimsDelivery = (typeof claimsDeliveries)[number]

const Claim = Type.Object(
  {
    name: Type.String(),
    type: Type.String(),
    label: nullableText(),
    suggest: nullableText({ description: 'The sources that the person is offered to fill the claim from.' }),
    required: Type.Boolean(),
    verified: Type.Boolean(),
    verified_max_age_days: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1 }),
    plugin: Type.Optional(ChosenPluginRow),
  },
  { title: 'AppClaim' },
)

const appMembers = {
  client_id: Type.String(),
  name: Type.String(),
  redirect_uris: Type.Array(Type.String(), { description: 'Matched exactly.' }),
  service_id: NullableUuid,
  confidential: Type.Boolean(),
  detached: Type.Boolean({ description: 'The app may make requests with `response_mode=detached`.' }),
  require_2fa: Type.Boolean(),
  claims_delivery: Type.Enum([...claimsDeliveries]),
  claims: Type.Array(Claim),
  public_key: Type.String(),
  created_at: Timestamp,
}
const OAuthApp = Type.Object(appMembers, { title: 'OAuthApp' })
const NewOAuthApp = Type.Object({ ...appMembers, client_secret: ClientSecretOnce }, { title: 'NewOAuthApp' })
const OAuthAppWithKey = Type.Object(
  { ...appMembers, encrypted_private_key: PassphraseWrap },
  { title: 'OAuthAppWithKey' },
)

const ClaimGiven = Type.Object(
  {
    name: Type.String({ examples: ['given_name'] }),
    type: Type.String({ examples: ['text'] }),
    label: Type.Optional(nullableText()),
    suggest: Type.Optional(nullableText()),
    required: Type.Optional(Type.Boolean()),
    verified: Type.Optional(Type.Boolean()),
    verified_max_age_days: Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1 })),
    plugin: Type.Optional(Type.Union([PluginGiven, Type.Null()], { description: 'Of a claim of type `plugin`.' })),
  },
  { title: 'AppClaimGiven' },
)
const Redirects = Type.Array(Type.String({ examples: ['https://app.example.com/callback'] }), {
  description: 'Absolute URIs without a fragment: https, or http on loopback.',
})

const changeable = {
  detached: Type.Optional(
    Type.Boolean({
      description:
        'The app may make requests with `response_mode=detached`, whose outcome it polls for with its secret. For apps with ' +
        'a secret, false unless given; an account client that sends it is refused.',
    }),
  ),
  claims: Type.Optional(checkedByRule(Type.Array(ClaimGiven, { maxItems: 15 }))),
  service_id: Type.Optional(NullableUuid),
  require_2fa: Type.Optional(Type.Boolean()),
  claims_delivery: Type.Optional(Type.Enum([...claimsDeliveries])),
}
const AppName = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
const appId = Type.Object({ id: Type.String({ maxLength: 255, description: 'The client_id.' }) })

export const createOAuthApp = defineOperation({
  id: 'oauth_apps.create',
  method: 'POST',
  path: '/api/account/oauth-apps',
  document: 'account',
  summary: 'Make a sign-in app',
  description:
    'Persons sign in with it and hand it claims, sealed to its key. A public app (`confidential` false) has no secret and ' +
    'uses PKCE.',
  callers: ['portal', 'account_client'],
  rate: 'data',
  body: Type.Object({
    ...changeable,
    redirect_uris: requiredByRule(Redirects),
    name: AppName,
    confidential: Type.Optional(Type.Boolean()),
    public_key: requiredByRule(PublicKey),
    encrypted_private_key: requiredByRule(PassphraseWrap),
  }),
  creates: true,
  onceOnly: ['client_secret'],
  success: { status: 201, about: 'The app; a confidential one with its secret', body: NewOAuthApp },
  errors: [
    'oauth_apps.redirect_uri_invalid',
    'oauth_apps.claims_invalid',
    'oauth_apps.claim_config_plugin_invalid',
    'oauth_apps.public_key_required',
    'services.not_found',
  ],
})

export const listOAuthApps = defineOperation({
  id: 'oauth_apps.list',
  method: 'GET',
  path: '/api/account/oauth-apps',
  document: 'account',
  summary: 'The sign-in apps',
  callers: ['portal', 'account_client'],
  rate: 'data',
  query: Type.Object(pageQuery),
  success: { status: 200, about: 'The apps, oldest first, without secrets', body: pageOf(OAuthApp) },
  errors: [],
})

export const readOAuthApp = defineOperation({
  id: 'oauth_apps.read',
  method: 'GET',
  path: '/api/account/oauth-apps/{id}',
  document: 'account',
  summary: 'One sign-in app',
  callers: ['portal', 'account_client'],
  rate: 'data',
  params: appId,
  success: { status: 200, about: 'The app with its wrapped private key', body: OAuthAppWithKey },
  errors: ['oauth_apps.not_found'],
})

export const changeOAuthApp = defineOperation({
  id: 'oauth_apps.change',
  method: 'PUT',
  path: '/api/account/oauth-apps/{id}',
  document: 'account',
  summary: 'Change a sign-in app',
  description:
    '`redirect_uris` replaces the whole set. Absent members stay unchanged; `confidential` and the keys never change. The change ' +
    'is written to the audit log.',
  callers: ['portal', 'account_client'],
  rate: 'data',
  params: appId,
  body: Type.Object({
    ...changeable,
    redirect_uris: Type.Optional(checkedByRule(Redirects)),
    name: Type.Optional(AppName),
    confidential: Type.Optional(Type.Boolean()),
  }),
  success: { status: 200, about: 'The app as it is now', body: OAuthApp },
  errors: [
    'oauth_apps.not_found',
    'oauth_apps.redirect_uri_invalid',
    'oauth_apps.claims_invalid',
    'oauth_apps.claim_config_plugin_invalid',
    'services.not_found',
  ],
})

export const regenerateOAuthAppSecret = defineOperation({
  id: 'oauth_apps.regenerate_secret',
  method: 'POST',
  path: '/api/account/oauth-apps/{id}/regenerate-secret',
  document: 'account',
  summary: 'Give a confidential app a new secret',
  description: 'When this answers, the old secret and every token of the app have ended.',
  callers: ['portal', 'account_client'],
  rate: 'data',
  params: appId,
  creates: true,
  onceOnly: ['client_secret'],
  success: {
    status: 200,
    about: 'The new secret',
    body: Type.Object({ client_id: Type.String(), client_secret: ClientSecretOnce }),
  },
  errors: ['oauth_apps.not_found'],
})

export const deleteOAuthApp = defineOperation({
  id: 'oauth_apps.delete',
  method: 'DELETE',
  path: '/api/account/oauth-apps/{id}',
  document: 'account',
  summary: 'Delete a sign-in app',
  callers: ['portal', 'account_client'],
  rate: 'data',
  params: appId,
  success: { status: 204, about: 'The app is deleted' },
  errors: ['oauth_apps.not_found'],
})
