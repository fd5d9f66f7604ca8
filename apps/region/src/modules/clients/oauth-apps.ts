import { createCryptoPlatform, isPassphraseWrap, isPublicKey, type PassphraseWrap } from '@sealpost/crypto'
import { buildRegistry, claimableTypes, seedRows } from '@sealpost/field-types'
import { formatInstant, type Secret, type ServiceId, type UserId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { type ClaimsDelivery, type PageQueryText, refuse } from '@sealpost/protocol'
import { findService, pickServices } from '../services/index.ts'
import { type SecretShown, showSecret, type StoreAnswer } from './account-clients.ts'
import { changeClient, deleteClientForGood, regenerateSecret } from './acts/change.ts'
import { createClient } from './acts/create.ts'
import { type Actor, recordAct } from './audit.ts'
import type { Client } from './client.ts'
import { readClientName, readServiceId } from './names.ts'
import type { ClientsNeeds } from './needs.ts'
import { type PageOf, readClientPage } from './page.ts'
import { type AppClaim, judgeClaims } from './rules/claims.ts'
import { isSafeRedirect } from './rules/redirect-uri.ts'
import { type AppSettings, findApp, insertApp, listApps, updateApp } from './store/apps.ts'
import { findClient } from './store/clients.ts'

export interface SigninApp {
  readonly client: Client
  readonly settings: AppSettings
}

export interface AppShown {
  readonly client_id: string
  readonly name: string
  readonly redirect_uris: string[]
  readonly service_id: string | null
  readonly confidential: boolean
  readonly require_2fa: boolean
  readonly claims_delivery: ClaimsDelivery
  readonly claims: AppClaim[]
  readonly public_key: string
  readonly created_at: string
}

export interface NewAppShown extends AppShown {
  readonly client_secret: string | null
}

interface AppBody {
  readonly name?: string
  readonly redirect_uris?: unknown
  readonly service_id?: string | null
  readonly confidential?: boolean
  readonly require_2fa?: boolean
  readonly claims_delivery?: ClaimsDelivery
  readonly claims?: unknown
}

interface NewAppBody extends AppBody {
  readonly name: string
  readonly public_key?: unknown
  readonly encrypted_private_key?: unknown
}

const MOST_REDIRECTS = 50
const platform = createCryptoPlatform(globalThis)
const claimable = claimableTypes(buildRegistry(seedRows))

/** For those who send persons to it: what the app asks for, and the key that answers are sealed to. */
export async function findSigninApp(read: Read, companyId: UserId, id: string): Promise<SigninApp | null> {
  const name = readClientName(companyId, id)
  if (name === null) return null
  const client = await findClient(read, name, 'idw')
  const settings = client?.state === 'live' ? await findApp(read, name) : null
  return client === null || settings === null ? null : { client: await ofLivingService(read, client), settings }
}

export async function locateApp(needs: ClientsNeeds, companyId: UserId, id: string): Promise<SigninApp> {
  const app = await needs.database.read((read) => findSigninApp(read, companyId, id))
  if (app === null) throw notFound()
  return app
}

export async function createApp(
  needs: ClientsNeeds,
  actor: Actor,
  body: NewAppBody,
  storeAnswer: StoreAnswer<NewAppShown>,
): Promise<NewAppShown> {
  const { companyId } = actor
  const settings = { ...readSettings(body, NEW_SETTINGS), ...readKeys(body) }
  const wish = {
    companyId,
    kind: 'idw',
    serviceId: await readOwnService(needs, companyId, body.service_id ?? null),
    name: body.name,
    purpose: null,
    capabilities: [],
    redirectUris: readRedirects(body.redirect_uris),
    isConfidential: body.confidential ?? true,
  } as const
  const created = await createClient(needs, wish, {
    onBegun: (tx, name) => insertApp(tx, name, settings),
    async onLive(tx, { client, secret }) {
      await recordAct(tx, needs, actor, 'oauth_apps.create', client)
      await storeAnswer(tx, showNew({ client, settings }, secret))
    },
  })
  return showNew({ client: created.client, settings }, created.secret)
}

export async function listOwnApps(
  { database }: ClientsNeeds,
  companyId: UserId,
  query: PageQueryText,
): Promise<PageOf<AppShown>> {
  return database.read(async (read) => {
    const page = await readClientPage(read, companyId, 'idw', query)
    const ids = page.items.map(({ clientId }) => clientId)
    const found = new Map((await listApps(read, companyId, ids)).map((app) => [app.clientId, app]))
    const clients = await ofLivingServices(read, companyId, page.items)
    const items = clients.flatMap((client) => {
      const settings = found.get(client.clientId)
      return settings === undefined ? [] : [showApp({ client, settings })]
    })
    return { ...page, items }
  })
}

export async function changeApp(
  needs: ClientsNeeds,
  actor: Actor,
  { client, settings }: SigninApp,
  body: AppBody,
): Promise<AppShown> {
  const isFixed = body.confidential === undefined || body.confidential === client.isConfidential
  if (!isFixed) throw invalid('/confidential', 'never changes: make another app instead')
  // What cannot be read is refused before the directory is asked.
  let changed = { ...settings, ...readSettings(body, settings) }
  const changes = {
    name: body.name,
    serviceId:
      body.service_id === undefined ? undefined : await readOwnService(needs, client.companyId, body.service_id),
    redirectUris: body.redirect_uris === undefined ? undefined : readRedirects(body.redirect_uris),
  }
  const after = await changeClient(needs, client, changes, {
    notFound,
    async inTransaction(tx) {
      // As it is now: a change that crossed this one keeps what only that one named.
      const now = (await findApp(tx, client)) ?? settings
      changed = { ...now, ...readSettings(body, now) }
      await updateApp(tx, client, changed)
      await recordAct(tx, needs, actor, 'oauth_apps.change', client)
    },
  })
  const shown = await needs.database.read((read) => ofLivingService(read, after))
  return showApp({ client: shown, settings: changed })
}

export async function regenerateAppSecret(
  needs: ClientsNeeds,
  actor: Actor,
  { client }: SigninApp,
  storeAnswer: StoreAnswer<SecretShown>,
): Promise<SecretShown> {
  if (!client.isConfidential) throw invalid('/confidential', 'a public app has no secret')
  const secret = await regenerateSecret(needs, client, {
    notFound,
    async inTransaction(tx, changed, fresh) {
      await recordAct(tx, needs, actor, 'oauth_apps.regenerate_secret', client)
      await storeAnswer(tx, showSecret(changed, fresh))
    },
  })
  return showSecret(client, secret)
}

export async function deleteApp(needs: ClientsNeeds, actor: Actor, { client }: SigninApp): Promise<void> {
  await deleteClientForGood(needs, client, {
    notFound,
    inTransaction: (tx) => recordAct(tx, needs, actor, 'oauth_apps.delete', client),
  })
}

export function showApp({ client, settings }: SigninApp): AppShown {
  return {
    client_id: client.clientId,
    name: client.name,
    redirect_uris: [...client.redirectUris],
    service_id: client.serviceId,
    confidential: client.isConfidential,
    require_2fa: settings.requireTwoFactor,
    claims_delivery: settings.claimsDelivery,
    claims: [...settings.claims],
    public_key: settings.publicKey,
    created_at: formatInstant(client.createdAt),
  }
}

export function showAppWithKey(app: SigninApp): AppShown & { readonly encrypted_private_key: PassphraseWrap } {
  return { ...showApp(app), encrypted_private_key: app.settings.encryptedPrivateKey }
}

function showNew(app: SigninApp, secret: Secret<string> | null): NewAppShown {
  return { ...showApp(app), client_secret: secret?.reveal() ?? null }
}

type Changeable = Pick<AppSettings, 'requireTwoFactor' | 'claimsDelivery' | 'claims'>
const NEW_SETTINGS: Changeable = { requireTwoFactor: false, claimsDelivery: 'encrypted', claims: [] }

function readSettings(body: AppBody, before: Changeable): Changeable {
  return {
    requireTwoFactor: body.require_2fa ?? before.requireTwoFactor,
    claimsDelivery: body.claims_delivery ?? before.claimsDelivery,
    claims: body.claims === undefined ? before.claims : readClaims(body.claims),
  }
}

function readClaims(value: unknown): readonly AppClaim[] {
  const judged = judgeClaims(value, claimable)
  if (judged.ok) return judged.value
  const { key, reason } = judged.refusal
  throw refuse(key, undefined, { sentence: reason })
}

function readKeys(body: NewAppBody): Pick<AppSettings, 'publicKey' | 'encryptedPrivateKey'> {
  const { public_key: publicKey, encrypted_private_key: encryptedPrivateKey } = body
  if (!isPublicKey(platform, publicKey) || !isPassphraseWrap(platform, encryptedPrivateKey)) {
    throw refuse('oauth_apps.public_key_required')
  }
  return { publicKey, encryptedPrivateKey }
}

function readRedirects(value: unknown): readonly string[] {
  const isList = Array.isArray(value) && value.length <= MOST_REDIRECTS && value.every(isSafeRedirect)
  if (!isList) throw refuse('oauth_apps.redirect_uri_invalid')
  return [...new Set(value)]
}

/**
 * An app belongs to its company and outlives the service that it names. The directory keeps the name until the app is
 * changed; nobody else is told of a service that is no more.
 */
async function ofLivingServices(read: Read, companyId: UserId, clients: readonly Client[]): Promise<readonly Client[]> {
  const named = clients.flatMap(({ serviceId }) => serviceId ?? [])
  const living = named.length === 0 ? new Set<ServiceId>() : await pickServices(read, companyId, named)
  return clients.map((client) => {
    const { serviceId } = client
    return serviceId === null || living.has(serviceId) ? client : { ...client, serviceId: null }
  })
}

async function ofLivingService(read: Read, client: Client): Promise<Client> {
  const [shown = client] = await ofLivingServices(read, client.companyId, [client])
  return shown
}

async function readOwnService(needs: ClientsNeeds, companyId: UserId, id: string | null): Promise<ServiceId | null> {
  const serviceId = id === null ? null : readServiceId(id)
  if (serviceId === null && id === null) return null
  const service =
    serviceId === null ? null : await needs.database.read((read) => findService(read, companyId, serviceId))
  if (service === null) throw refuse('services.not_found')
  return serviceId
}

const notFound = () => refuse('oauth_apps.not_found')

function invalid(path: string, message: string): Error {
  return refuse('request.invalid', { details: [{ path: `/body${path}`, message }] })
}
