import { createCryptoPlatform, isPassphraseWrap, isPublicKey } from '@sealpost/crypto'
import { buildRegistry, claimableTypes, seedRows } from '@sealpost/field-types'
import type { ListAnswer } from '@sealpost/http'
import { parseUuid, type ServiceId, type UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { type ClaimsDelivery, type PageQueryText, refuse } from '@sealpost/protocol'
import { listPage, type Page } from '../../../platform/page.ts'
import { forgetUses, lockPluginFacts, readAllPluginFacts, recordUses } from '../../plugins/index.ts'
import { findService, pickServices } from '../../services/index.ts'
import type { ClientsContext } from '../context.ts'
import {
  type Actor,
  type AppClaim,
  type AppSettings,
  type ChangeableSettings,
  type Client,
  type CreatedClient,
  parseClientName,
  type RegeneratedSecret,
  type SigninApp,
} from '../model.ts'
import { changeClient, createClient, deleteClient, regenerateSecret } from '../pending-changes/index.ts'
import { type ClaimFacts, hasPluginClaim, validateClaims } from '../rules/claims.ts'
import { isSafeRedirect } from '../rules/redirect-uri.ts'
import { findApp, insertApp, listApps, updateApp } from '../store/apps.ts'
import { countClients, findClient, listClients } from '../store/clients.ts'
import { appToWire, newAppToWire, secretToWire } from '../wire.ts'
import { auditClient } from './audit.ts'

interface AppBody {
  readonly name?: string
  readonly redirect_uris?: unknown
  readonly service_id?: string | null
  readonly confidential?: boolean
  readonly detached?: boolean
  readonly require_2fa?: boolean
  readonly claims_delivery?: ClaimsDelivery
  readonly claims?: unknown
}

interface NewAppBody extends AppBody {
  readonly name: string
  readonly public_key?: unknown
  readonly encrypted_private_key?: unknown
}

const MAX_REDIRECTS = 50
const crypto = createCryptoPlatform(globalThis)
const claimable = claimableTypes(buildRegistry(seedRows))

/** The app with its claims and the key that answers are sealed to; null unless it is live. */
export async function findSigninApp(read: Read, companyId: UserId, id: string): Promise<SigninApp | null> {
  const name = parseClientName(companyId, id)
  if (name === null) return null
  const client = await findClient(read, name, 'idw')
  const settings = client?.state === 'live' ? await findApp(read, name) : null
  return client === null || settings === null ? null : { client: await withLiveService(read, client), settings }
}

export async function locateApp({ database }: ClientsContext, companyId: UserId, id: string): Promise<SigninApp> {
  const app = await database.read((read) => findSigninApp(read, companyId, id))
  if (app === null) throw notFound()
  return app
}

export async function createApp(
  clients: ClientsContext,
  actor: Actor,
  body: NewAppBody,
): Promise<CreatedClient & SigninApp> {
  const { companyId } = actor
  const isConfidential = body.confidential ?? true
  requireSecret(isConfidential, body)
  const plugins = await loadPlugins(clients, companyId, body)
  const settings = { ...readSettings(body, NEW_SETTINGS, plugins), ...readKeys(body) }
  const wanted = {
    companyId,
    kind: 'idw',
    serviceId: await readOwnService(clients, companyId, body.service_id ?? null),
    name: body.name,
    purpose: null,
    capabilities: [],
    redirectUris: readRedirects(body.redirect_uris),
    isConfidential,
    allowsDetached: body.detached ?? false,
  } as const
  const created = await createClient(clients, wanted, {
    onBegun: (tx, name) => insertApp(tx, name, settings),
    async onLive(tx, { client, secret }) {
      await recordClaimUses(tx, client, settings.claims)
      await auditClient(clients, tx, actor, 'oauth_apps.create', client)
      await tx.storeAnswer(newAppToWire({ client, settings }, secret))
    },
  })
  return { ...created, settings }
}

const apps = { name: 'oauth-apps', idOf: ({ client }: SigninApp) => client.id, toWire: appToWire }

/** Live apps, oldest first. */
export function listOwnApps(
  { database }: ClientsContext,
  companyId: UserId,
  query: PageQueryText,
): Promise<ListAnswer<Page<ReturnType<typeof appToWire>>>> {
  return listPage(
    apps,
    query,
    (slice) =>
      database.read(async (read) => withSettings(read, companyId, await listClients(read, companyId, 'idw', slice))),
    () => database.read((read) => countClients(read, companyId, 'idw')),
  )
}

async function withSettings(read: Read, companyId: UserId, clients: readonly Client[]): Promise<readonly SigninApp[]> {
  const ids = clients.map(({ clientId }) => clientId)
  const found = new Map((await listApps(read, companyId, ids)).map((app) => [app.clientId, app]))
  return (await withLiveServices(read, companyId, clients)).flatMap((client) => {
    const settings = found.get(client.clientId)
    return settings === undefined ? [] : [{ client, settings }]
  })
}

export async function changeApp(
  clients: ClientsContext,
  actor: Actor,
  { client, settings }: SigninApp,
  body: AppBody,
): Promise<SigninApp> {
  const isFixed = body.confidential === undefined || body.confidential === client.isConfidential
  if (!isFixed) throw invalid('/confidential', 'never changes: make another app instead')
  requireSecret(client.isConfidential, body)
  // An invalid body is refused before the directory is asked.
  const plugins = await loadPlugins(clients, client.companyId, body)
  let changed = { ...settings, ...readSettings(body, settings, plugins) }
  const changes = {
    name: body.name,
    serviceId:
      body.service_id === undefined ? undefined : await readOwnService(clients, client.companyId, body.service_id),
    redirectUris: body.redirect_uris === undefined ? undefined : readRedirects(body.redirect_uris),
    allowsDetached: body.detached,
  }
  const after = await changeClient(clients, client, changes, {
    notFound,
    async inTransaction(tx) {
      // Read again under the lock: members that only a concurrent change named are kept.
      const now = (await findApp(tx, client)) ?? settings
      changed = { ...now, ...readSettings(body, now, plugins) }
      await updateApp(tx, client, changed)
      await recordClaimUses(tx, client, changed.claims)
      await auditClient(clients, tx, actor, 'oauth_apps.change', client)
    },
  })
  return { client: await clients.database.read((read) => withLiveService(read, after)), settings: changed }
}

export async function regenerateAppSecret(
  clients: ClientsContext,
  actor: Actor,
  { client }: SigninApp,
): Promise<RegeneratedSecret> {
  if (!client.isConfidential) throw invalid('/confidential', 'a public app has no secret')
  return regenerateSecret(clients, client, {
    notFound,
    async inTransaction(tx, regenerated) {
      await auditClient(clients, tx, actor, 'oauth_apps.regenerate_secret', client)
      await tx.storeAnswer(secretToWire(regenerated))
    },
  })
}

export async function deleteApp(clients: ClientsContext, actor: Actor, { client }: SigninApp): Promise<void> {
  await deleteClient(clients, client, {
    notFound,
    async inTransaction(tx) {
      await forgetUses(tx, client.companyId, client.clientId)
      await auditClient(clients, tx, actor, 'oauth_apps.delete', client)
    },
  })
}

const NEW_SETTINGS: ChangeableSettings = { requireTwoFactor: false, claimsDelivery: 'encrypted', claims: [] }

type Plugins = ClaimFacts['plugins']

async function loadPlugins({ database }: ClientsContext, companyId: UserId, { claims }: AppBody): Promise<Plugins> {
  return hasPluginClaim(claims) ? database.read((read) => readAllPluginFacts(read, companyId)) : new Map()
}

function readSettings(body: AppBody, before: ChangeableSettings, plugins: Plugins): ChangeableSettings {
  return {
    requireTwoFactor: body.require_2fa ?? before.requireTwoFactor,
    claimsDelivery: body.claims_delivery ?? before.claimsDelivery,
    claims: body.claims === undefined ? before.claims : readClaims(body.claims, plugins),
  }
}

function readClaims(value: unknown, plugins: Plugins): readonly AppClaim[] {
  const validated = validateClaims(value, { claimable, plugins })
  if (validated.ok) return validated.value
  const { key, reason } = validated.refusal
  throw refuse(key, undefined, { sentence: reason })
}

/** The plugins were read before the transaction: one of them may be gone. */
async function recordClaimUses(tx: Tx, { companyId, clientId }: Client, claims: readonly AppClaim[]): Promise<void> {
  const uses = claims.flatMap(({ name, plugin }) =>
    plugin === undefined ? [] : [{ pluginId: plugin.plugin_id, id: clientId, name }],
  )
  const found = await lockPluginFacts(
    tx,
    companyId,
    uses.map(({ pluginId }) => pluginId),
  )
  const gone = uses.find(({ pluginId }) => !found.has(pluginId))
  if (gone !== undefined) {
    const sentence = `the claim ${gone.name} names a plugin that this account does not have`
    throw refuse('oauth_apps.claim_config_plugin_invalid', undefined, { sentence })
  }
  await recordUses(tx, { companyId, kind: 'claim', ownerId: clientId, id: null }, uses)
}

function readKeys(body: NewAppBody): Pick<AppSettings, 'publicKey' | 'encryptedPrivateKey'> {
  const { public_key: publicKey, encrypted_private_key: encryptedPrivateKey } = body
  if (!isPublicKey(crypto, publicKey) || !isPassphraseWrap(crypto, encryptedPrivateKey)) {
    throw refuse('oauth_apps.public_key_required')
  }
  return { publicKey, encryptedPrivateKey }
}

function readRedirects(value: unknown): readonly string[] {
  if (!Array.isArray(value) || !value.every(isSafeRedirect)) throw refuse('oauth_apps.redirect_uri_invalid')
  if (value.length > MAX_REDIRECTS) {
    const sentence = `An app has at most ${MAX_REDIRECTS} redirect URIs, not ${value.length}; remove some`
    throw refuse('oauth_apps.redirect_uri_invalid', undefined, { sentence })
  }
  return [...new Set(value)]
}

/**
 * An app belongs to its company and outlives the service that it names. The directory keeps the id of a deleted service
 * until the app is changed; answers have null instead.
 */
async function withLiveServices(read: Read, companyId: UserId, clients: readonly Client[]): Promise<readonly Client[]> {
  const named = clients.flatMap(({ serviceId }) => serviceId ?? [])
  const live = named.length === 0 ? new Set<ServiceId>() : await pickServices(read, companyId, named)
  return clients.map((client) => {
    const { serviceId } = client
    return serviceId === null || live.has(serviceId) ? client : { ...client, serviceId: null }
  })
}

async function withLiveService(read: Read, client: Client): Promise<Client> {
  const [found = client] = await withLiveServices(read, client.companyId, [client])
  return found
}

async function readOwnService(
  { database }: ClientsContext,
  companyId: UserId,
  id: string | null,
): Promise<ServiceId | null> {
  if (id === null) return null
  const serviceId = parseUuid<ServiceId>(id)
  const service = serviceId === null ? null : await database.read((read) => findService(read, companyId, serviceId))
  if (service === null) throw refuse('services.not_found')
  return serviceId
}

/** The outcome of a detached request goes to the client that polls for it with its secret. */
function requireSecret(isConfidential: boolean, { detached = false }: AppBody): void {
  if (detached && !isConfidential) throw invalid('/detached', 'is for apps with a secret')
}

const notFound = () => refuse('oauth_apps.not_found')

function invalid(path: string, message: string): Error {
  return refuse('request.invalid', { details: [{ path: `/body${path}`, message }] })
}
