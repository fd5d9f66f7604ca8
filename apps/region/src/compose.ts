import { busMigrations } from '@sealpost/bus'
import { idempotencyMigrations } from '@sealpost/http'
import { jobsMigrations } from '@sealpost/jobs'
import { joinMigrations } from '@sealpost/postgres'
import { accessMigrations, openAccess } from './modules/access/index.ts'
import { type AccountHooks, accountMigrations, openAccount } from './modules/account/index.ts'
import { clientsMigrations, openClients } from './modules/clients/index.ts'
import { type ConnectionsHooks, connectionsMigrations, openConnections } from './modules/connections/index.ts'
import { devicesMigrations, openDevices } from './modules/devices/index.ts'
import { type DocumentsHooks, documentsMigrations, openDocuments, type Sealer } from './modules/documents/index.ts'
import { type FeedHooks, feedMigrations, openFeed } from './modules/feed/index.ts'
import { flowsMigrations, openFlows, type TemplateReader } from './modules/flows/index.ts'
import { grantsMigrations, openGrants } from './modules/grants/index.ts'
import { type LoginHooks, loginMigrations, openLogin, secondFactorOf } from './modules/login/index.ts'
import { mailMigrations, openMail } from './modules/mail/index.ts'
import { type MessagesHooks, messagesMigrations, openMessages } from './modules/messages/index.ts'
import { openPlugins, type PluginsHooks, pluginsMigrations } from './modules/plugins/index.ts'
import { openPortal } from './modules/portal/index.ts'
import { openRegistry, type RegistryHooks, registryMigrations } from './modules/registry/index.ts'
import { openRuns, type RunsHooks, runsMigrations } from './modules/runs/index.ts'
import { openServices, type ServicesHooks, servicesMigrations } from './modules/services/index.ts'
import { openTwofa, type SharedState, type TwofaHooks, twofaMigrations } from './modules/twofa/index.ts'
import { openVault, type VaultHooks, vaultMigrations } from './modules/vault/index.ts'
import { openWebhooks, webhooksMigrations } from './modules/webhooks/index.ts'
import type { Module, Platform } from './platform/module.ts'

/** All tables of a region's database. */
export const regionMigrations = joinMigrations(
  busMigrations,
  jobsMigrations,
  idempotencyMigrations,
  accountMigrations,
  mailMigrations,
  accessMigrations,
  loginMigrations,
  registryMigrations,
  vaultMigrations,
  feedMigrations,
  servicesMigrations,
  clientsMigrations,
  grantsMigrations,
  connectionsMigrations,
  webhooksMigrations,
  documentsMigrations,
  messagesMigrations,
  devicesMigrations,
  twofaMigrations,
  flowsMigrations,
  runsMigrations,
  pluginsMigrations,
)

/** The modules of a region by name: each is its own context, the first argument of its operations. */
export type Modules = ReturnType<typeof openModules>

/** What lower modules call in upper ones; `hooks.ts` fills it in. */
export interface Hooks {
  readonly account: AccountHooks
  readonly login: LoginHooks
  readonly registry: RegistryHooks
  readonly vault: VaultHooks
  readonly feed: FeedHooks
  readonly plugins: PluginsHooks
  readonly services: ServicesHooks
  readonly connections: ConnectionsHooks
  readonly documents: DocumentsHooks
  readonly messages: MessagesHooks
  readonly twofa: TwofaHooks
  readonly runs: RunsHooks
}

/** What only some modules use. */
export interface ModuleEngines {
  /** Null where nothing is sealed. */
  readonly sealer: Sealer | null
  readonly reader: TemplateReader
  readonly shared: SharedState
}

/** Opens all modules and registers their handlers of messages and jobs. */
export function compose(
  platform: Platform,
  engines: ModuleEngines,
  hooksOf: (modules: () => Modules) => Hooks,
): Modules {
  const hooks = hooksOf(() => modules)
  const modules: Modules = openModules(platform, engines, hooks)
  for (const { onBus, onJobs } of listModules(modules)) {
    onBus?.(platform.bus)
    onJobs?.(platform.jobs)
  }
  return modules
}

/** In dependency order: a module uses those above it in this list, and `hooks` leads the other way. */
function openModules(platform: Platform, { sealer, reader, shared }: ModuleEngines, hooks: Hooks) {
  const account = openAccount(platform, hooks.account)
  const mail = openMail(platform)
  const access = openAccess(platform)
  const login = openLogin(platform, { account, hooks: hooks.login })
  const devices = openDevices(platform, { login })
  const registry = openRegistry(platform, hooks.registry)
  const vault = openVault(platform, hooks.vault)
  const feed = openFeed(platform, hooks.feed)
  const plugins = openPlugins(platform, hooks.plugins)
  const services = openServices(platform, hooks.services)
  const clients = openClients(platform, { services })
  const grants = openGrants(platform, { login })
  const connections = openConnections(platform, {
    account,
    services,
    secondFactor: secondFactorOf(login),
    hooks: hooks.connections,
  })
  const webhooks = openWebhooks(platform, { mail, feed, services })
  const documents = openDocuments(platform, { login, services, sealer, hooks: hooks.documents })
  const messages = openMessages(platform, hooks.messages)
  const twofa = openTwofa(platform, { login, shared, hooks: hooks.twofa })
  const flows = openFlows(platform, { services, reader })
  const runs = openRuns(platform, { services, connections, documents, mail, reader, hooks: hooks.runs })
  const portal = openPortal(platform)
  return {
    account,
    mail,
    access,
    login,
    devices,
    registry,
    vault,
    feed,
    plugins,
    services,
    clients,
    grants,
    connections,
    webhooks,
    documents,
    messages,
    twofa,
    flows,
    runs,
    portal,
  }
}

export function listModules(modules: Modules): readonly Module[] {
  return Object.values(modules)
}
